/** Terminals when things go wrong: a killed server, a killed host, a flood, a viewer that does not read, a directory that is gone. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { openPtyViewer } from '../../src/testing/pty-viewer.ts';
import { shellWord } from '../../src/testing/shell-word.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox({ env: { SHELL: '/bin/bash', SIGNALBOX_HIDDEN: 'secret' } });
});
afterAll(() => box.close());

const WAIT = { timeout: 25_000 };
const host = async () => JSON.parse(await readFile(join(box.home, 'run', 'pty-host.json'), 'utf8'));
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] !== 'Z';
  } catch {
    return false;
  }
};
const view = (id: string, more: { cursor?: number; isSlow?: boolean } = {}) =>
  openPtyViewer({ url: box.url(), headers: box.sessionHeaders(), id, ...more });
const atPrompt = (id: string) =>
  expect.poll(async () => (await box.must('terminalState', { id })).at_prompt, WAIT).toBe(true);
const lastBlock = async (id: string) => (await box.must('terminalBlocks', { id })).blocks.at(-1);

test('[TM9] a command outlives a killed server: its output and its end are there, once', async () => {
  const id = await box.create();
  await box.must('terminalOpen', { id });
  await atPrompt(id);
  const gate = join(box.dir, 'gate');
  await box.must('terminalInput', {
    id,
    data: `echo before; until [ -e ${shellWord(gate)} ]; do sleep 0.05; done; echo after\r`,
  });
  await expect.poll(async () => (await lastBlock(id))?.status, WAIT).toBe('running');
  await expect.poll(async () => (await box.entries(id)).length, WAIT).toBe(1);
  const { pid } = await host();
  await box.kill();
  await mkdir(gate);
  const out = join(box.home, 'conversations', id, 'agent_pty', 'blocks.jsonl');
  await expect.poll(async () => readFile(out, 'utf8'), WAIT).toContain('"status":"completed"');
  await box.restart();
  expect((await host()).pid).toBe(pid);
  expect(await lastBlock(id)).toMatchObject({ status: 'completed', exit_code: 0, seq: 1 });
  await expect.poll(async () => (await box.entries(id)).length, WAIT).toBe(2);
  expect((await box.entries(id))[1]).toMatchObject({ role: 'shell_output', stdout: 'before\nafter\n', exit_code: 0 });
  await box.restart();
  expect((await box.must('shellExec', { conversation_id: id, command: 'echo still here' })).stdout).toBe(
    'still here\n',
  );
  await expect.poll(async () => (await box.entries(id)).length, WAIT).toBe(4);
});

test('[TM10] no handle of a PTY reaches Codex, and nothing of ours the shell', async () => {
  const id = await box.create();
  const env = await box.must('shellExec', { conversation_id: id, command: 'env; ls -l /proc/$$/fd' });
  expect(env.stdout).not.toMatch(/SIGNALBOX_HIDDEN|NONCE|api_token|ptmx/);
  expect(env.stdout.match(/^SIGNALBOX_\w+/gm)?.sort()).toEqual(
    expect.arrayContaining(['SIGNALBOX_HOME', 'SIGNALBOX_TERMINAL', 'SIGNALBOX_THREAD']),
  );
  expect(env.stdout).toContain(`SIGNALBOX_THREAD=${id}\n`);
  const codex = await box.codexPid();
  const links = readdirSync(`/proc/${codex}/fd`).map((fd) => readlinkSync(`/proc/${codex}/fd/${fd}`));
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((link) => link.includes('ptmx') || link.startsWith('/dev/pts'))).toEqual([]);
  const socket = await stat((await host()).socket);
  expect(socket.mode & 0o777).toBe(0o600);
});

test('[TM11] Ctrl-C acts in a flood, and a viewer that does not read holds nobody up', async () => {
  const id = await box.create();
  await box.must('terminalOpen', { id });
  const slow = await view(id, { isSlow: true });
  const viewer = await view(id);
  await atPrompt(id);
  viewer.send({ type: 'input', data: 'yes\r' });
  await viewer.until('five million bytes', () => viewer.cursor() > 5_000_000);
  viewer.send({ type: 'input', data: '\u0003' });
  await expect.poll(async () => (await lastBlock(id))?.status, WAIT).toBe('interrupted');
  await viewer.until('the end of the flood', () => viewer.text().slice(-2000).includes('^C'));
  expect(slow.cursor()).toBeLessThan(viewer.cursor());
  slow.send({ type: 'ack', cursor: slow.cursor() });
  await slow.until('a fresh screen', () => slow.frames.filter((frame) => frame.type === 'screen').length > 1);
  slow.close();
  viewer.close();
});

test('[TM12] of a long output the head and the tail are kept, the rest is counted', async () => {
  const id = await box.create();
  const ran = await box.must('shellExec', { conversation_id: id, command: 'seq 1 1000000' });
  const blockId = ran.block_id ?? '';
  const block = await box.must('terminalBlock', { id, block_id: blockId });
  expect(block).toMatchObject({
    output_lines: 1_000_000,
    output_bytes: 7_888_896,
    exit_code: 0,
  });
  const head = await box.must('terminalOutput', { id, block_id: blockId, max_bytes: 100 });
  expect(head.text.startsWith('1\n2\n3\n')).toBe(true);
  const middle = await box.must('terminalOutput', { id, block_id: blockId, offset: 4_000_000, max_bytes: 1024 * 1024 });
  expect(middle.text.endsWith('999999\n1000000\n')).toBe(true);
  expect(middle.next_offset).toBe(block.output_bytes);
  expect(middle.omitted_bytes).toBe(block.output_bytes - 256 * 1024 - 1024 * 1024);
  const file = await stat(join(box.home, 'conversations', id, 'agent_pty', 'blocks', `${blockId}.out`));
  expect(file.size).toBe(256 * 1024 + 1024 * 1024);
  expect((await box.must('terminalBlocks', { id, q: 'SEQ 1 1000' })).blocks).toHaveLength(1);
  expect((await box.must('terminalBlocks', { id, q: 'not in it' })).blocks).toHaveLength(0);
});

test('[TM13] a directory that is gone, an unknown block, a busy terminal: each refused with its reason', async () => {
  const cwd = join(box.dir, 'gone');
  await mkdir(cwd);
  const id = await box.create({ cwd });
  await rm(cwd, { recursive: true });
  expect(await box.call('terminalOpen', { id })).toMatchObject({ status: 400, body: { code: 'missing_cwd' } });
  const missing = `blk_${'0'.repeat(32)}`;
  expect(await box.call('terminalBlock', { id, block_id: missing })).toMatchObject({ status: 404 });
  expect(await box.call('terminalScreen', { id })).toMatchObject({ body: { code: 'not_running' } });
  const stranger = `conv_${'0'.repeat(32)}`;
  expect(await box.call('terminalState', { id: stranger })).toMatchObject({ body: { code: 'unknown_conversation' } });
  const busy = await box.create();
  await box.must('terminalOpen', { id: busy });
  await atPrompt(busy);
  await box.must('terminalInput', { id: busy, data: 'sleep 300\r' });
  await expect.poll(async () => (await lastBlock(busy))?.status, WAIT).toBe('running');
  const refused = await box.call('shellExec', { conversation_id: busy, command: 'echo hi' });
  expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } });
  await box.must('terminalInterrupt', { id: busy });
  await atPrompt(busy);
  expect(await box.call('shellExec', { conversation_id: busy, command: 'echo ;;' })).toMatchObject({ status: 400 });
});

test('[TM8] showing a terminal again types nothing into it', async () => {
  const id = await box.create();
  await box.must('terminalOpen', { id });
  await atPrompt(id);
  await box.must('shellExec', { conversation_id: id, command: `printf '\\033[6n\\033[c\\033]11;?\\007'` });
  // An emulator answers while it draws, and says that it has drawn only after that.
  const second = await view(id, { cursor: 0, isSlow: true });
  await second.until('the questions again', () => second.text().includes('\u001b[6n'));
  const answers = ['\u001b[1;1R', '\u001b[?1;2c', '\u001b]11;rgb:0/0/0\u0007'];
  for (const data of answers) second.send({ type: 'input', data });
  second.send({ type: 'input', data: 'echo typed\r' });
  await expect.poll(async () => (await lastBlock(id))?.cmd, WAIT).toBe('echo typed');
  second.close();
});

test('[TM14] deleting a conversation ends its terminal and what it started, also what hides', async () => {
  const id = await box.create();
  const file = join(box.dir, 'hidden.pid');
  const command = `nohup setsid sh -c 'echo $$ >"${file}"; exec sleep 987' >/dev/null 2>&1 &`;
  await box.must('shellExec', { conversation_id: id, command });
  await expect.poll(() => readFile(file, 'utf8').catch(() => ''), WAIT).toMatch(/^\d+\n$/);
  const pid = Number(await readFile(file, 'utf8'));
  expect(isAlive(pid)).toBe(true);
  await box.must('deleteConversation', { id });
  await expect.poll(() => isAlive(pid), WAIT).toBe(false);
});

test('[TM15] a killed host takes its shells along; the command is lost, and the next one starts a host', async () => {
  const id = await box.create();
  await box.must('terminalOpen', { id });
  await atPrompt(id);
  await box.must('terminalInput', { id, data: 'sleep 300\r' });
  await expect.poll(async () => (await lastBlock(id))?.status, WAIT).toBe('running');
  process.kill((await host()).pid, 'SIGKILL');
  await expect.poll(async () => (await lastBlock(id))?.status, WAIT).toBe('lost');
  await expect
    .poll(async () => (await box.entries(id)).map((entry) => entry.role), WAIT)
    .toEqual(['shell_input', 'shell_output']);
  expect((await box.must('shellExec', { conversation_id: id, command: 'echo back' })).stdout).toBe('back\n');
  expect((await lastBlock(id))?.seq).toBe(2);
});

test('[TM15] a command whose host is killed at any moment runs once at most', async () => {
  const id = await box.create();
  const out = join(box.dir, 'once');
  for (let at = 0; at < 8; at += 1) {
    // The host of the round before may be about to be found dead.
    await expect.poll(async () => (await box.call('terminalOpen', { id })).ok, WAIT).toBe(true);
    await atPrompt(id);
    const { pid } = await host();
    const ran = box.call('shellExec', { conversation_id: id, command: `echo ${at} >> ${shellWord(out)}` });
    // Not a wait for something: the moment of the kill moves from before the request arrives to after the command has run.
    await new Promise((done) => setTimeout(done, at));
    process.kill(pid, 'SIGKILL');
    const answer = await ran;
    if (!answer.ok) expect(answer.body).toMatchObject({ code: 'not_running', details: { may_have_run: true } });
  }
  const lines = (await readFile(out, 'utf8')).trim().split('\n');
  expect(lines).toEqual([...new Set(lines)]);
});

test('[TM16] stopping ends the shells at their prompt, and leaves one that runs a command until it is found again', async () => {
  const idle = await box.create();
  const busy = await box.create();
  for (const id of [idle, busy]) {
    await box.must('terminalOpen', { id });
    await atPrompt(id);
  }
  const shell = Number((await box.must('shellExec', { conversation_id: idle, command: 'echo $$' })).stdout);
  await box.must('terminalInput', { id: busy, data: 'sleep 300\r' });
  await expect.poll(async () => (await lastBlock(busy))?.status, WAIT).toBe('running');
  const { pid } = await host();
  await box.kill('SIGTERM');
  expect(isAlive(shell)).toBe(false);
  expect(isAlive(pid)).toBe(true);
  await box.restart();
  expect(await box.must('terminalState', { id: busy })).toMatchObject({ is_running: true, at_prompt: false });
  await box.must('terminalInterrupt', { id: busy });
  await atPrompt(busy);
  await box.must('terminalClose', { id: busy });
  await expect.poll(() => isAlive(pid), WAIT).toBe(false);
});
