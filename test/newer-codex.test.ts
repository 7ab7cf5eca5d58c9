/**
 * A Codex that is newer than the pinned one: recordings with fields, enum values, item types, methods and requests that nobody here knows.
 * Nothing of it may throw, lose what is still known, or leave a request without a card or an answer.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CODEX_VERSION } from '../src/contract/generated/codex-methods.ts';
import { isRecord } from '../src/core/text/is-record.ts';
import { readRecording, replay, scenarios, type Wire } from './recording.ts';

const RECORDINGS = scenarios()
  .filter((name) => !name.startsWith('0.80.0/'))
  .map((name) => readRecording(name));
const RUNS = 150;

type Json = Readonly<Record<string, unknown>>;
/** A change of one message of Codex; `dice` decides where in the message. */
type Mutation = (msg: Json, dice: number) => Json;

/** Every object of a message, the outermost first, with its path. */
function places(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (Array.isArray(value)) return value.flatMap((one, at) => places(one, [...path, String(at)]));
  if (!isRecord(value)) return [];
  return [path, ...Object.entries(value).flatMap(([key, one]) => places(one, [...path, key]))];
}

function editAt(value: unknown, path: readonly string[], edit: (found: Json) => Json): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return isRecord(value) ? edit(value) : value;
  if (Array.isArray(value)) return value.map((one, at) => (String(at) === key ? editAt(one, rest, edit) : one));
  return isRecord(value) ? { ...value, [key]: editAt(value[key], rest, edit) } : value;
}

function pick<T>(all: readonly T[], dice: number): T | undefined {
  return all[dice % Math.max(1, all.length)];
}
const inParams = (msg: Json, dice: number, edit: (found: Json) => Json): Json => {
  const path = pick(places(msg.params), dice);
  return path === undefined ? msg : { ...msg, params: editAt(msg.params, path, edit) };
};

/** Words of Codex's own that say what a thing is; a newer Codex has more of them. */
const ENUMS = ['type', 'status', 'kind', 'source', 'phase', 'codexErrorInfo'];

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'a field that nobody knows': (msg, dice) =>
    inParams(msg, dice, (found) => ({ ...found, [`future${dice % 7}`]: { deep: [dice, null, 'x'] } })),
  'an enum value that nobody knows': (msg, dice) =>
    inParams(msg, dice, (found) => {
      const key = ENUMS.find((name) => typeof found[name] === 'string');
      return key === undefined ? found : { ...found, [key]: `future_${dice % 5}` };
    }),
  'an optional part that is null': (msg, dice) =>
    inParams(msg, dice, (found) => {
      const key = pick(
        Object.keys(found).filter((name) => !/[iI]d$/.test(name)),
        dice,
      );
      return key === undefined ? found : { ...found, [key]: null };
    }),
  'a field that is gone': (msg, dice) =>
    inParams(msg, dice, (found) => {
      const key = pick(
        Object.keys(found).filter((name) => !/[iI]d$/.test(name)),
        dice,
      );
      return Object.fromEntries(Object.entries(found).filter(([name]) => name !== key));
    }),
  'a field of another form': (msg, dice) =>
    inParams(msg, dice, (found) => {
      const key = pick(Object.keys(found), dice);
      return key === undefined ? found : { ...found, [key]: pick([[], {}, 7, 'text', true, [[]]], dice) };
    }),
  'a method that nobody knows': (msg, dice) =>
    typeof msg.method === 'string' && msg.id === undefined
      ? { ...msg, method: `${msg.method}/future${dice % 3}` }
      : msg,
  'a request that nobody knows': (msg, dice) =>
    typeof msg.method === 'string' && msg.id !== undefined
      ? { ...msg, method: `${msg.method}/future${dice % 3}` }
      : msg,
  'an item type that nobody knows': (msg, dice) =>
    isRecord(msg.params) && isRecord(msg.params.item)
      ? { ...msg, params: { ...msg.params, item: { ...msg.params.item, type: `future${dice % 5}` } } }
      : msg,
  'a word in place of an object, and the other way round': (msg, dice) =>
    inParams(msg, dice, (found) => {
      const key = pick(Object.keys(found), dice);
      if (key === undefined) return found;
      const value = found[key];
      return { ...found, [key]: isRecord(value) ? 'future' : { type: 'future', was: value } };
    }),
};

const step = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom(...Object.keys(MUTATIONS)),
  dice: fc.nat(),
});

function mutate(wires: readonly Wire[], steps: readonly { at: number; kind: string; dice: number }[]): Wire[] {
  const out = [...wires];
  const heard = out.flatMap((one, at) => (one.dir === 's2c' && one.msg.method !== undefined ? [at] : []));
  for (const { at, kind, dice } of steps) {
    const index = pick(heard, at) ?? 0;
    const wire = out[index];
    const change = MUTATIONS[kind];
    if (wire !== undefined && change !== undefined) out[index] = { ...wire, msg: change(wire.msg, dice) };
  }
  return out;
}

/** Requests of Codex that became a card, were answered by themselves, or belong to a thread that is opened for them. */
function requestsMet(wires: readonly Wire[]): number {
  const { runs, elsewhere } = replay(wires);
  const stray = elsewhere.filter((signal) => signal.type === 'request');
  return [...runs.values()].flatMap((run) => [...run.asks, ...run.replies]).length + stray.length;
}

test('[CX33] recordings with what a newer Codex might say: nothing throws, and every request has a card or an answer', () => {
  fc.assert(
    fc.property(fc.nat(), fc.array(step, { minLength: 1, maxLength: 30 }), (which, steps) => {
      const recording = pick(RECORDINGS, which) ?? [];
      const wires = mutate(recording, steps);
      // A recording has several clients, and repeats what is still open: the same number of requests is met as without the changes.
      expect(requestsMet(wires)).toBeGreaterThanOrEqual(requestsMet(recording));
    }),
    { numRuns: RUNS },
  );
});

/** The newest recordings, which are of the pinned Codex. */
const PINNED = scenarios().filter((name) => name.startsWith(`${CODEX_VERSION}/`));
/** Items that Codex sends to say what we said, or whose words go to a place of their own. */
const OWN_WORDS = new Set(['userMessage']);

test('recordings of the pinned Codex are there', () => {
  expect(PINNED.length).toBeGreaterThanOrEqual(10);
});

test.each(PINNED)('[CX61] %s with every item type renamed: each item is a card with all it says', (name) => {
  const wires = readRecording(name);
  const types = new Set(wires.flatMap(({ msg }) => itemTypeOf(msg) ?? []).filter((type) => !OWN_WORDS.has(type)));
  for (const type of types) {
    const renamed = wires.map((wire) =>
      itemTypeOf(wire.msg) === type ? { ...wire, msg: renameItem(wire.msg) } : wire,
    );
    const items = renamed.flatMap(({ msg }): Json[] => {
      const item = itemOf(msg);
      return msg.method === 'item/completed' && item !== undefined ? [item] : [];
    });
    const entries = [...replay(renamed).runs.values()].flatMap((run) => run.entries);
    for (const item of items.filter((one) => one.type === FUTURE)) {
      const card = entries.find((entry) => entry.role === 'tool' && entry.item_id === item.id);
      expect(card, `${name}: ${type} ${item.id}`).toMatchObject({ kind: 'unknown' });
      const shown = stringsOf(card).join('\n');
      for (const word of stringsOf(item)) expect(shown).toContain(JSON.stringify(word).slice(1, -1));
    }
  }
});

test.each(PINNED)('[CX61] %s with every request renamed: each is a card that can be answered', (name) => {
  const wires = readRecording(name);
  const isRequest = ({ dir, msg }: Wire) => dir === 's2c' && msg.method !== undefined && msg.id !== undefined;
  const renamed = wires.map((wire) =>
    isRequest(wire) ? { ...wire, msg: { ...wire.msg, method: `${wire.msg.method}/future` } } : wire,
  );
  const asks = [...replay(renamed).runs.values()].flatMap((run) => run.asks);
  expect(asks).toHaveLength(wires.filter(isRequest).length);
  for (const { ask, decisions } of asks) {
    expect(ask.kind).toBe('unknown');
    expect(decisions.length).toBeGreaterThan(1);
  }
});

test.each(PINNED)('[CX61] %s changed at random: nothing throws, and every request has a card or an answer', (name) => {
  const wires = readRecording(name);
  const met = requestsMet(wires);
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
      expect(requestsMet(mutate(wires, steps))).toBeGreaterThanOrEqual(met);
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 60) },
  );
});

const FUTURE = 'futureThing';

/** Every text in a value; a text that is JSON itself counts as it is. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsOf);
  return isRecord(value) ? Object.values(value).flatMap(stringsOf) : [];
}

function itemOf(msg: Json): Json | undefined {
  return isRecord(msg.params) && isRecord(msg.params.item) ? msg.params.item : undefined;
}

function itemTypeOf(msg: Json): string | undefined {
  const type = itemOf(msg)?.type;
  return typeof type === 'string' ? type : undefined;
}

const renameItem = (msg: Json): Json => ({
  ...msg,
  params: { ...(isRecord(msg.params) ? msg.params : {}), item: { ...itemOf(msg), type: FUTURE } },
});

test('[CX33] an item of an unknown type is a generic card, live and as an entry', () => {
  const item = { type: 'futureThing', id: 'i1', title: 'zwölfeckig', nested: { a: 1 } };
  const at = { threadId: 't1', turnId: 'u1' };
  const wires: Wire[] = [
    { method: 'thread/started', params: { thread: { id: 't1', cwd: '/p' } } },
    { method: 'turn/started', params: { threadId: 't1', turn: { id: 'u1', items: [], status: 'inProgress' } } },
    { method: 'item/started', params: { ...at, item } },
    { method: 'item/completed', params: { ...at, item } },
    { method: 'turn/completed', params: { threadId: 't1', turn: { id: 'u1', items: [], status: 'future' } } },
  ].map((msg) => ({ client: 'only', dir: 's2c', msg }));
  const [run] = [...replay(wires).runs.values()];
  expect(JSON.stringify(run?.entries.find((entry) => entry.role === 'tool'))).toContain('zwölfeckig');
  expect(run?.entries.at(-1)).toMatchObject({ role: 'status' });
});

test('[CX33] a request of an unknown method opens a card that can be answered', () => {
  const wires: Wire[] = [
    { method: 'thread/started', params: { thread: { id: 't1', cwd: '/p' } } },
    { id: 9, method: 'item/future/requestApproval', params: { threadId: 't1', turnId: 'u1', why: 'zwölfeckig' } },
  ].map((msg) => ({ client: 'only', dir: 's2c', msg }));
  const [run] = [...replay(wires).runs.values()];
  expect(run?.asks).toHaveLength(1);
  expect(JSON.stringify(run?.asks[0])).toContain('zwölfeckig');
});
