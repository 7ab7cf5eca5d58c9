/** The server killed again and again in mid-turn: an independent checker compares what clients were told with what is on disk. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { ServerFrame } from '../../src/contract/ui-event.ts';
import { type Box, openBox } from '../../src/testing/box.ts';

const KILLS = 6;
let box: Box;
afterEach(() => box.close());

/** Seeded, so that a failure can be repeated: the seed is in the test's name. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const SEED = Number(process.env.KILL_SEED ?? 20_261_116);

test(`[FT1] ${KILLS} kills at random moments lose, double and reorder nothing (KILL_SEED=${SEED})`, {
  timeout: 90_000,
}, async () => {
  box = await openBox();
  const random = randomFrom(SEED);
  const id = await box.create({ approval: 'never' });
  const told = new Map<number, unknown>();
  let sent = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    box.model.push(
      {
        events: [
          { say: 'one two three four five six', chunk: 3, delayMs: 2 },
          { call: 'exec_command', args: { cmd: 'echo ran', login: false } },
        ],
      },
      { events: [{ say: 'and the rest of it', chunk: 3, delayMs: 2 }] },
    );
    const watcher = await box.watch(id);
    sent += 1;
    await box.must('sendMessage', { conversation_id: id, text: `message ${sent}`, client_message_id: `m${sent}` });
    const heard = watcher.frames.length + Math.floor(random() * 30);
    await watcher.until(() => watcher.frames.length >= heard || ended(watcher.frames), 'the moment to kill');
    await box.kill('SIGKILL');
    for (const frame of watcher.frames) if ('seq' in frame && 'entry' in frame) told.set(frame.seq, frame.entry);
    await box.restart();
    const again = await box.watch(id);
    await again.until(
      () => again.view().entries.filter((entry) => entry.role === 'status').length === sent,
      'the end of the turn',
    );
  }
  const lines = (await readFile(join(box.home, 'conversations', id, 'transcript.jsonl'), 'utf8')).trimEnd().split('\n');
  const stored = lines.flatMap((line) => (line.endsWith('}') ? [JSON.parse(line)] : []));
  expect(stored.map((entry) => entry.seq)).toEqual(stored.map((_entry, at) => at + 1));
  for (const [seq, entry] of told) expect(stored[seq - 1]).toEqual(entry);
  const users = stored.flatMap((entry) => (entry.role === 'user' ? [entry.client_message_id] : []));
  expect(users).toEqual(Array.from({ length: sent }, (_one, at) => `m${at + 1}`));
  expect(stored.filter((entry) => entry.role === 'status')).toHaveLength(sent);
  const items = stored.flatMap((entry) => (entry.item_id === undefined ? [] : [`${entry.turn_id}/${entry.item_id}`]));
  expect(new Set(items).size).toBe(items.length);
  expect(stored.filter((entry) => entry.role === 'command')).toHaveLength(sent);
});

function ended(frames: readonly ServerFrame[]): boolean {
  return frames.some(
    (frame) => frame.type === 'status' || (frame.type === 'sync' && frame.entries.at(-1)?.role === 'status'),
  );
}
