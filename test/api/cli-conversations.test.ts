/** `conversations …` as people and scripts run it: the built program, a real server, the real Codex, the demo model. */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { writeTranscripts } from '../e2e/write-transcript.ts';

const MAIN = resolve(import.meta.dirname, '../../dist/bin/signalbox.js');

let box: Box;
beforeAll(async () => {
  box = await openBox({ isDemo: true, flags: ['--demo'] });
});
afterAll(() => box.close());

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(args: readonly string[]) {
  const env = { ...process.env, SIGNALBOX_HOME: box.home, NO_COLOR: '1' };
  return spawn(process.execPath, [MAIN, 'conversations', ...args], { cwd: box.project, env, stdio: 'pipe' });
}

function finished(child: ChildProcess): Promise<Outcome> {
  const heard = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    heard.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    heard.stderr += text;
  });
  return new Promise((done) => child.once('close', (code) => done({ code, ...heard })));
}

function run(...args: readonly string[]): Promise<Outcome> {
  const child = start(args);
  child.stdin.end();
  return finished(child);
}

async function newConversation(label: string): Promise<string> {
  return (await run('new', '--label', label)).stdout.trim();
}

test('[CL20] new, list, archive', async () => {
  const id = await newConversation('To be archived');
  expect(id).toMatch(/^conv_[0-9a-f]{32}$/);
  const listed = async (...more: string[]) => {
    const { stdout } = await run('list', '--json', ...more);
    return JSON.parse(stdout).conversations.map((row: { id: string }) => row.id);
  };
  expect(await listed()).toContain(id);
  expect((await run('archive', 'to be arch')).code).toBe(0);
  expect(await listed()).not.toContain(id);
  expect(await listed('--archived')).toContain(id);
});

test('[CL21] send prints the answer on stdout and commands on stderr', async () => {
  const id = await newConversation('Sending');
  const { code, stdout, stderr } = await run('send', 'sending', 'Run `echo over-the-wire; exit 3`');
  expect(code).toBe(0);
  expect(stdout).toContain('over-the-wire');
  expect(stderr).toBe('$ echo over-the-wire; exit 3\n  exit 3\n');
  const shown = await run('show', id);
  // What was streamed is what was kept.
  const answers = JSON.parse((await run('show', id, '--json')).stdout).entries.filter(
    (entry: { role: string }) => entry.role === 'assistant',
  );
  expect(stdout).toBe(answers.map((entry: { text: string }) => `${entry.text}\n`).join(''));
  expect(shown.stdout).toContain('Command (failed) (exit 3)');
});

test('[CL21] send - reads the message, and --json tells every event', async () => {
  await newConversation('From stdin');
  const child = start(['send', 'From stdin', '-', '--json']);
  child.stdin.end('Hello');
  const { code, stdout } = await finished(child);
  expect(code).toBe(0);
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events[0]).toMatchObject({ type: 'sent', outcome: 'started' });
  expect(events.at(-1)).toMatchObject({ type: 'status', entry: { turn_status: 'completed' } });
  const deltas = events.filter(({ type }) => type === 'assistant_delta').map(({ delta }) => delta);
  const whole = events.find(({ type }) => type === 'assistant_finalize');
  expect(deltas.join('')).toBe(whole?.entry.text);
});

test('[CL21] a turn that failed exits with 1', async () => {
  await newConversation('Failing');
  const { code, stderr } = await run('send', 'Failing', 'Fail on purpose');
  expect(code).toBe(1);
  expect(stderr).toContain('on purpose');
});

test('[CL21] Ctrl-C interrupts the turn and exits with 130', async () => {
  const id = await newConversation('Interrupted');
  const child = start(['send', id, 'Run `id -un` outside the sandbox']);
  child.stderr.on('data', (chunk: Buffer) => {
    if (chunk.toString().includes('waits for your approval')) child.kill('SIGINT');
  });
  const { code, stderr } = await finished(child);
  expect(code).toBe(130);
  expect(stderr).toContain('waits for your approval');
  const { stdout } = await run('show', id, '--json');
  expect(JSON.parse(stdout).entries).toContainEqual(
    expect.objectContaining({ role: 'status', turn_status: 'interrupted' }),
  );
});

test('[CL21] the answer is whole although the server was killed and came back meanwhile', async () => {
  const id = await newConversation('Restarted');
  const child = start(['send', id, 'Run `until [ -e go-on ]; do sleep 0.1; done; echo still-here`']);
  const sent = finished(child);
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('$ until')) resolve();
    });
  });
  await box.restart();
  await writeFile(join(box.project, 'go-on'), '');
  const { code, stdout } = await sent;
  expect(code).toBe(0);
  const { entries } = JSON.parse((await run('show', id, '--json')).stdout);
  const answers = entries.filter((entry: { role: string }) => entry.role === 'assistant');
  expect(stdout).toBe(answers.map((entry: { text: string }) => `${entry.text}\n`).join(''));
  expect(stdout).toContain('still-here');
});

test('[CL22] export gives the whole transcript in each format', async () => {
  const id = await newConversation('Exported');
  await run('send', id, 'Show me Markdown');
  const json = JSON.parse((await run('export', id, '--format', 'json')).stdout);
  expect(json.conversation.conversation_id).toBe(id);
  expect(json.entries.map(({ seq }: { seq: number }) => seq)).toEqual(
    json.entries.map((_: unknown, index: number) => index + 1),
  );
  const md = await run('export', id);
  expect(md.stdout).toMatch(/^# Exported\n/);
  expect(md.stdout).toContain('## You · ');
  const html = await run('export', id, '--format', 'html');
  expect(html.stdout).toMatch(/^<!doctype html>/);
  expect(html.stdout).toMatch(/<\/html>\n$/);
  expect(JSON.parse((await run('export', id, '--json')).stdout).entries).toEqual(json.entries);
  expect((await run('export', id, '--json', '--format', 'html')).code).toBe(2);
});

test('[CL23] import opens a thread of Codex; an unknown one exits with 5', async () => {
  const id = await newConversation('Imported');
  await run('send', id, 'Hello');
  const { thread_id } = JSON.parse((await run('export', id, '--format', 'json')).stdout).conversation;
  const known = await run('import', thread_id);
  expect(known.code).toBe(0);
  const unknown = await run('import', '00000000-0000-7000-8000-000000000000');
  expect(unknown.code).toBe(5);
});

test('[CL30] show and export say at the message that it was not delivered', async () => {
  const [id = ''] = await writeTranscripts(box, [
    { role: 'user', text: 'lost words', client_message_id: 'm1', mode: 'send', state: 'sent' },
    {
      role: 'delivery',
      client_message_id: 'm1',
      state: 'not_delivered',
      reason: 'codex_exited',
      text: 'Codex stopped.',
    },
    { role: 'note', kind: 'api', text: 'later' },
  ]);
  const shown = (await run('show', id)).stdout;
  expect(shown).toMatch(/^You \(not delivered\) .*\nlost words\n\[Not delivered: Codex stopped\.\]\n\nNote/);
  const md = (await run('export', id)).stdout;
  expect([...md.matchAll(/^## (.*) · /gm)].map(([, heading]) => heading)).toEqual([
    'You (not delivered)',
    'Note (api)',
  ]);
  expect(md).toContain('[Not delivered: Codex stopped.]');
  const { entries } = JSON.parse((await run('export', id, '--format', 'json')).stdout);
  expect(entries[0]).toMatchObject({ role: 'user', delivery: { state: 'not_delivered', text: 'Codex stopped.' } });
});

test('[CL34] rename, fork, delete and restore, each by what the list prints', async () => {
  const id = (await run('new')).stdout.trim();
  await run('send', id, 'Say hello to an untitled conversation');
  const title = 'Say hello to an untitled conversation';
  expect((await run('list')).stdout).toContain(`  ${title}  `);
  expect((await run('rename', title, 'Named now')).stderr).toContain('is now called Named now');
  const fork = await run('fork', 'Named now');
  expect(fork.stdout.trim()).toMatch(/^conv_[0-9a-f]{32}$/);
  expect(fork.stdout.trim()).not.toBe(id);
  const deleted = await run('delete', id);
  expect(deleted.stderr).toContain(`signalbox conversations restore ${id}`);
  expect((await run('show', id)).code).toBe(5);
  expect((await run('restore', id)).code).toBe(0);
  expect((await run('show', id)).stdout).toContain('Say hello');
  await run('archive', id);
  expect((await run('restore', 'Named now')).code).toBe(0);
  expect((await run('names')).stdout).toContain('Named now\n');
});

test('[CL34] stop ends the turn that runs, and says when none does', async () => {
  const id = await newConversation('To stop');
  const child = start(['send', id, 'Run `id -un` outside the sandbox']);
  const sent = finished(child);
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('waits for your approval')) resolve();
    });
  });
  expect((await run('stop', 'To stop')).stderr).toBe(`stopped the turn of ${id}\n`);
  expect((await sent).code).toBe(1);
  expect((await run('stop', 'To stop')).stderr).toBe(`nothing runs in ${id}\n`);
});

test('[CL34] retry sends the message of a failed turn again', async () => {
  const id = await newConversation('To retry');
  await run('send', id, 'Fail on purpose');
  expect((await run('retry', id)).code).toBe(1);
  const { entries } = JSON.parse((await run('export', id, '--json')).stdout);
  const said = entries.filter((entry: { role: string }) => entry.role === 'user');
  expect(said.map(({ text }: { text: string }) => text)).toEqual(['Fail on purpose', 'Fail on purpose']);
});

test('[CL34] send --image gives Codex a picture, and refuses what is none', async () => {
  const id = await newConversation('With a picture');
  // One pixel.
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  await writeFile(join(box.project, 'dot.png'), Buffer.from(png, 'base64'));
  await writeFile(join(box.project, 'text.png'), 'not a picture');
  expect((await run('send', id, 'Look', '--image', 'dot.png')).code).toBe(0);
  const { entries } = JSON.parse((await run('show', id, '--json')).stdout);
  expect(entries[0].images).toEqual([{ kind: 'url', value: `data:image/png;base64,${png}` }]);
  const refused = await run('send', id, 'Look', '--image', 'text.png');
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is no PNG, JPEG, GIF or WebP') });
});

test('[CL35] show -n counts the entries that a person sees', async () => {
  const id = await newConversation('Counted');
  await run('send', id, 'Hello');
  await run('send', id, 'Hello again');
  const { stdout } = await run('show', id, '-n', '4');
  const headings = [...stdout.matchAll(/^(\w+) {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d$/gm)];
  expect(headings.map(([, who]) => who)).toEqual(['Codex', 'You', 'Reasoning', 'Codex']);
});

test('[CL33] a mistyped command is named, with the one that may be meant', async () => {
  const child = spawn(process.execPath, [MAIN, 'conversatoins', 'list'], { stdio: 'pipe' });
  const { code, stderr } = await finished(child);
  expect(code).toBe(2);
  expect(stderr).toContain('unknown command conversatoins; did you mean conversations?');
});
