/** A Codex that is stopped (SIGSTOP): the server stops in time, starts again, and replaces it. */
import { afterEach, expect, test } from 'vitest';
import { startTimeOf } from '../../src/node/process-identity.ts';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
afterEach(() => box.close());

const since = (start: number) => performance.now() - start;

test('[FT20] a stopped Codex: an idle one is ended with the server within 5 s', async () => {
  box = await openBox();
  await box.must('initialize', {});
  const codex = await box.codexPid();
  process.kill(codex, 'SIGSTOP');
  const asked = performance.now();
  await box.kill('SIGTERM');
  expect(since(asked)).toBeLessThan(5_000);
  expect(startTimeOf(codex)).toBeNull();
});

test('[FT21] a stopped Codex at a restart is replaced within 10 s, and the status says why meanwhile', async () => {
  box = await openBox();
  await box.must('initialize', {});
  const codex = await box.codexPid();
  process.kill(codex, 'SIGSTOP');
  await box.kill('SIGKILL');
  const started = performance.now();
  await box.restart();
  const messages: (string | null)[] = [];
  await expect
    .poll(
      async () => {
        const status = (await box.must('status', {})).codex;
        messages.push(status.message);
        return status.state;
      },
      { timeout: 25_000, interval: 100 },
    )
    .toBe('ready');
  expect(since(started)).toBeLessThan(12_000);
  expect(messages.join('\n')).toContain(`process ${codex}`);
  expect(startTimeOf(codex)).toBeNull();
});
