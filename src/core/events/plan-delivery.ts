/** What becomes of an event: the first rule that fits, what it may do, and what the thread can take now. Pure. */
import type { DeliveryMode, EventRule, EventState, ExternalEvent, Severity } from '../../contract/external-event.ts';
import { SEVERITIES } from '../../contract/external-event.ts';

export interface Policy {
  readonly rules: readonly EventRule[];
  readonly defaultDelivery: 'queue_for_next_turn' | 'append_to_thread' | 'notify_only';
  /** Sources that may steer and start turns, beside those a rule names. */
  readonly allowSources: readonly string[];
  readonly maxHops: number;
}

export interface ThreadStatus {
  /** Null when no turn runs. */
  readonly turnId: string | null;
  /** Codex has it loaded, so that things can be put into its history. */
  readonly isLoaded: boolean;
  /** Put away by a person: it is not brought back but by one. */
  readonly isArchived: boolean;
  /** A person lets the model be told of events here. */
  readonly areEventsOn: boolean;
  /** Automatic turns since a person last spoke here. */
  readonly autoTurnsInARow: number;
}

/** What the Codex at hand can do. */
export interface Capabilities {
  readonly canSteer: boolean;
  readonly canInject: boolean;
}

export interface Plan {
  readonly mode: DeliveryMode;
  readonly state: Extract<EventState, 'queued' | 'notified' | 'dropped' | 'held'>;
  /** The place of the rule; null for the default. */
  readonly rule: number | null;
  /** Why it is less than the rule asked for, in a word; absent when it is not. */
  readonly reason?: string;
  readonly hops: number;
}

/** Why an event is held for as long as events are off for its conversation. */
export const TURNED_OFF = 'turned_off';

/** What of an event decides. */
export type PlannedEvent = Pick<ExternalEvent, 'type' | 'severity' | 'source' | 'routing' | 'trust'>;

export function planDelivery(
  policy: Policy,
  event: PlannedEvent,
  thread: ThreadStatus,
  capabilities: Capabilities,
  /** Of the automatic turns that run now anywhere: what arrives meanwhile may come from them. */
  runningHops = 0,
): Plan {
  const at = policy.rules.findIndex((rule) => isMatch(rule, event));
  const rule = policy.rules[at];
  const wanted = rule?.delivery ?? policy.defaultDelivery;
  const hops = Math.max(event.routing.hops ?? 0, runningHops);
  const planned = (mode: DeliveryMode, state: Plan['state'], reason?: string): Plan => ({
    mode,
    state,
    rule: rule === undefined ? null : at,
    hops,
    ...(reason !== undefined && { reason }),
  });

  if (wanted === 'drop') return planned('drop', 'dropped', 'rule');
  if (wanted === 'notify_only') return planned('notify_only', 'notified');
  if (!thread.areEventsOn) {
    // By the time they are on again it may neither steer nor wake: then it is old.
    const isAppended = wanted === 'append_to_thread' && capabilities.canInject;
    return planned(isAppended ? 'append_to_thread' : 'queue_for_next_turn', 'held', TURNED_OFF);
  }
  const steer = rule?.prefer_steer === true ? refuseSteer(rule, policy, event, capabilities) : 'not_asked';
  const isTurnRunning = thread.turnId !== null;
  if (steer === null && isTurnRunning) {
    // An event about one turn says nothing to another.
    const isOtherTurn = event.routing.turn_id !== undefined && event.routing.turn_id !== thread.turnId;
    return isOtherTurn ? planned('queue_for_next_turn', 'queued', 'other_turn') : planned('turn_steer', 'queued');
  }
  if (wanted === 'auto_turn') {
    const refusal = refuseAutoTurn(rule, policy, event, thread, hops);
    return refusal === null ? planned('auto_turn', 'queued') : planned('queue_for_next_turn', 'queued', refusal);
  }
  const steerNote = isTurnRunning && steer !== 'not_asked' && steer !== null ? steer : undefined;
  if (wanted === 'append_to_thread') {
    if (!capabilities.canInject) return planned('queue_for_next_turn', 'queued', 'cannot_append');
    // In a running turn it would be read at once, which is a steer that nobody allowed.
    if (isTurnRunning) return planned('append_to_thread', 'held', steerNote ?? 'turn_running');
    return thread.isLoaded
      ? planned('append_to_thread', 'queued')
      : planned('append_to_thread', 'held', 'thread_not_loaded');
  }
  return planned('queue_for_next_turn', 'queued', steerNote);
}

/** Null when it may. Who is known is not yet allowed. */
function refuseSteer(
  rule: EventRule | undefined,
  policy: Policy,
  event: PlannedEvent,
  capabilities: Capabilities,
): string | null {
  const isKnown = event.trust.authenticated;
  const isExcused = rule?.allow_unauthenticated === true && event.trust.origin === 'local';
  if (!isKnown && !isExcused) return 'not_authenticated';
  if (!isAllowed(rule, policy, event)) return 'not_allowed';
  return capabilities.canSteer ? null : 'cannot_steer';
}

function refuseAutoTurn(
  rule: EventRule | undefined,
  policy: Policy,
  event: PlannedEvent,
  thread: ThreadStatus,
  hops: number,
): string | null {
  if (!event.trust.authenticated) return 'not_authenticated';
  if (!isAllowed(rule, policy, event)) return 'not_allowed';
  if (thread.isArchived) return 'archived';
  if (hops >= policy.maxHops || thread.autoTurnsInARow >= policy.maxHops * 2) return 'hop_limit';
  return null;
}

function isAllowed(rule: EventRule | undefined, policy: Policy, event: PlannedEvent): boolean {
  const { name } = event.source;
  return policy.allowSources.includes(name) || (rule?.allow_sources.includes(name) ?? false);
}

function isMatch(rule: EventRule, event: PlannedEvent): boolean {
  if (rule.min_severity !== undefined && rank(event.severity) < rank(rule.min_severity)) return false;
  if (rule.source !== undefined && !matchesGlob(rule.source, event.source.name)) return false;
  return matchesGlob(rule.match_type, event.type);
}

const rank = (severity: Severity): number => SEVERITIES.indexOf(severity);

/** `*` is any run of characters. Without backtracking: a pattern of stars must not cost more than its length. */
export function matchesGlob(pattern: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  let from = 0;
  while (from < text.length) {
    if (pattern[at] === '*') {
      star = at;
      resume = from;
      at += 1;
    } else if (at < pattern.length && pattern[at] === text[from]) {
      at += 1;
      from += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      from = resume;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
