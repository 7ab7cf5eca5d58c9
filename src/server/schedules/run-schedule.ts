/**
 * Performs a run of a schedule. The run is stored before its message goes, with the id that the message will have, and after it: a server
 * that is killed in between sends the same message under the same id again, which the outbox takes once.
 */
import { randomBytes } from 'node:crypto';
import type { ClientMessageId, ConversationId } from '../../contract/ids.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { Schedule, ScheduleTarget } from '../../contract/schedules.ts';
import { beginRun, decide, endRun, type RunEnd } from '../../core/schedules/decide.ts';
import { nextTime } from './next-time.ts';
import type { ScheduleStore } from './schedule-store.ts';

export interface SchedulePorts {
  /** The conversation of a run: the one that is named, or a new one in the directory. */
  openTarget(target: ScheduleTarget, name: string): Promise<Result<ConversationId>>;
  isBusy(id: ConversationId): boolean;
  /** Queues while a turn runs. A message whose id is known is taken as it was then. */
  send(
    id: ConversationId,
    message: { readonly text: string; readonly clientMessageId: ClientMessageId },
  ): Promise<Result<null>>;
}

interface RunTools {
  readonly store: ScheduleStore;
  readonly ports: SchedulePorts;
  readonly now: () => number;
  /** The server stops: what fails now is tried at the next start. */
  readonly isClosing: () => boolean;
}

/** While Codex starts, or the disk is full, a run waits so long. */
const PATIENCE_MS = 3_600_000;
const PASSING: readonly string[] = ['codex_unavailable', 'storage_full', 'storage_failed', 'no_answer'];

/** One step of a schedule; false if it has to be tried again soon. */
export async function stepSchedule(tools: RunTools, schedule: Schedule): Promise<boolean> {
  const { store, now } = tools;
  if (schedule.pending !== null) return finishRun(tools, schedule).then((ended) => ended !== null);
  const nowMs = now();
  const decision = decide(schedule, nowMs, nextTime);
  switch (decision.act) {
    case 'wait':
      return true;
    case 'rewind':
      return (await store.put({ ...schedule, handled_until: decision.toMs })).ok;
    case 'miss':
      return (await store.put(noteMissed(schedule, decision.missed, { dueMs: decision.untilMs, nowMs }))).ok;
    case 'run': {
      // What was missed before the run ends before it, so that the run itself is not among it.
      const before = noteMissed(schedule, decision.missed, { dueMs: decision.dueMs - 1, nowMs });
      const begun = beginRun({ ...before, state: 'active', reason: null }, decision.dueMs, newRunId());
      return (await store.put(begun)).ok && (await finishRun(tools, begun)) !== null;
    }
    default:
      return decision satisfies never;
  }
}

export const newRunId = (): string => randomBytes(3).toString('hex');

function noteMissed(
  schedule: Schedule,
  count: number,
  at: { readonly dueMs: number; readonly nowMs: number },
): Schedule {
  if (count === 0) return schedule;
  const note = `${count} ${count === 1 ? 'run was' : 'runs were'} due while the server could not act`;
  return endRun(schedule, { ...at, outcome: 'missed', note, conversationId: null, clientMessageId: null }, nextTime);
}

/** Sends the message of a run that is stored already, or of one from before a crash. Null if it has to be tried again. */
export async function finishRun(
  { store, ports, now, isClosing }: RunTools,
  schedule: Schedule,
): Promise<Schedule | null> {
  const { pending } = schedule;
  if (pending === null) return schedule;
  const { due: dueMs, client_message_id: clientMessageId } = pending;
  const isPatient = (code: string) => isClosing() || (PASSING.includes(code) && now() - dueMs < PATIENCE_MS);
  const end = async (
    outcome: RunEnd['outcome'],
    note: string | null,
    conversationId: ConversationId | null,
  ): Promise<Schedule | null> => {
    const sent = outcome === 'sent' ? clientMessageId : null;
    const facts = { dueMs, nowMs: now(), outcome, note, conversationId, clientMessageId: sent };
    const saved = await store.put(endRun(schedule, facts, nextTime));
    return saved.ok ? saved.value : null;
  };
  const known = pending.conversation_id;
  const opened = known === null ? await ports.openTarget(schedule.target, schedule.name) : ok(known);
  if (!opened.ok) return isPatient(opened.error.code) ? null : end('failed', opened.error.message, null);
  const conversationId = opened.value;
  if (known === null) {
    if (schedule.busy === 'skip' && ports.isBusy(conversationId))
      return end('skipped_busy', 'a turn was running', conversationId);
    // A new conversation must be the same one after a crash.
    const noted = await store.put({ ...schedule, pending: { ...pending, conversation_id: conversationId } });
    if (!noted.ok) return null;
  }
  const sent = await ports.send(conversationId, { text: schedule.text, clientMessageId });
  if (sent.ok) return end('sent', null, conversationId);
  return isPatient(sent.error.code) && sent.error.details?.stored !== true
    ? null
    : end('failed', sent.error.message, conversationId);
}
