/** Routes as older clients know them: other names of fields, the selected conversation, files of threads, debug mode. */
import { copyFile, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
let id: string;
beforeAll(async () => {
  box = await openBox();
  id = await box.create();
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: 'hello' });
  await watcher.turnEnd();
});
afterAll(() => box.close());

test('[CS22] entries carry both sets of names, unless they are not wanted', async () => {
  const { entries } = await box.must('transcript', { conversation_id: id });
  const user = entries.find((entry) => entry.role === 'user');
  expect(user).toMatchObject({ text: 'hello', content: 'hello', timestamp: user?.ts });
  for (const entry of entries) expect(entry.timestamp).toBe(entry.ts);
  const bare = await box.must('transcriptRange', { conversation_id: id, aliases: 'false' });
  expect(JSON.stringify(bare)).not.toMatch(/"timestamp"|"content"/);
  const { seq } = await box.must('appendNote', { conversation_id: id, content: 'from a script' });
  expect((await box.entries(id)).find((entry) => entry.seq === seq)).toMatchObject({ text: 'from a script' });
  expect((await box.call('appendNote', { conversation_id: id })).status).toBe(400);
});

test('[CS23] a shell command without a conversation runs in the selected one', async () => {
  expect((await box.call('shellExec', { command: 'true' }, 'token')).status).toBe(404);
  await box.must('selectConversation', { id });
  expect(await box.must('shellExec', { command: 'echo chosen' })).toMatchObject({ stdout: 'chosen\n', exitCode: 0 });
  expect(await box.entries(id)).toContainEqual(expect.objectContaining({ role: 'shell_output', stdout: 'chosen\n' }));
});

test('[CS24][CS26] config and status name the Codex that runs and its shell', async () => {
  await box.must('selectConversation', { id });
  const status = await box.must('status', {});
  const { shells } = await box.must('listShells', {});
  expect(shells.map((one) => one.id)).toContain(status.shell_id);
  expect(status.app_server_command).toMatch(/codex$/);
  const config = await box.must('readConfig', {});
  const { thread_id } = (await box.must('readConversation', { id })).conversation;
  expect(config).toMatchObject({
    shell_id: status.shell_id,
    thread_id,
    command_output_lines: 20,
    reasoning_effort: null,
  });
  const changed = await box.call('writeConfig', { app_server_command: '/bin/sh' } as never);
  expect(changed.status).toBe(400);
});

test('[CS25] the schema of config.toml is published', async () => {
  const schema = await box.must('configSchema', {}, 'token');
  expect(Object.keys(schema.properties as object)).toEqual(
    expect.arrayContaining(['server', 'external_events', 'debug']),
  );
});

test('[CS21] a rollout file opens the conversation of its thread; no other file does', async () => {
  const { conversation } = await box.must('readConversation', { id });
  const path = conversation.rollout_path ?? '';
  expect((await box.must('createConversation', { rollout_path: path }, 'token')).id).toBe(id);
  const label = await box.must('createConversation', { rollout_path: path, label: 'imported' });
  expect(label.conversation).toMatchObject({
    conversation_id: id,
    label: 'imported',
    thread_id: conversation.thread_id,
  });
  const copy = join(box.dir, path.split('/').at(-1) ?? '');
  await copyFile(path, copy);
  for (const other of [copy, '/etc/passwd', join(box.home, 'run', 'server.json'), `${path}x`]) {
    const refused = await box.call('createConversation', { rollout_path: other });
    expect(refused).toMatchObject({ status: 404, body: { code: 'unknown_thread' } });
  }
  const loose = { rollout_path: path, sandbox: 'danger-full-access' } as const;
  expect((await box.call('createConversation', loose, 'token')).status).toBe(403);
});

test('[DB1][DB3] debug mode writes a file and tells each loaded conversation', async () => {
  const path = join(box.home, 'debug_raw.jsonl');
  await expect(stat(path)).rejects.toThrow();
  await box.must('debugToggle', { enabled: true });
  await box.must('rpc', { method: 'model/list' });
  const text = await readFile(path, 'utf8');
  expect(text).toContain('model/list');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const state = await box.must('debugState', {});
  const { thread_id } = (await box.must('readConversation', { id })).conversation;
  expect(state.conversations).toContainEqual(
    expect.objectContaining({ conversation_id: id, thread_id, is_thread_loaded: true, turn: null, open_items: 0 }),
  );
  expect(JSON.stringify(state)).not.toContain('hello');
  await box.must('debugToggle', { enabled: false });
});
