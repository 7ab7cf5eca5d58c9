/** Reading the output of a block while it grows. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BlockRecord } from '../../contract/pty-host.ts';
import { makeDir } from '../../testing/box.ts';
import { openBlockStore } from './block-store.ts';

const RUNNING: BlockRecord = {
  block_id: `blk_${'a'.repeat(32)}`,
  shell_id: `shl_${'b'.repeat(32)}`,
  seq: 1,
  cmd: 'seq 3',
  cwd: '/',
  exit_code: null,
  ts_begin: 1,
  ts_end: null,
  output_bytes: 0,
  output_lines: 0,
  alt_screen: false,
  status: 'running',
  actor: 'user',
  at: 0,
  head_bytes: 0,
  kept_bytes: 0,
};

test('[TM21] of a file that is ahead of what was told, each byte is read once', async () => {
  const dir = await makeDir('blocks');
  await mkdir(join(dir, 'blocks'));
  const store = await openBlockStore(dir);
  await writeFile(join(dir, 'blocks', `${RUNNING.block_id}.out`), 'one\ntwo\nthree\n');
  let read = '';
  let offset = 0;
  for (const output_bytes of [0, 4, 4, 8, 14]) {
    const page = await store.output({ ...RUNNING, output_bytes }, offset, 1_000, false);
    read += page.text;
    offset = page.next_offset;
    expect(offset).toBe(output_bytes);
  }
  expect(read).toBe('one\ntwo\nthree\n');
});
