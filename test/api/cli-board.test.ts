/** `signalbox board …` against the built server. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

const CLI = join(import.meta.dirname, '../../dist/bin/signalbox.js');

let box: Box;
beforeAll(async () => {
  box = await openBox({ isDemo: true });
});
afterAll(() => box?.close());

async function board(args: readonly string[], input = '') {
  const child = spawn(process.execPath, [CLI, 'board', ...args, '--home', box.home]);
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([
    readText(child.stdout),
    readText(child.stderr),
    new Promise<number | null>((done) => child.once('close', done)),
  ]);
  return { stdout, stderr, code };
}

describe('[BD14] board', () => {
  test('posts and reads, from stdin too, and deletes', async () => {
    const first = await board(['post', 'hello', '--who', 'ann', '--topic', 'cli']);
    expect(first.code).toBe(0);
    const num = first.stdout.trim();
    const second = await board(['post', '-', '--who', 'bob', '--reply-to', num, '--json'], 'two\nlines\u001b[31m');
    expect(JSON.parse(second.stdout)).toMatchObject({ who: 'bob', message: 'two\nlines[31m', topic: 'cli' });
    const read = await board(['read', '--topic', 'cli']);
    expect(read.stdout).toContain(`${num}  ann`);
    expect(read.stdout).toContain('    two\n    lines');
    expect((await board(['delete', num])).code).toBe(0);
    expect((await board(['delete', num, '--json'])).code).toBe(1);
    expect(JSON.parse((await board(['read', '--json', '-q', 'hello'])).stdout).messages).toEqual([]);
  });

  test('reads what is unread, once', async () => {
    await board(['post', 'new for carl', '--who', 'ann']);
    const first = JSON.parse((await board(['read', '--unread', '--reader', 'carl', '--json', '-n', '100'])).stdout);
    expect(first.messages.at(-1).message).toBe('new for carl');
    const again = JSON.parse((await board(['read', '--unread', '--reader', 'carl', '--json'])).stdout);
    expect(again.messages).toEqual([]);
  });

  test('waits, and says with its exit code whether something came', async () => {
    const waiting = board(['await', '--topic', 'later', '--after', '0', '--timeout', '60', '--json']);
    await board(['post', 'here it is', '--topic', 'later', '--who', 'ann']);
    const { stdout, code } = await waiting;
    expect(code).toBe(0);
    expect(JSON.parse(stdout).messages).toMatchObject([{ message: 'here it is' }]);
    const nothing = await board(['await', '--text', 'never said', '--timeout', '0']);
    expect(nothing).toMatchObject({ code: 1, stdout: '' });
  });

  test.each([
    [['post', 'x', '--to', 'nobody at all'], 5],
    [['post', 'x', '--reply-to', 'zero'], 2],
    [['post', ''], 2],
    [['read', '-n', '0'], 2],
    [['delete', '1.5'], 2],
    [['post'], 2],
    [['unheard-of'], 2],
  ])('%j exits with %i', async (args, code) => {
    expect((await board(args)).code).toBe(code);
  });

  test('without a server exits with 3', async () => {
    const child = spawn(process.execPath, [CLI, 'board', 'read', '--home', join(box.dir, 'empty')]);
    expect(await new Promise((done) => child.once('close', done))).toBe(3);
  });
});
