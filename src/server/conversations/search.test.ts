/** A search that does not fit in one answer: where it stops, that it goes on rightly, and that others get their turn. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConversationMeta } from '../../contract/conversation.ts';
import type { Hit } from '../../contract/routes-search.ts';
import { type LogReader, openLogReader } from '../../node/read-log.ts';
import { sampleMeta } from '../../testing/samples.ts';
import { createSearch, type Search } from './search.ts';

const ENTRIES = 3_000;
const FILLER = 'lorem ipsum '.repeat(40);
const IDS = ['a', 'b', 'c'].map((letter) => `conv_${letter.repeat(32)}`);

let dir: string;
const readers = new Map<string, LogReader>();
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'signalbox-search-'));
  for (const id of IDS) {
    const lines = Array.from({ length: ENTRIES }, (_none, at) =>
      JSON.stringify({ seq: at + 1, ts: 'x', role: 'note', kind: 'api', text: at % 250 === 0 ? 'a Heron' : FILLER }),
    );
    const path = join(dir, `${id}.jsonl`);
    await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o600 });
    readers.set(id, await openLogReader({ path }));
  }
});
afterAll(async () => {
  for (const reader of readers.values()) await reader.close();
  await rm(dir, { recursive: true, force: true });
});

const metaOf = (id: string, at: number): ConversationMeta =>
  sampleMeta({ conversation_id: id, updated_at: `2026-01-0${at + 1}T00:00:00.000Z` });

/** `msPerLook`: how much time seems to go by between two looks at the clock. */
function open(msPerLook: number, metas = IDS.map(metaOf)) {
  let now = 0;
  const state = { lent: 0, slices: 0, metas };
  const search = createSearch({
    metas: () => state.metas,
    now: () => {
      now += msPerLook;
      return now;
    },
    async borrow(id, log) {
      if (log === 'history') return null;
      const reader = readers.get(id);
      if (reader === undefined) return null;
      state.lent += 1;
      const read: typeof reader.read = (query) => {
        state.slices += 1;
        return reader.read(query);
      };
      return {
        reader: { ...reader, read },
        async release() {
          state.lent -= 1;
        },
      };
    },
  });
  return { search, state };
}

async function findAll(search: Search, limit: number, conversationId?: string, onPage?: () => void) {
  const hits: Hit[] = [];
  let answers = 0;
  for (let before: string | undefined; ; ) {
    const page = await search.find({ q: 'heron', conversationId, before, limit });
    if (!page.ok) throw new Error(page.error.message);
    answers += 1;
    hits.push(...page.value.hits);
    if (page.value.next_before === null) return { hits, answers };
    expect(page.value.is_complete).toBe(false);
    before = page.value.next_before;
    onPage?.();
  }
}

const EACH = ENTRIES / 250;
const placesOf = (hits: readonly Hit[]) => hits.map(({ conversation_id, seq }) => `${conversation_id} ${seq}`);

describe('a long search', () => {
  test('[SR6] ends early when its time is over, and goes on without a gap', async () => {
    const whole = await findAll(open(0).search, 200);
    expect(whole).toMatchObject({ answers: 1 });
    expect(whole.hits).toHaveLength(EACH * IDS.length);
    expect(whole.hits[0]?.conversation_id).toBe(IDS.at(-1));
    for (const [msPerLook, limit] of [
      [300, 200],
      [100, 5],
      [0, 1],
    ] as const) {
      const { search, state } = open(msPerLook);
      const parts = await findAll(search, limit);
      expect(placesOf(parts.hits)).toEqual(placesOf(whole.hits));
      expect(parts.answers).toBeGreaterThan(1);
      expect(state.lent).toBe(0);
    }
  });

  test('[SR6] leaves the loop free between slices', async () => {
    const { search, state } = open(0);
    let turns = 0;
    let isOver = false;
    const tick = () => {
      turns += 1;
      if (!isOver) setImmediate(tick);
    };
    setImmediate(tick);
    await findAll(search, 200);
    isOver = true;
    expect(state.slices).toBeGreaterThanOrEqual(3 * IDS.length);
    expect(turns).toBeGreaterThanOrEqual(state.slices);
  });

  test('[SR3] a conversation that is used meanwhile neither hides nor doubles the rest', async () => {
    const { search, state } = open(0);
    let isMoved = false;
    const { hits } = await findAll(search, 7, undefined, () => {
      if (isMoved) return;
      isMoved = true;
      // The one searched now, and the last one, become the newest.
      state.metas = state.metas.map((meta, at) =>
        at === 1 ? meta : { ...meta, updated_at: `2026-02-0${at + 1}T00:00:00.000Z` },
      );
    });
    const places = placesOf(hits);
    expect(new Set(places).size).toBe(places.length);
    expect(hits.filter(({ conversation_id }) => conversation_id !== IDS[0])).toHaveLength(EACH * 2);
  });
});
