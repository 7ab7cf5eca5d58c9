/** Whatever is published, cut and joined in whatever order: every client ends with what a fresh one would see. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entry, NewEntry } from '../../contract/entry.ts';
import type { ServerFrame } from '../../contract/ui-event.ts';
import { EMPTY_LIVE, type LiveState, reduceLive } from '../../core/conversations/live.ts';
import { CONVERSATION, createHeardClient, createHubStand, type HubStand, settle } from '../../testing/hub-stand.ts';
import type { HubConnection } from './hub.ts';

/** 300 take a quarter of a second. */
const RUNS = Number(process.env.SIGNALBOX_PROPERTY_RUNS ?? 300);

type Action =
  | { readonly do: 'delta'; readonly item: number; readonly text: string }
  | { readonly do: 'item' | 'finish' | 'discard'; readonly item: number }
  | { readonly do: 'append' | 'activity' | 'settle' | 'hold reads' | 'release reads' }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'join' | 'cut' | 'unsubscribe'; readonly client: number };

const item = fc.integer({ min: 0, max: 2 });
const client = fc.integer({ min: 0, max: 2 });
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('delta'), item, text: fc.string({ minLength: 1, maxLength: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('item', 'finish', 'discard'), item }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('append', 'activity', 'settle') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('hold reads', 'release reads') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), ms: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('join', 'cut', 'unsubscribe'), client }) },
);

/** What a page keeps: entries, what is live, and its cursor across cuts. */
interface View {
  entries: Entry[];
  live: LiveState;
  seq: number | null;
  isSynchronized: boolean;
}

interface Tab {
  readonly view: View;
  read: () => ServerFrame[];
  connection: HubConnection | null;
}

function fold(view: View, frame: ServerFrame): void {
  if (frame.type === 'sync') {
    const { entries, live, approvals, status } = frame;
    view.entries = frame.verdict === 'reset' ? [...entries] : [...view.entries, ...entries];
    view.live = { items: live, approvals, activity: status.activity, usage: status.usage };
    view.seq = frame.seq;
  } else if (frame.type === 'synchronized') {
    expect(frame.seq).toBe(view.seq);
    view.isSynchronized = true;
  } else if ('entry' in frame) {
    expect(frame.seq).toBe((view.seq ?? 0) + 1);
    view.entries.push(frame.entry);
    view.seq = frame.seq;
    view.live = reduceLive(view.live, frame);
  } else if ('after' in frame) {
    if ('delta' in frame) {
      const known = view.live.items.find(({ item_id }) => item_id === frame.item_id);
      if (known !== undefined) expect(frame.offset).toBe(known.text_start + known.text.length);
    }
    expect(frame.after).toBe(view.seq);
    view.live = reduceLive(view.live, frame);
  }
}

/** The conversation as its session would tell it. */
function createTeller(stand: HubStand) {
  const lengths = new Map<number, number>();
  let generation = 0;
  const names = new Map<number, string>();
  const nameOf = (at: number) => {
    const name = names.get(at) ?? `item-${generation++}`;
    names.set(at, name);
    return name;
  };
  const forget = (at: number) => {
    names.delete(at);
    lengths.delete(at);
  };
  const note: NewEntry = { role: 'note', kind: 'api', text: 'a note' };
  return {
    tell(one: Action): void {
      switch (one.do) {
        case 'delta': {
          const offset = lengths.get(one.item) ?? 0;
          lengths.set(one.item, offset + one.text.length);
          const name = { item_id: nameOf(one.item), turn_id: 't1' };
          stand.live({ type: 'assistant_delta', ...name, offset, delta: one.text });
          break;
        }
        case 'item': {
          if (names.has(one.item)) break;
          const start = { text: '', text_start: 0, started_at_ms: 1 };
          stand.live({ type: 'item', item: { role: 'assistant', item_id: nameOf(one.item), turn_id: 't1', ...start } });
          break;
        }
        case 'finish': {
          stand.append({ role: 'assistant', text: 'x', status: 'completed', item_id: nameOf(one.item), turn_id: 't1' });
          forget(one.item);
          break;
        }
        case 'discard':
          stand.live({ type: 'discard', item_id: nameOf(one.item), turn_id: 't1' });
          forget(one.item);
          break;
        case 'append':
          stand.append(note);
          break;
        case 'activity': {
          const activity = { state: 'running', text: `${stand.log.length}`, turn_id: 't1', lamp: 'off' } as const;
          stand.live({ type: 'activity', activity });
          break;
        }
        default:
      }
    },
  };
}

async function perform(stand: HubStand, tabs: readonly Tab[], one: Action): Promise<void> {
  const tab = 'client' in one ? tabs[one.client] : undefined;
  switch (one.do) {
    case 'wait':
      stand.clock.advance(one.ms);
      break;
    case 'settle':
      await settle();
      break;
    case 'hold reads':
      stand.gate.close();
      break;
    case 'release reads':
      await stand.gate.release();
      break;
    case 'join':
      if (tab !== undefined) joinTab(stand, tab);
      break;
    case 'cut':
      if (tab !== undefined) cutTab(tab);
      break;
    case 'unsubscribe':
      catchUp(tab);
      if (tab !== undefined) tab.view.isSynchronized = false;
      tab?.connection?.receive({ type: 'unsubscribe', conversation_id: CONVERSATION });
      break;
    default:
  }
}

function joinTab(stand: HubStand, tab: Tab): void {
  if (tab.connection === null) {
    const heard = createHeardClient();
    tab.connection = stand.hub.connect(heard, { kind: 'session', id: 's' });
    let read = 0;
    tab.read = () => {
      const fresh = heard.heard().slice(read);
      read += fresh.length;
      return fresh;
    };
  }
  catchUp(tab);
  const after = tab.view.seq === null ? {} : { after: tab.view.seq };
  tab.view.isSynchronized = false;
  tab.connection.receive({ type: 'subscribe', conversation_id: CONVERSATION, ...after });
}

function cutTab(tab: Tab): void {
  catchUp(tab);
  tab.connection?.disconnect();
  tab.connection = null;
  tab.read = () => [];
}

function catchUp(tab: Tab | undefined): void {
  for (const frame of tab?.read() ?? []) fold(tab?.view ?? emptyView(), frame);
}

function emptyView(): View {
  return { entries: [], live: EMPTY_LIVE, seq: null, isSynchronized: false };
}

test('[HB5] nothing is lost, doubled or reordered, wherever the reads, the cuts and the publishing meet', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 120 }), async (actions) => {
      const stand = createHubStand();
      const teller = createTeller(stand);
      const tabs: Tab[] = [0, 1, 2].map(() => ({ view: emptyView(), read: () => [], connection: null }));
      for (const one of actions) {
        teller.tell(one);
        await perform(stand, tabs, one);
      }
      for (const tab of tabs) joinTab(stand, tab);
      for (let round = 0; round < 5; round += 1) await stand.gate.release();
      stand.clock.advance(10);

      const control = stand.published.reduce(reduceLive, EMPTY_LIVE);
      for (const tab of tabs) {
        catchUp(tab);
        expect(tab.view.isSynchronized).toBe(true);
        expect(tab.view.live).toEqual(control);
        expect(tab.view.entries).toEqual(stand.log.slice(-tab.view.entries.length || stand.log.length));
        expect(tab.view.entries.length).toBeGreaterThanOrEqual(Math.min(50, stand.log.length));
      }
    }),
    { numRuns: RUNS },
  );
});
