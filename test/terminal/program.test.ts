/** Programs of Framework Shells in the pty host, without a server. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openProgram } from '../../src/ptyhost/program.ts';
import { makeDir } from '../../src/testing/box.ts';

const PATH = process.env.PATH ?? '';

function runOnce(command: string, log: string): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((done) => {
    openProgram(
      { do: 'run', key: 'it', command: ['sh', '-c', command], cwd: '/', env: { PATH }, log, cols: 80, rows: 24 },
      (code, signal) => done({ code, signal }),
    );
  });
}

test('[SH25] programs that print 108 KB and exit at once lose nothing; each start appends to the log', async () => {
  const log = join(await makeDir('program'), 'it.log');
  const once = Array.from({ length: 20_000 }, (_none, index) => `${index + 1}\r\n`).join('');
  for (let round = 1; round <= 20; round += 1) {
    expect(await runOnce('exec seq 1 20000', log)).toEqual({ code: 0, signal: null });
  }
  expect(await readFile(log, 'utf8')).toBe(once.repeat(20));
});

test('[SH25] how one ended is told: its code, or the signal', async () => {
  const log = join(await makeDir('program'), 'it.log');
  expect(await runOnce('exit 7', log)).toEqual({ code: 7, signal: null });
  expect(await runOnce('kill -TERM $$', log)).toEqual({ code: null, signal: 'SIGTERM' });
});

test('[SH25] a full disk costs the log bytes, not the program its life', async () => {
  expect(await runOnce('seq 1 1000; exit 5', '/dev/full')).toEqual({ code: 5, signal: null });
});
