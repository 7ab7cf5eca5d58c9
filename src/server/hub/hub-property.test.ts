/** Whatever is published, cut and joined in whatever order: every client ends with what a fresh one would see. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entry, NewEntry } from '../../contract/entry.ts';
import type { ServerFrame } from '../../contract/ui-event.ts';
import { EMPTY_LIVE, type LiveState, reduceLive } from '../../core/conversations/live.ts';
import { CONVERSATION, createHeardClient, createHubStand, type HubStand, settle } from '../../testing/hub-stand.ts';
import type { HubConnection } from './hub.ts';
import type { ConversationSource } from './sync.ts';

/** 300 take a quarter of a second. */
const RUNS = Number(process.env.SIGNALBOX_PROPERTY_RUNS ?? 300);

/** A planted fault is found within some hundred runs; the first that finds it is the last. */
const PLANTED_RUNS = 10 * RUNS;

type Action =
  | { readonly do: 'delta'; readonly item: number; readonly text: string }
  | { readonly do: 'item' | 'finish' | 'discard'; readonly item: number }
  | { readonly do: 'append' | 'activity' | 'settle' | 'hold reads' | 'release reads' }
  | { readonly do: 'hold publishing' | 'publish one' | 'release publishing' }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'release one read' | 'publish again'; readonly at: number }
  | { readonly do: 'join' | 'join twice' | 'cut' | 'lose' | 'unsubscribe'; readonly client: number };

const item = fc.integer({ min: 0, max: 2 });
const client = fc.integer({ min: 0, max: 2 });
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('delta'), item, text: fc.string({ minLength: 1, maxLength: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('item', 'finish', 'discard'), item }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('append') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('activity', 'settle') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('hold reads', 'release reads') }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('hold publishing', 'publish one', 'release publishing') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('release one read', 'publish again'), at: fc.nat({ max: 5 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), ms: fc.integer({ min: 1, max: 6 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom('join', 'join', 'join twice', 'cut', 'lose', 'unsubscribe'), client }),
  },
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
    const { entries, live, approvals, running = [], holder = null, status } = frame;
    // A snapshot reaches exactly to its number, and a replay begins behind what the client has.
    if (frame.verdict === 'replay') expect(entries.length).toBe(frame.seq - (view.seq ?? 0));
    expect(entries.at(-1)?.seq ?? frame.seq).toBe(frame.seq);
    view.entries = frame.verdict === 'reset' ? [...entries] : [...view.entries, ...entries];
    view.live = { items: live, approvals, activity: status.activity, usage: status.usage, running, holder };
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
    case 'release one read':
      await stand.gate.releaseOne(one.at);
      break;
    case 'hold publishing':
      stand.publishing.hold();
      break;
    case 'publish one':
      stand.publishing.one();
      break;
    case 'release publishing':
      stand.publishing.release();
      break;
    case 'publish again':
      stand.publishAgain(one.at);
      break;
    case 'join':
      if (tab !== undefined) joinTab(stand, tab);
      break;
    case 'join twice':
      // The second comes when the first has been answered, and before anything else happens.
      if (tab !== undefined) {
        joinTab(stand, tab);
        for (let turn = 0; turn < 20 && tab.connection !== null && !isAnswered(tab); turn += 1) await Promise.resolve();
        joinTab(stand, tab);
      }
      break;
    case 'lose':
      // What was on its way is never read: the client comes back with the number it had before.
      if (tab !== undefined) tab.read();
      if (tab !== undefined) cutTab(tab);
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

function isAnswered(tab: Tab): boolean {
  catchUp(tab);
  return tab.view.isSynchronized;
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

async function follow(stand: HubStand, actions: readonly Action[]): Promise<void> {
  const teller = createTeller(stand);
  const tabs: Tab[] = [0, 1, 2].map(() => ({ view: emptyView(), read: () => [], connection: null }));
  for (const one of actions) {
    teller.tell(one);
    await perform(stand, tabs, one);
  }
  stand.publishing.release();
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
}

const ACTIONS = fc.array(action, { minLength: 5, maxLength: 120 });

test('[HB5] nothing is lost, doubled or reordered, wherever the reads, the cuts and the publishing meet', async () => {
  await fc.assert(
    fc.asyncProperty(ACTIONS, (actions) => follow(createHubStand(), actions)),
    { numRuns: RUNS },
  );
});

type Spoil = (source: ConversationSource, log: readonly Entry[]) => ConversationSource;
const lines = (entries: readonly Entry[]) => entries.map((entry) => JSON.stringify(entry));

/** Each is a mistake that a transcript could make; the property must not hold with it. */
const FAULTS: Readonly<Record<string, Spoil>> = {
  'a replay that reads to the end of the file': (source, log) => ({
    ...source,
    entriesAfter: async (id, after, upTo) => {
      await source.entriesAfter(id, after, upTo);
      return lines(log.filter(({ seq }) => seq > after));
    },
  }),
  'a page that reads to the end of the file': (source, log) => ({
    ...source,
    lastEntries: async (id, upTo, limit) => ({
      ...(await source.lastEntries(id, upTo, limit)),
      lines: lines(log.slice(-limit)),
    }),
  }),
  'a replay without its last entry': (source) => ({
    ...source,
    entriesAfter: async (id, after, upTo) => (await source.entriesAfter(id, after, upTo)).slice(0, -1),
  }),
};

test.each(Object.entries(FAULTS))('[HB30] the property finds a planted fault: %s', async (_name, spoil) => {
  const property = fc.asyncProperty(ACTIONS, (actions) => follow(createHubStand({}, spoil), actions));
  expect((await fc.check(property, { numRuns: PLANTED_RUNS, endOnFailure: true })).failed).toBe(true);
});
