/** A CODEX_HOME below the temporary directory, where Codex refuses to put the programs of its sandbox. */
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox({ env: { TMPDIR: resolve(import.meta.dirname, '../../.tmp') } });
});
afterAll(() => box.close());

test('[CX22] a sandboxed terminal command runs', async () => {
  box.model.push(
    { events: [{ call: 'exec_command', args: { cmd: 'echo inside', login: false, tty: true } }] },
    { events: [{ say: 'done' }] },
  );
  const id = await box.create({ approval: 'never', sandbox: 'workspace-write' });
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: 'run it' });
  await watcher.turnEnd();
  const commands = (await box.entries(id)).filter((entry) => entry.role === 'command');
  expect(commands).toMatchObject([{ exit_code: 0, output: expect.stringContaining('inside') }]);
});
