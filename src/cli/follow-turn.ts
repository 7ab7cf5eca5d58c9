/** What `send` shows of the turn it started: frames in, things to print out. Repeated and late frames are printed once. */
import type { PendingApproval } from '../contract/approval.ts';
import type { Entry } from '../contract/entry.ts';
import { EVENT_OF_ROLE, type LiveItem, type ServerFrame, type SyncFrame, type UiEvent } from '../contract/ui-event.ts';
import { isUiEvent } from '../core/conversations/reduce.ts';
import { describeEntry } from '../core/export/render-entry.ts';

type MessageEntry = Extract<Entry, { role: 'user' }>;
type DeliveryEntry = Extract<Entry, { role: 'delivery' }>;
type TurnEnd = 'completed' | 'failed' | 'interrupted';

export type Shown =
  /** The answer itself. */
  | { readonly kind: 'text'; readonly text: string }
  /** A short line about what goes on. */
  | { readonly kind: 'note'; readonly text: string }
  /** For machines: the event as it came. */
  | { readonly kind: 'event'; readonly event: UiEvent };

export interface TurnFollower {
  receive(frame: ServerFrame): readonly Shown[];
  /** What the answer to the message said. */
  nameTurn(turnId: string): void;
  turnId(): string | null;
  /** Null while it runs. */
  end(): TurnEnd | null;
  /** The transcript has the message: it left the queue, if it was in one. */
  isStored(): boolean;
  /** Why Codex does not have the message; null unless it was recorded as not delivered. */
  notDelivered(): string | null;
  /** Where to go on after a lost connection; undefined before the first snapshot. */
  lastSeq(): number | undefined;
}

type Sync = Extract<SyncFrame, { type: 'sync' }>;

export function createTurnFollower(clientMessageId: string): TurnFollower {
  let turnId: string | null = null;
  let lastSeq: number | undefined;
  let end: TurnEnd | null = null;
  let isStored = false;
  let notDelivered: string | null = null;
  /** Characters of each item's text that were printed. */
  const printed = new Map<string, number>();
  const told = new Set<string>();

  const isOurs = (one: { readonly turn_id?: string | undefined }): boolean =>
    turnId !== null && one.turn_id === turnId && end === null;

  const once = (key: string, text: string): Shown[] => {
    if (told.has(key)) return [];
    told.add(key);
    return [{ kind: 'note', text }];
  };

  /** `offset`: characters of the item before `text`. Somebody who joins late starts where the text starts. */
  const showText = (itemId: string, offset: number, text: string): Shown[] => {
    const seen = printed.get(itemId) ?? offset;
    const fresh = text.slice(Math.max(0, seen - offset));
    printed.set(itemId, Math.max(seen, offset + text.length));
    return fresh === '' ? [] : [{ kind: 'text', text: fresh }];
  };

  const showItem = (item: LiveItem): Shown[] => {
    if (item.role === 'assistant') return showText(item.item_id, item.text_start, item.text);
    return item.role === 'command' && item.command !== '' ? once(`command ${item.item_id}`, `$ ${item.command}`) : [];
  };

  const isOurMessage = (entry: Entry): entry is MessageEntry | DeliveryEntry =>
    (entry.role === 'user' || entry.role === 'delivery') && entry.client_message_id === clientMessageId;

  /** A message that is delivered after it was sent again has another turn than its first try. */
  const noticeMessage = (entry: MessageEntry | DeliveryEntry): void => {
    isStored = true;
    turnId = entry.turn_id ?? turnId;
    if (entry.role === 'delivery')
      notDelivered = entry.state === 'not_delivered' ? (entry.text ?? 'Codex does not have this message.') : null;
  };

  const showEntry = (entry: Entry): Shown[] => {
    if (isOurMessage(entry)) noticeMessage(entry);
    // Faults of our own making belong to no turn.
    const isFault = (entry.role === 'error' || entry.role === 'warning') && entry.turn_id === undefined;
    if (!isOurs(entry) && !(isFault && turnId !== null && end === null)) return [];
    switch (entry.role) {
      case 'assistant': {
        const id = entry.item_id ?? `seq ${entry.seq}`;
        return [...showText(id, 0, entry.text), { kind: 'text', text: '\n' }];
      }
      case 'command': {
        const started = once(`command ${entry.item_id}`, `$ ${entry.command}`);
        const isFine = entry.status === 'completed' && (entry.exit_code ?? 0) === 0;
        const how = entry.status === 'failed' ? `exit ${entry.exit_code ?? '?'}` : entry.status;
        return isFine ? started : [...started, { kind: 'note', text: `  ${how}` }];
      }
      case 'status':
        end = entry.turn_status;
        return [];
      case 'user':
      case 'delivery':
      case 'reasoning':
      case 'token_usage':
        return [];
      case 'external_event':
        return entry.kind === 'moved' ? [] : [{ kind: 'note', text: eventNote(entry) }];
      default:
        return [{ kind: 'note', text: noteOf(entry) }];
    }
  };

  const showApproval = (approval: PendingApproval): Shown[] =>
    once(
      `approval ${approval.approval_id}`,
      `waits for your approval: ${approval.title} (answer it in the page; \`signalbox open\` gives a link)`,
    );

  const receiveSync = (sync: Sync): Shown[] => {
    const { conversation_id } = sync;
    const shown = sync.entries.flatMap((entry) =>
      receiveEvent({ type: EVENT_OF_ROLE[entry.role], conversation_id, seq: entry.seq, entry }),
    );
    lastSeq = sync.seq;
    const live = sync.live.filter(isOurs).flatMap(showItem);
    const approvals = sync.approvals.filter((one) => isOurs({ turn_id: one.turn_id ?? undefined }));
    return [...shown, ...live, ...approvals.flatMap(showApproval)];
  };

  const receiveEvent = (event: UiEvent): Shown[] => {
    if ('seq' in event) {
      if (event.seq <= (lastSeq ?? Number.NEGATIVE_INFINITY)) return [];
      lastSeq = event.seq;
      const wasOpen = end === null;
      const shown = showEntry(event.entry);
      const isOfTurn = turnId !== null && event.entry.turn_id === turnId;
      const isShown = wasOpen && (isOfTurn || isOurMessage(event.entry));
      return isShown ? [{ kind: 'event', event }, ...shown] : shown;
    }
    if (!isOurs({ turn_id: turnOf(event) })) return [];
    const self: Shown = { kind: 'event', event };
    switch (event.type) {
      case 'assistant_delta':
        return [self, ...showText(event.item_id, event.offset, event.delta)];
      case 'item':
        return [self, ...showItem(event.item)];
      case 'approval':
        return [self, ...showApproval(event.approval)];
      default:
        return [self];
    }
  };

  return {
    receive(frame) {
      if (frame.type === 'sync') return receiveSync(frame);
      return isUiEvent(frame) ? receiveEvent(frame) : [];
    },
    nameTurn(id) {
      turnId ??= id;
    },
    turnId: () => turnId,
    end: () => end,
    isStored: () => isStored,
    notDelivered: () => notDelivered,
    lastSeq: () => lastSeq,
  };
}

function turnOf(event: Exclude<UiEvent, { seq: number }>): string | undefined {
  if ('turn_id' in event) return event.turn_id;
  if (event.type === 'item') return event.item.turn_id;
  if (event.type === 'approval') return event.approval.turn_id ?? undefined;
  return event.type === 'activity' ? (event.activity.turn_id ?? undefined) : undefined;
}

/** What went along with the message, or came while it was answered. */
function eventNote({ state, events, event_seqs }: Extract<Entry, { role: 'external_event' }>): string {
  const [first] = events;
  const count = event_seqs.length;
  const what =
    first === undefined || count > 1
      ? `${count} event${count === 1 ? '' : 's'}`
      : `event ${first.type}: ${first.title}`;
  return `${what} (${state})`;
}

function noteOf(entry: Entry): string {
  if (entry.role === 'diff') return `changed ${entry.files.map((file) => file.path).join(', ')}`;
  if (entry.role === 'plan') {
    const done = entry.steps.filter((step) => step.status === 'completed').length;
    return `plan: ${done} of ${entry.steps.length} steps done`;
  }
  const described = describeEntry(entry);
  const text = described?.blocks[0]?.text.split('\n', 1)[0] ?? '';
  return [described?.heading ?? entry.role, text].filter(Boolean).join(': ');
}
