/** Nested shells in the shared terminal: real bash, zsh and fish with the marks that `shell-init` prints. */
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { commandLine } from '../../src/testing/shell-word.ts';

const MAIN = resolve(import.meta.dirname, '../../dist/bin/signalbox.js');
const WAIT = { timeout: 20_000 };

let box: Box;
const opened: string[] = [];
beforeAll(async () => {
  box = await openBox({ env: { SHELL: '/bin/bash' } });
});
afterAll(async () => {
  // A terminal in which something runs would go on without the server.
  for (const id of opened) await box.must('terminalClose', { id });
  await box.close();
});

const print = (shell: string) => commandLine(process.execPath, MAIN, 'shell-init', shell);
const NESTED = {
  bash: { start: 'bash --norc', load: `eval "$(${print('bash')})"` },
  zsh: { start: 'zsh -f', load: `eval "$(${print('zsh')})"` },
  fish: { start: 'fish --no-config', load: `${print('fish')} | source` },
} as const;

async function openTerminal() {
  const id = await box.create();
  await box.must('terminalOpen', { id });
  opened.push(id);
  const type = (line: string) => box.must('terminalInput', { id, data: `${line}\r` });
  const shown = async () => (await box.must('terminalScrollback', { id, lines: 500 })).lines.join('\n');
  const blocks = async () => (await box.must('terminalBlocks', { id, limit: 100 })).blocks;
  await expect.poll(async () => (await box.must('terminalState', { id })).at_prompt, WAIT).toBe(true);
  return { id, type, shown, blocks };
}

test.each(Object.entries(NESTED))('[CL29] commands of a nested %s are blocks', async (_name, { start, load }) => {
  const { type, shown, blocks } = await openTerminal();
  await type(`SIGNALBOX_NONCE=$__sb_nonce ${start}`);
  await type(`${load}; echo lo''aded`);
  await expect.poll(shown, WAIT).toContain('loaded');
  await type("env | grep -c NONCE; sh -c 'exit 4'");
  const nested = async () => (await blocks()).find((block) => block.cmd.startsWith('env |'));
  await expect.poll(nested, WAIT).toMatchObject({ status: 'completed', exit_code: 4, output_lines: 1 });
  // No command sees the nonce.
  await expect.poll(shown, WAIT).toMatch(/^0$/m);
  // And the shell around it goes on as before.
  await type('exit');
  await type("echo ou''tside");
  await expect
    .poll(async () => (await blocks()).find((block) => block.cmd === "echo ou''tside"), WAIT)
    .toMatchObject({ status: 'completed', exit_code: 0 });
});

test('[CL29] without the nonce nothing changes', async () => {
  const { type, shown, blocks } = await openTerminal();
  await type('bash --norc');
  await type(`${NESTED.bash.load}; echo lo''aded; echo "<$PROMPT_COMMAND>"`);
  await expect.poll(shown, WAIT).toContain('<>');
  expect((await blocks()).map((block) => [block.cmd, block.status])).toEqual([['bash --norc', 'running']]);
});
