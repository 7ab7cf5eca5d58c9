/** External Events as the page uses them: lists, one whole, read marks, rules, and a rule's effect tried out. */
import type { EventRule, Severity } from '../../contract/external-event.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import type { RouteCall, RouteOutput } from '../../contract/routes.ts';
import { openPanels } from '../drawer/drawer-width.ts';
import { en } from '../strings/en.ts';
import type { Call } from './call.ts';
import { quoteIntoDraft } from './quote.ts';
import type { AppStore, Toast } from './store.ts';

type EventPage = RouteOutput<'listEvents'>;
type RejectedEvent = RouteOutput<'listRejectedEvents'>['rejected'][number];
export type WholeEvent = RouteOutput<'readEvent'>;
export type RuleSet = RouteOutput<'readEventRules'>;
export type DryRun = RouteOutput<'tryEvent'>;

/** Whose events. */
export interface EventsOf {
  readonly conversationId: ConversationId;
  /** As `eventAddress` says it. */
  readonly threadId: string;
}

/** Where a conversation's events are: a draft has no thread yet, and is their address itself. */
export const eventAddress = (
  meta: { readonly thread_id: string | null; readonly conversation_id: ConversationId } | null,
): string | null => (meta === null ? null : (meta.thread_id ?? meta.conversation_id));

/** What somebody looks for. */
export interface EventQuery {
  readonly isUnreadOnly: boolean;
  readonly minSeverity?: Severity | undefined;
  readonly words?: string;
}

interface EventRange {
  readonly before?: number;
  /** So many are shown, and may have changed. */
  readonly atLeast?: number;
}

export interface EventCommands {
  listEvents(of: EventsOf, query: EventQuery & EventRange): Promise<Result<EventPage>>;
  /** How many go along with the next message; null when it is not known. */
  countWaiting(of: EventsOf): Promise<number | null>;
  listRejected(of: EventsOf): Promise<readonly RejectedEvent[] | null>;
  /** How many are unread, once per visit; after that the socket tells. */
  countEvents(of: EventsOf): Promise<void>;
  /** Puts words into the message box, and on a phone brings it to light. */
  askAbout(text: string): void;
  /** Opens the drawer, at one event or at the list. */
  showEvents(eventSeq: number | null): void;
  /** Whoever reads it whole has read it. */
  readEvent(of: EventsOf, eventSeq: number): Promise<WholeEvent | null>;
  /** Says how many, and offers to undo it. */
  ackAllEvents(of: EventsOf): Promise<void>;
  markUnread(of: EventsOf, eventSeqs: readonly number[]): Promise<void>;
  readEventRules(): Promise<Result<RuleSet>>;
  writeEventRules(rules: readonly EventRule[] | null, allowSources?: readonly string[]): Promise<RuleSet | null>;
  tryEvent(input: RouteCall<'tryEvent'>): Promise<Result<DryRun>>;
}

const PAGE_EVENTS = 50;
/** In a flood the list is read again many times a second: what lies deeper is kept as it was read. */
const MAX_READ_AGAIN = 200;

export function createEventCommands(
  store: AppStore,
  call: Call,
  toast: (one: Omit<Toast, 'id'>) => void,
): EventCommands {
  async function said<T>(result: Promise<Result<T>>): Promise<T | null> {
    const settled = await result;
    if (settled.ok) return settled.value;
    toast({ text: settled.error.message, tone: 'error' });
    return null;
  }

  const countUnread = ({ conversationId }: EventsOf, unread: number) =>
    store.setState((state) => ({ unreadEvents: new Map(state.unreadEvents).set(conversationId, unread) }));

  async function markUnread(of: EventsOf, eventSeqs: readonly number[]): Promise<void> {
    const marked = await said(call('markEventsUnread', { thread_id: of.threadId, events: [...eventSeqs] }));
    if (marked !== null) countUnread(of, marked.unread);
  }

  return {
    async listEvents(of, { before, atLeast = 0, isUnreadOnly, minSeverity, words = '' }) {
      const page = await call('listEvents', {
        thread_id: of.threadId,
        limit: Math.min(Math.max(atLeast, PAGE_EVENTS), MAX_READ_AGAIN),
        ...(before !== undefined && { before }),
        ...(isUnreadOnly && { unread: 'true' as const }),
        ...(minSeverity !== undefined && { min_severity: minSeverity }),
        ...(words.trim() !== '' && { q: words }),
      });
      if (page.ok) countUnread(of, page.value.unread);
      return page;
    },
    async countEvents(of) {
      if (store.getState().unreadEvents.has(of.conversationId)) return;
      const page = await call('listEvents', { thread_id: of.threadId, limit: 1 });
      if (page.ok) countUnread(of, page.value.unread);
    },
    async countWaiting(of) {
      const page = await call('listEvents', { thread_id: of.threadId, limit: 1 });
      if (page.ok) countUnread(of, page.value.unread);
      return page.ok ? page.value.waiting : null;
    },
    async listRejected(of) {
      return (await said(call('listRejectedEvents', { thread_id: of.threadId })))?.rejected ?? null;
    },
    askAbout(text) {
      if (!matchMedia('(max-width: 700px)').matches) return quoteIntoDraft(text);
      // There the drawer lies over the message box.
      store.setState((state) => ({ device: { ...state.device, drawer: null } }));
      requestAnimationFrame(() => quoteIntoDraft(text));
    },
    showEvents(eventSeq) {
      store.setState({ shownEvent: eventSeq });
      store.setState((state) => ({ device: { ...state.device, ...openPanels(state.device, { drawer: 'events' }) } }));
    },
    async readEvent(of, eventSeq) {
      const whole = await said(call('readEvent', { thread_id: of.threadId, event_seq: eventSeq }));
      if (whole === null || whole.record.read) return whole;
      const acked = await call('ackEvent', { thread_id: of.threadId, event_id: String(eventSeq) });
      if (acked.ok) countUnread(of, acked.value.unread);
      return whole;
    },
    async ackAllEvents(of) {
      const acked = await said(call('ackEvents', { thread_id: of.threadId }));
      if (acked === null) return;
      countUnread(of, acked.unread);
      const { events } = acked;
      const undo = { label: en.events.undo, run: () => void markUnread(of, events) };
      toast({ text: en.events.marked(acked.acked), tone: 'plain', ...(events.length > 0 && { action: undo }) });
    },
    markUnread,
    readEventRules: () => call('readEventRules', {}),
    writeEventRules: (rules, allowSources) =>
      said(
        call('writeEventRules', {
          rules: rules === null ? null : [...rules],
          ...(allowSources !== undefined && { allow_sources: [...allowSources] }),
        }),
      ),
    tryEvent: (input) => call('tryEvent', input),
  };
}
