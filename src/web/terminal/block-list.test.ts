/** The list of commands. */
import { expect, test } from 'vitest';
import type { Block } from '../../contract/terminal.ts';
import { searchBlocks, stepBlock, toneOf, withBlock, withBlocks } from './block-list.ts';

const block = (seq: number, over: Partial<Block> = {}): Block => ({
  block_id: `blk_${String(seq).padStart(32, '0')}`,
  seq,
  cmd: `cmd ${seq}`,
  cwd: '/work',
  exit_code: 0,
  ts_begin: 0,
  ts_end: 10,
  output_bytes: 0,
  output_lines: 0,
  alt_screen: false,
  status: 'completed',
  actor: 'user',
  ...over,
});
const running = { status: 'running', exit_code: null, ts_end: null } as const;
const seqs = (list: readonly Block[]) => list.map((one) => one.seq);

test('sorted by number, each once, whatever the order they are told in', () => {
  expect(seqs(withBlocks([], [block(3), block(1), block(2), block(3)]))).toEqual([1, 2, 3]);
});

test('a block that ended does not run again', () => {
  const list = withBlocks([], [block(1, running), block(1, { exit_code: 2 })]);
  expect(list).toMatchObject([{ status: 'completed', exit_code: 2 }]);
  expect(withBlock(list, block(1, running))).toBe(list);
  expect(withBlocks([], [block(1, running), block(1, { ...running, output_bytes: 9 })])).toMatchObject([
    { output_bytes: 9 },
  ]);
});

test('steps over blocks that are not on the screen', () => {
  const list = [block(1), block(2), block(3)];
  const isThere = (id: string) => id !== block(2).block_id;
  expect(stepBlock(list, null, -1, isThere)?.seq).toBe(3);
  expect(stepBlock(list, null, 1, isThere)?.seq).toBe(1);
  expect(stepBlock(list, block(3).block_id, -1, isThere)?.seq).toBe(1);
  expect(stepBlock(list, block(1).block_id, -1, isThere)).toBeNull();
});

test('found by all words, newest first', () => {
  const list = [block(1, { cmd: 'npm test' }), block(2, { cmd: 'npm run build' }), block(3, { cwd: '/npm' })];
  expect(seqs(searchBlocks(list, 'NPM'))).toEqual([3, 2, 1]);
  expect(seqs(searchBlocks(list, 'npm test'))).toEqual([1]);
  expect(seqs(searchBlocks(list, ''))).toEqual([3, 2, 1]);
});

test('its tone', () => {
  expect(toneOf(block(1))).toBe('good');
  expect(toneOf(block(1, { exit_code: 1 }))).toBe('bad');
  expect(toneOf(block(1, running))).toBe('running');
  expect(toneOf(block(1, { status: 'lost', exit_code: null }))).toBe('plain');
});
