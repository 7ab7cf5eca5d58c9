/** A graceful stop: nothing of ours is left, except a Codex that still works. */
import { afterEach, expect, test } from 'vitest';
import { startTimeOf } from '../../src/node/process-identity.ts';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
afterEach(() => box.close());

test('[FT12] an idle Codex is ended with the server', async () => {
  box = await openBox();
  await box.must('initialize', {});
  const codex = await box.codexPid();
  await box.kill('SIGTERM');
  expect(startTimeOf(codex)).toBeNull();
});

test('[FT12] a stop while Codex is still starting leaves none behind', async () => {
  box = await openBox();
  await box.kill('SIGTERM');
  const { execFileSync } = await import('node:child_process');
  const processes = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  expect(processes).not.toContain(`${box.home}/run/codex.sock`);
});

test('[FT12] a Codex in mid-turn is left to finish and taken up again', async () => {
  box = await openBox();
  box.model.push({ events: [{ say: 'before' }, { gate: 'stop-gate' }, { say: 'after' }] });
  const id = await box.create();
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: 'go' });
  await watcher.until((frame) => frame.type === 'assistant_finalize', 'some words');
  const codex = await box.codexPid();
  await box.kill('SIGTERM');
  expect(startTimeOf(codex)).not.toBeNull();
  await box.restart();
  const again = await box.watch(id);
  box.model.release('stop-gate');
  await again.turnEnd();
  // The token counts are not in Codex's history: they are missing if the turn ended before we were listening again.
  const roles = (await box.entries(id)).map((entry) => entry.role).filter((role) => role !== 'token_usage');
  expect(roles).toEqual(['user', 'delivery', 'assistant', 'assistant', 'status']);
});
