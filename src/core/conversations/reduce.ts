/** A client's picture of one conversation: a window of its transcript and what is live. Used by the page, the command line and tests. */
import type { Entry } from '../../contract/entry.ts';
import type { LiveEvent, ServerFrame, SyncFrame, UiEvent } from '../../contract/ui-event.ts';
import { EMPTY_LIVE, type LiveState, reduceLive } from './live.ts';

export interface ConversationView {
  /** Oldest first, dense by seq. */
  readonly entries: readonly Entry[];
  /** The cursor to come back with. */
  readonly lastSeq: number;
  readonly live: LiveState;
  /** False from the moment the socket is lost until the server has said that everything missed was told. */
  readonly isSynchronized: boolean;
}

export const EMPTY_VIEW: ConversationView = { entries: [], lastSeq: 0, live: EMPTY_LIVE, isSynchronized: false };

type Sync = Extract<SyncFrame, { type: 'sync' }>;

/** Every live event, by its name. */
const LIVE_EVENTS = {
  assistant_delta: true,
  reasoning_delta: true,
  command_delta: true,
  plan_delta: true,
  item: true,
  discard: true,
  activity: true,
  approval: true,
  usage: true,
  running: true,
  holder: true,
  block_output: true,
  changes: true,
} as const satisfies Record<LiveEvent['type'], true>;

/** False for the frames about the connection and the server, and for those of a newer server that this version does not know. */
export function isUiEvent(frame: ServerFrame): frame is UiEvent {
  return Object.hasOwn(LIVE_EVENTS, frame.type) || ('entry' in frame && typeof frame.seq === 'number');
}

/** The caller picks the frames of this conversation; those of other kinds change nothing. */
export function reduceConversation(view: ConversationView, frame: ServerFrame): ConversationView {
  if (frame.type === 'sync') return applySync(view, frame);
  if (frame.type === 'synchronized') return { ...view, isSynchronized: true };
  return isUiEvent(frame) ? applyEvent(view, frame) : view;
}

function applySync(view: ConversationView, sync: Sync): ConversationView {
  const live: LiveState = {
    items: sync.live,
    approvals: sync.approvals,
    activity: sync.status.activity,
    usage: sync.status.usage,
    running: sync.running ?? [],
    holder: sync.holder ?? null,
  };
  const fresh = sync.entries.filter((entry) => sync.verdict === 'reset' || entry.seq > view.lastSeq);
  return {
    entries: sync.verdict === 'reset' ? fresh : [...view.entries, ...fresh],
    lastSeq: sync.seq,
    live,
    isSynchronized: false,
  };
}

/** A durable event that was already told changes nothing; nor does a live one from before the last durable one. */
function applyEvent(view: ConversationView, event: UiEvent): ConversationView {
  if (!('seq' in event)) return event.after < view.lastSeq ? view : { ...view, live: reduceLive(view.live, event) };
  if (event.seq <= view.lastSeq) return view;
  return { ...view, entries: [...view.entries, event.entry], lastSeq: event.seq, live: reduceLive(view.live, event) };
}

/** An older page put before the window. */
export function prependPage(view: ConversationView, page: readonly Entry[]): ConversationView {
  const first = view.entries[0]?.seq ?? Number.POSITIVE_INFINITY;
  return { ...view, entries: [...page.filter((entry) => entry.seq < first), ...view.entries] };
}
