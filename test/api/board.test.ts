/** The board over HTTP and WebSocket, with the built server. */
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { BoardFrame } from '../../src/contract/board.ts';
import { MAX_POST_BYTES } from '../../src/contract/board.ts';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox({ isDemo: true });
});
afterAll(() => box?.close());

const post = (message: string, more: object = {}) => box.must('boardPost', { who: 'ann', message, ...more }, 'token');

describe('posts', () => {
  test('[BD1] have numbers one after the other and are on disk when answered', async () => {
    const first = await post('one');
    const second = await post('two');
    expect(second.num).toBe(first.num + 1);
    const path = join(box.home, 'board', 'messages.jsonl');
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ num: second.num, message: 'two' });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('[BD3] are bounded, cleaned and never empty', async () => {
    const long = await box.call('boardPost', { who: 'ann', message: 'ü'.repeat(MAX_POST_BYTES / 2 + 1) }, 'token');
    expect(long).toMatchObject({ status: 413, body: { code: 'too_large' } });
    expect((await post('ü'.repeat(MAX_POST_BYTES / 2))).message).toHaveLength(MAX_POST_BYTES / 2);
    expect((await post('a\u001b[31mb\u0000\tc\r\nd')).message).toBe('a[31mb\tc\nd');
    expect((await box.must('boardPost', { who: ' a\nb ', message: 'x' }, 'token')).who).toBe('a b');
    expect((await box.call('boardPost', { who: 'ann', message: ' \u0007 ' }, 'token')).status).toBe(400);
    const stray = await box.call('boardPost', { who: 'ann', message: 'x', reply_to: 999_999 }, 'token');
    expect(stray).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('[BD4] page without a gap, by topic and text; a reply keeps the topic', async () => {
    const root = await post('begin needle', { topic: 'paging' });
    for (let at = 0; at < 6; at += 1) await post(`reply ${at}`, { reply_to: root.num });
    const forwards: number[] = [];
    for (let after = root.num - 1; ; ) {
      const page = await box.must('boardList', { after, limit: 2, topic: 'paging' }, 'token');
      forwards.push(...page.messages.map(({ num }) => num));
      if (!page.has_more) break;
      after = page.messages.at(-1)?.num ?? 0;
    }
    expect(forwards).toEqual(Array.from({ length: 7 }, (_one, at) => root.num + at));
    const newest = await box.must('boardList', { limit: 2 }, 'token');
    expect(newest.messages.map(({ num }) => num)).toEqual(forwards.slice(-2));
    const older = await box.must('boardList', { limit: 2, before: forwards[5] }, 'token');
    expect(older.messages.map(({ num }) => num)).toEqual(forwards.slice(3, 5));
    const found = await box.must('boardList', { q: 'NEEDLE' }, 'token');
    expect(found.messages.map(({ num }) => num)).toEqual([root.num]);
    const thread = await box.must('boardGet', { num: root.num }, 'token');
    expect(thread.replies.map(({ message }) => message)).toContain('reply 5');
    const { topics } = await box.must('boardTopics', {}, 'token');
    expect(topics[0]).toEqual({ topic: 'paging', messages: 7, last_num: forwards.at(-1) });
  });

  test('[BD5] that are deleted are gone, also after a restart; [BD1] their numbers are not used again', async () => {
    const gone = await post('delete me');
    await box.must('boardDelete', { num: gone.num }, 'token');
    const isGone = async () => {
      expect((await box.call('boardGet', { num: gone.num }, 'token')).status).toBe(404);
      expect((await box.call('boardDelete', { num: gone.num }, 'token')).status).toBe(404);
      expect((await box.must('boardList', { q: 'delete me' }, 'token')).messages).toEqual([]);
    };
    await isGone();
    await box.restart();
    await isGone();
    expect((await post('after')).num).toBe(gone.num + 1);
  });

  test('[BD11] are by whom the credential says', async () => {
    expect(await post('as a script')).toMatchObject({ kind: 'script', conversation_id: null, hops: 0 });
    expect(await box.must('boardPost', { who: 'me', message: 'as myself' })).toMatchObject({ kind: 'person' });
    const sly = { who: 'x', message: 'x', kind: 'conversation' };
    expect((await box.call('boardPost', sly, 'token')).status).toBe(400);
  });
});

describe('waiting', () => {
  test('[BD6] wakes within 50 ms of the message, counted from its answer', async () => {
    const { last_num } = await box.must('boardList', { limit: 1 }, 'token');
    const lags: number[] = [];
    for (let at = 0; at < 5; at += 1) {
      const topic = `wake-${last_num}-${at}`;
      const waiting = box.must('boardAwait', { after: last_num, match: { topic }, timeout_ms: 20_000 }, 'token');
      const woken = waiting.then(() => performance.now());
      await post('not this', { topic: 'other' });
      await post('this', { topic });
      const answered = performance.now();
      lags.push((await woken) - answered);
      expect((await waiting).messages).toMatchObject([{ message: 'this' }]);
    }
    // The best of five: the others tell how busy the machine is.
    expect(Math.min(...lags)).toBeLessThan(50);
  });

  test('[BD6] misses nothing between two waits, and says where to go on when its time is over', async () => {
    const topic = 'between';
    const first = await post('1', { topic });
    const one = await box.must('boardAwait', { after: first.num - 1, match: { topic } }, 'token');
    expect(one).toMatchObject({ timed_out: false, after: first.num });
    const second = await post('2', { topic });
    const two = await box.must('boardAwait', { after: one.after, match: { topic } }, 'token');
    expect(two.messages.map(({ num }) => num)).toEqual([second.num]);
    const three = await box.must('boardAwait', { after: two.after, match: { topic }, timeout_ms: 10 }, 'token');
    expect(three).toEqual({ messages: [], timed_out: true, after: two.after });
  });

  test('[BD6] ends when the caller hangs up', async () => {
    const hangUp = new AbortController();
    const waiting = fetch(`${box.url()}/api/messages/await`, {
      method: 'POST',
      signal: hangUp.signal,
      headers: { authorization: `Bearer ${box.token()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ match: { topic: 'never' }, timeout_ms: 300_000 }),
    }).catch((error: Error) => error.name);
    const held = async () => (await box.must('debugState', {})).board_waiters;
    await expect.poll(held).toBe(1);
    hangUp.abort();
    expect(await waiting).toBe('AbortError');
    await expect.poll(held).toBe(0);
  });
});

async function follow(query: string) {
  const socket = new WebSocket(`${box.url().replace('http', 'ws')}/ws${query}`, {
    headers: { authorization: `Bearer ${box.token()}` },
  });
  const frames: BoardFrame[] = [];
  socket.on('message', (data) => frames.push(JSON.parse(data.toString())));
  await new Promise((done, fail) => {
    socket.on('message', done);
    socket.on('error', fail);
  });
  return { frames, close: () => socket.close() };
}

test('[BD7] the socket tells each post once, in order, and what came since', async () => {
  const live = await follow('');
  const nums: number[] = [];
  for (let at = 0; at < 5; at += 1) nums.push((await post(`live ${at}`)).num);
  await box.must('boardDelete', { num: nums[4] ?? 0 }, 'token');
  await expect.poll(() => live.frames.length).toBe(7);
  const told = (frames: readonly BoardFrame[]) =>
    frames.flatMap((frame) => (frame.type === 'message' ? [frame.message.num] : []));
  expect(told(live.frames)).toEqual(nums);
  expect(live.frames.at(-1)).toEqual({ type: 'deleted', num: nums[4] });
  const late = await follow(`?after=${(nums[0] ?? 0) - 1}`);
  await expect.poll(() => told(late.frames)).toEqual(nums.slice(0, 4));
  const wrong = follow('?before=1');
  await expect(wrong).rejects.toThrow('400');
  live.close();
  late.close();
});

test('[BD8] marks never go back, and own posts are never unread', async () => {
  const { num } = await post('for bob to read');
  const before = await box.must('boardList', { reader: 'bob', limit: 1 }, 'token');
  expect(before.unread).toBeGreaterThan(0);
  expect(await box.must('boardMarkRead', { reader: 'bob', num }, 'token')).toEqual({ unread: 0, read_num: num });
  await box.must('boardPost', { who: 'bob', message: 'mine' }, 'token');
  expect(await box.must('boardMarkRead', { reader: 'bob', num: 1 }, 'token')).toEqual({ unread: 0, read_num: num });
  await post('news');
  await box.restart();
  expect((await box.must('boardList', { reader: 'bob', limit: 1 }, 'token')).unread).toBe(1);
});

describe('conversations', () => {
  const cards = async (id: string) => (await box.entries(id)).filter((entry) => entry.role === 'board');

  test('[BD10] show a post that mentions, addresses or answers them, once, also over a restart', async () => {
    const id = await box.create({ label: 'Fix the parser' });
    const mention = await post('@fix-the-parser look at this');
    expect(mention).toMatchObject({ for: [id], mentions: [{ label: 'Fix the parser', conversation_id: id }] });
    const direct = await post('and this', { to: 'Fix the parser' });
    await post('nobody is @meant-here');
    await expect.poll(async () => (await cards(id)).map((entry) => entry.num)).toEqual([mention.num, direct.num]);
    expect((await cards(id))[0]).toMatchObject({ who: 'ann', kind: 'script', text: '@fix-the-parser look at this' });
    await box.restart();
    const third = await post('again @fix-the-parser');
    await expect
      .poll(async () => (await cards(id)).map((entry) => entry.num))
      .toEqual([mention.num, direct.num, third.num]);
  });

  test('[BD9] a name that means nobody or several is refused', async () => {
    await box.create({ label: 'twin' });
    await box.create({ label: 'twin' });
    const both = await box.call('boardPost', { who: 'ann', message: 'x', to: 'twin' }, 'token');
    expect(both).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const none = await box.call('boardPost', { who: 'ann', message: 'x', to: 'no such' }, 'token');
    expect(none).toMatchObject({ status: 404, body: { code: 'unknown_conversation' } });
    expect(await box.must('boardPost', { who: 'bob', message: 'x', to: 'ann' }, 'token')).toMatchObject({ to: 'ann' });
  });
});

test('[BD13] plain curl is enough', async () => {
  const curl = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)('curl', [
      '-sS',
      '-H',
      `Authorization: Bearer ${box.token()}`,
      ...args,
    ]);
    return JSON.parse(stdout);
  };
  const url = `${box.url()}/api/messages`;
  const json = ['-H', 'Content-Type: application/json', '-d'];
  const { num } = await curl(url, ...json, '{"who":"cron","message":"nightly done","topic":"nightly"}');
  expect((await curl(`${url}?topic=nightly&limit=1`)).messages).toMatchObject([{ num, message: 'nightly done' }]);
  expect((await curl(`${url}/await`, ...json, `{"after":${num - 1},"timeout_ms":1000}`)).messages[0].num).toBe(num);
  expect(await curl('-X', 'DELETE', `${url}/${num}`)).toEqual({ ok: true });
});
