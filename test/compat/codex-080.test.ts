/** The product with Codex 0.80.0, which sends two event streams side by side and has neither steer nor a socket. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

const codexBin = process.env.CODEX_COMPAT_BIN ?? '';
let box: Box;
beforeAll(async () => {
  box = await openBox({ codexBin, transport: 'unix', model: 'gpt-5.2-codex' });
});
afterAll(() => box.close());

test('[CP1] [CM20] an old Codex is found to speak over a pipe only', async () => {
  const { codex } = await box.must('initialize', {});
  expect(codex).toMatchObject({ state: 'ready', version: '0.80.0', transport: 'stdio' });
  expect((await box.must('status', {})).codex_warnings).toEqual([expect.stringContaining('run over a pipe')]);
});

test('[CP2] a turn with reasoning, a command and a patch, each asked for: every entry once, live and on replay', async () => {
  box.model.push(
    {
      events: [
        { think: ['**Look**'] },
        { say: 'running', phase: 'commentary' },
        { call: 'shell_command', args: { command: 'printf one' } },
      ],
    },
    { events: [{ call: 'update_plan', args: { plan: [{ step: 'write', status: 'completed' }] } }] },
    {
      events: [{ call: 'apply_patch', args: { input: '*** Begin Patch\n*** Add File: n.txt\n+one\n*** End Patch\n' } }],
    },
    { events: [{ say: 'done' }] },
  );
  const id = await box.create({ approval: 'untrusted' });
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: 'go', client_message_id: 'm-1' });
  const command = await watcher.approval(1);
  expect(command).toMatchObject({ kind: 'command', ask: { command: expect.stringContaining('printf one') } });
  await box.must('answerApproval', { approval_id: command.approval_id, decision: 'accept' });
  const change = await watcher.approval(2);
  expect(change).toMatchObject({ kind: 'file_change', ask: { changes: [{ diff: 'one\n' }] } });
  await box.must('answerApproval', { approval_id: change.approval_id, decision: 'accept' });
  await watcher.turnEnd();
  const entries = await box.entries(id);
  expect(entries.map((entry) => entry.role)).toEqual([
    'user',
    'delivery',
    'reasoning',
    'assistant',
    'approval',
    'command',
    'approval',
    'diff',
    'assistant',
    'plan',
    'token_usage',
    'status',
  ]);
  expect(entries[0]).toMatchObject({ text: 'go', client_message_id: 'm-1' });
  expect((await box.watch(id)).view()).toEqual(watcher.view());
});

test('[WT5] a project configuration that must stay off is a reason to open no thread with a Codex that would load it', async () => {
  const dir = join(box.dir, 'hostile');
  await mkdir(join(dir, '.codex'), { recursive: true });
  await writeFile(join(dir, '.codex', 'config.toml'), '[mcp_servers.x]\ncommand = "sh"\nargs = ["-c", "touch RAN"]\n');
  const id = await box.create({ cwd: dir });
  const refused = await box.call('sendMessage', { conversation_id: id, text: 'hello' });
  expect(refused).toMatchObject({ ok: false, body: { message: expect.stringContaining('trust it in the page') } });
  expect(existsSync(join(dir, 'RAN'))).toBe(false);
});

test('[CP3] a steer is queued instead, and runs after the turn', async () => {
  box.model.push({ match: 'hold', events: [{ say: 'words' }, { gate: 'old-gate' }, { say: 'more' }] });
  const id = await box.create({ approval: 'never' });
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: 'hold' });
  await watcher.until((frame) => frame.type === 'assistant_finalize' || frame.type === 'assistant_delta', 'some words');
  expect((await box.must('sendMessage', { conversation_id: id, text: 'steer', mode: 'steer' })).outcome).toBe('queued');
  box.model.release('old-gate');
  await watcher.turnEnd(2);
  const users = (await box.entries(id)).flatMap((entry) => (entry.role === 'user' ? [entry.text] : []));
  expect(users).toEqual(['hold', 'steer']);
});

test('[CP4] after a restart the conversation is replayed and goes on', async () => {
  const id = await box.create({ approval: 'never' });
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: 'first' });
  await watcher.turnEnd();
  const before = await box.entries(id);
  await box.restart();
  expect(await box.entries(id)).toEqual(before);
  const again = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: 'second' });
  await again.turnEnd();
  const entries = await box.entries(id);
  expect(entries.slice(0, before.length)).toEqual(before);
  expect(entries.slice(before.length).map((entry) => entry.role)).toEqual([
    'user',
    'delivery',
    'assistant',
    'token_usage',
    'status',
  ]);
});
