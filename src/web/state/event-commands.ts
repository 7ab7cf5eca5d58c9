/** External Events as the page uses them: lists, one whole, read marks, rules, and a rule's effect tried out. */
import type { EventRule } from '../../contract/external-event.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import type { RouteCall, RouteOutput } from '../../contract/routes.ts';
import type { Call } from './call.ts';
import type { AppStore, Toast } from './store.ts';

type EventPage = RouteOutput<'listEvents'>;
export type WholeEvent = RouteOutput<'readEvent'>;
export type RuleSet = RouteOutput<'readEventRules'>;
export type DryRun = RouteOutput<'tryEvent'>;

/** Whose events. */
export interface EventsOf {
  readonly conversationId: ConversationId;
  readonly threadId: string;
}

export interface EventCommands {
  listEvents(
    of: EventsOf,
    query: { readonly before?: number; readonly isUnreadOnly: boolean },
  ): Promise<Result<EventPage>>;
  /** How many are unread, once per visit; after that the socket tells. */
  countEvents(of: EventsOf): Promise<void>;
  /** Opens the drawer, at one event or at the list. */
  showEvents(eventSeq: number | null): void;
  /** Whoever reads it whole has read it. */
  readEvent(of: EventsOf, eventSeq: number): Promise<WholeEvent | null>;
  ackAllEvents(of: EventsOf): Promise<void>;
  readEventRules(): Promise<Result<RuleSet>>;
  writeEventRules(rules: readonly EventRule[] | null, allowSources?: readonly string[]): Promise<RuleSet | null>;
  tryEvent(input: RouteCall<'tryEvent'>): Promise<Result<DryRun>>;
}

const PAGE_EVENTS = 50;

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

  return {
    async listEvents(of, { before, isUnreadOnly }) {
      const page = await call('listEvents', {
        thread_id: of.threadId,
        limit: PAGE_EVENTS,
        ...(before !== undefined && { before }),
        ...(isUnreadOnly && { unread: 'true' as const }),
      });
      if (page.ok) countUnread(of, page.value.unread);
      return page;
    },
    async countEvents(of) {
      if (store.getState().unreadEvents.has(of.conversationId)) return;
      const page = await call('listEvents', { thread_id: of.threadId, limit: 1 });
      if (page.ok) countUnread(of, page.value.unread);
    },
    showEvents(eventSeq) {
      store.setState({ shownEvent: eventSeq });
      store.setState((state) => ({ device: { ...state.device, drawer: 'events' } }));
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
      if (acked !== null) countUnread(of, acked.unread);
    },
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
