/** The shared terminal of a conversation through the server: HTTP, WebSocket, transcript, files. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { openPtyViewer } from '../../src/testing/pty-viewer.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox({ env: { SHELL: '/bin/bash' } });
});
afterAll(() => box.close());

const settledEntries = async (id: string, count: number) => {
  await expect.poll(async () => (await box.entries(id)).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count);
  return box.entries(id);
};

test('[TM2] a command runs in the shared terminal, which is started for it, and answers with its block', async () => {
  const id = await box.create();
  expect(await box.must('terminalState', { id })).toMatchObject({ is_running: false, shell_id: null });
  const ran = await box.must('shellExec', {
    conversation_id: id,
    command: 'echo out; echo err >&2; exit_code() { return 3; }; exit_code',
  });
  expect(ran).toMatchObject({ stdout: 'out\nerr\n', stderr: '', exitCode: 3 });
  const block = await box.must('terminalBlock', { id, block_id: ran.block_id ?? '' });
  expect(block).toMatchObject({
    seq: 1,
    exit_code: 3,
    status: 'completed',
    actor: 'user',
    cwd: box.project,
    output_lines: 2,
  });
  expect(await box.must('terminalState', { id })).toMatchObject({
    is_running: true,
    shell: 'bash',
    at_prompt: true,
    last_exit_code: 3,
  });
  const again = await box.must('shellExec', { conversation_id: id, command: 'cd /; pwd' });
  expect(again.stdout).toBe('/\n');
  expect((await box.must('shellExec', { conversation_id: id, command: 'pwd' })).stdout).toBe('/\n');
});

test('[TM3] each block is a pair of entries, told live as it is read later', async () => {
  const id = await box.create();
  const watcher = await box.watch(id);
  const ran = await box.must('shellExec', { conversation_id: id, command: 'echo one' });
  const entries = await settledEntries(id, 2);
  expect(entries).toMatchObject([
    { role: 'shell_input', command: 'echo one', cwd: box.project, block_id: ran.block_id, actor: 'user' },
    { role: 'shell_output', command: 'echo one', stdout: 'one\n', stderr: '', exit_code: 0, block_id: ran.block_id },
  ]);
  await expect.poll(() => watcher.entries().length, { timeout: 20_000 }).toBe(2);
  expect(watcher.entries()).toEqual(entries);
});

test('[TM21] while a command prints, followers are told how far it is and read on from there', async () => {
  const id = await box.create();
  const watcher = await box.watch(id);
  const running = box.must('shellExec', { conversation_id: id, command: 'echo one; read -r x; echo two; read -r x' });
  const told = async (bytes: number) => {
    const frame = await watcher.until((one) => one.type === 'block_output' && one.output_bytes >= bytes, 'output');
    return frame.type === 'block_output' ? frame : expect.fail('no block');
  };
  const { block_id } = await told(1);
  let text = '';
  let offset = 0;
  const readOn = async () => {
    const page = await box.must('terminalOutput', { id, block_id, offset });
    text += page.text;
    offset = page.next_offset;
    return text;
  };
  await expect.poll(readOn, { timeout: 20_000 }).toBe('one\n');
  await box.must('terminalInput', { id, data: 'go\n' });
  await told(offset + 1);
  await expect.poll(readOn, { timeout: 20_000 }).toMatch(/^one\n(?:go\n)?two\n$/);
  await box.must('terminalInput', { id, data: 'go\n' });
  expect(await running).toMatchObject({ block_id, exitCode: 0 });
});

test('[TM4] a viewer gets a screen first, then the bytes with their offsets, and types', async () => {
  const id = await box.create();
  await box.must('terminalOpen', { id });
  const viewer = await openPtyViewer({ url: box.url(), headers: box.sessionHeaders(), id });
  await viewer.until('a screen', () => viewer.frames.some((frame) => frame.type === 'screen'));
  await expect.poll(async () => (await box.must('terminalState', { id })).at_prompt, { timeout: 20_000 }).toBe(true);
  viewer.send({ type: 'input', data: 'echo se""en\r' });
  await viewer.until('the echo', () => viewer.text().includes('seen\r\n'));
  await viewer.until('the block', () =>
    viewer.frames.some((frame) => frame.type === 'block' && frame.block.status === 'completed'),
  );
  const at = viewer.cursor();
  viewer.close();
  await box.must('shellExec', { conversation_id: id, command: 'echo while away' });
  const again = await openPtyViewer({ url: box.url(), headers: box.sessionHeaders(), id, cursor: at });
  await again.until('what was missed', () => again.text().includes('while away\r\n'));
  expect(again.frames.some((frame) => frame.type === 'resume' && frame.cursor === at)).toBe(true);
  expect(again.frames.some((frame) => frame.type === 'screen')).toBe(false);
  expect(again.text()).not.toContain('seen');
  again.close();
});

test('[TM5] the screen and what is above it can be read as text, at the offset they show', async () => {
  const id = await box.create();
  await box.must('shellExec', { conversation_id: id, command: 'seq 1 2000' });
  const screen = await box.must('terminalScreen', { id });
  expect(screen.rows.some((row) => row === '2000')).toBe(true);
  const scrollback = await box.must('terminalScrollback', { id, lines: 1500 });
  expect(scrollback.lines).toContain('1000');
  expect(scrollback.cursor).toBe((await box.must('terminalState', { id })).cursor);
  const dir = join(box.home, 'conversations', id, 'agent_pty');
  await expect
    .poll(() => readFile(join(dir, 'screen.snapshot.json'), 'utf8').catch(() => ''), { timeout: 20_000 })
    .toContain('"2000"');
  const events = (await readFile(join(dir, 'events.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).type);
  expect(events[0]).toBe('agent_block_begin');
  expect(events.at(-1)).toBe('agent_block_end');
});
