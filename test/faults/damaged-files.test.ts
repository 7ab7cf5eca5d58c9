/** Small files of ours that hold something else: what was in them is made again, and everything works. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox({ isDemo: true, env: { SHELL: '/bin/bash' } });
});
afterAll(() => box.close());

/** The sidecar is somebody's settings, and there is nothing to make it from; a pid file is how a process is found again. */
const KEPT = /conversation_meta\.json$|run\/(codex|pty-host|server)\.json$/;

/** Also one that a server which was killed may not have got to. */
async function damage(unfinished: string): Promise<string[]> {
  const names = await readdir(box.home, { recursive: true });
  const damaged = [...names.filter((name) => name.endsWith('.json') && !KEPT.test(name)), unfinished];
  for (const name of damaged) await writeFile(join(box.home, name), '{"torn');
  return damaged;
}

test('[ST6] a server whose small files are damaged starts, and its terminals and board go on', async () => {
  const id = await box.create();
  const run = (command: string) => box.must('shellExec', { conversation_id: id, command });
  expect((await run('echo one')).stdout).toBe('one\n');
  await box.must('boardPost', { message: 'hello', who: 'ci' });
  await expect.poll(async () => (await box.entries(id)).length, { timeout: 20_000 }).toBe(2);
  await box.kill();
  const damaged = await damage(`conversations/${id}/agent_pty/recorded.json`);
  expect(damaged).toEqual(expect.arrayContaining(['run/demo-model.json', 'run/mcp.json']));

  await box.restart();
  expect((await run('echo two')).stdout).toBe('two\n');
  const shown = async () => (await box.entries(id)).map((entry) => ('stdout' in entry ? entry.stdout : entry.role));
  const expected = ['shell_input', 'one\n', 'shell_input', 'two\n'];
  await expect.poll(shown, { timeout: 20_000 }).toEqual(expected);
  await box.must('boardPost', { message: 'still here', who: 'ci' });
  expect((await box.must('boardList', {})).messages.map((one) => one.message)).toEqual(['hello', 'still here']);
});
