/** The crash rig as part of the suite: a fixed seed, and one that is new in each run and printed. */
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const SCRIPT = join(ROOT, 'scripts/torture.mjs');
const FIXED_SEED = 20_261_118;

function torture(...args: string[]): Promise<{ code: number | null; text: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [SCRIPT, '--no-build', ...args], { cwd: ROOT });
    let text = '';
    const hear = (chunk: Buffer) => {
      text += chunk.toString();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('close', (code) => done({ code, text }));
  });
}

test('random work and random kills break no law', { timeout: 300_000 }, async () => {
  const seed = Number(process.env.TORTURE_SEED ?? Math.floor(Math.random() * 1_000_000_000));
  // Side by side: a round mostly waits for processes to start.
  const runs = await Promise.all([
    torture('--rounds', '20', '--seed', String(FIXED_SEED)),
    torture('--rounds', '20', '--seed', String(seed)),
  ]);
  process.stdout.write(`torture: the random seed was ${seed}\n`);
  for (const { code, text } of runs) expect(code, text).toBe(0);
});

test('[FT23] two clients that do everything at once break no law', { timeout: 300_000 }, async () => {
  const seed = Number(process.env.TORTURE_SEED ?? Math.floor(Math.random() * 1_000_000_000));
  const { code, text } = await torture('--interleave', '--rounds', '12', '--seed', String(seed));
  process.stdout.write(`interleave: the random seed was ${seed}\n`);
  expect(code, text).toBe(0);
});
