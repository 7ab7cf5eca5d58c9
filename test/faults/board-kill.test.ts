/** The board under kill -9: what was answered is there, what was repeated is there once. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

const POSTS = 1_000;
const KILLS = 4;

let box: Box;
beforeAll(async () => {
  box = await openBox({ isDemo: true });
});
afterAll(() => box?.close());

test('[BD2] two writers and a server that is killed between: two thousand numbers, dense, none lost', async () => {
  const answered = new Map<string, number>();
  let up = Promise.resolve();
  const write = async (who: string) => {
    for (let at = 0; at < POSTS; at += 1) {
      const id = `${who}-${at}`;
      for (;;) {
        await up;
        const post = { who, message: `post ${at}`, client_message_id: id };
        const answer = await box.call('boardPost', post, 'token').catch(() => null);
        if (answer?.ok !== true) continue;
        answered.set(id, answer.body.num);
        break;
      }
    }
  };
  const killAt = async (count: number) => {
    await expect.poll(() => answered.size, { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(count);
    up = box.restart();
    await up;
  };
  const kills = async () => {
    for (let at = 1; at <= KILLS; at += 1) await killAt((at * 2 * POSTS) / (KILLS + 1));
  };
  await Promise.all([write('ann'), write('bob'), kills()]);
  const path = join(box.home, 'board', 'messages.jsonl');
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const stored = lines.flatMap((line) => (line.endsWith('}') ? [JSON.parse(line)] : []));
  expect(stored.map(({ num }) => num)).toEqual(Array.from({ length: 2 * POSTS }, (_one, at) => at + 1));
  expect(new Set(stored.map((one) => one.client_message_id)).size).toBe(2 * POSTS);
  for (const { num, client_message_id } of stored) expect(answered.get(client_message_id)).toBe(num);
}, 180_000);
