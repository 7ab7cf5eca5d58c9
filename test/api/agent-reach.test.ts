/**
 * A command of an agent that tries to use the server's authority: by the real Codex, in a sandbox that may use the network, outside the
 * sandbox, and in the shared terminal.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canRaiseLimits, createLimitMark } from '../../src/node/limit-mark.ts';
import { type Box, openBox } from '../../src/testing/box.ts';
import { ECDSA, signProof } from '../../src/testing/session-client.ts';
import { commandLine, shellWord } from '../../src/testing/shell-word.ts';

const MAIN = resolve(import.meta.dirname, '../../dist/bin/signalbox.js');

let box: Box;
let id = '';
let other = '';
beforeAll(async () => {
  const codexBin = process.env.SIGNALBOX_TEST_CODEX;
  box = await openBox({ isDemo: true, flags: ['--demo'], ...(codexBin !== undefined && { codexBin }) });
  await writeFile(join(box.codexHome, 'config.toml'), '[sandbox_workspace_write]\nnetwork_access = true\n');
  other = await box.create();
});
afterAll(() => box.close());

/** Says what each request of a script was answered with, as `name status`. The token is given to it: the question is whose hands it is in. */
const SCRIPT = `
const [url, token, own, other] = process.argv.slice(2);
const calls = {
  shell_exec: ['POST', '/api/appserver/shell/exec', { conversation_id: own, command: 'true' }],
  terminal: ['POST', '/api/terminal/' + own + '/open', {}],
  shells: ['GET', '/fws/shells'],
  settings: ['PATCH', '/api/appserver/conversations/' + own, { label: 'x' }],
  config: ['GET', '/api/appserver/config'],
  approvals: ['GET', '/api/appserver/approvals'],
  create: ['POST', '/api/appserver/conversations', {}],
  send: ['POST', '/api/appserver/messages', { conversation_id: own, text: 'x' }],
  rpc: ['POST', '/api/appserver/rpc', { method: 'thread/list' }],
  rpc_answer: ['POST', '/api/appserver/rpc', { id: 'apr_0', result: { decision: 'accept' } }],
  mcp_token: ['POST', '/api/mcp/token', { conversation_id: own }],
  worktree: ['POST', '/api/appserver/worktrees', { cwd: '/', branch: 'x' }],
  read_other: ['GET', '/api/appserver/transcript/range?conversation_id=' + other],
  metrics: ['GET', '/metrics'],
  read_own: ['GET', '/api/appserver/transcript/range?conversation_id=' + own],
  board: ['POST', '/api/messages', { who: 'x', message: 'hello' }],
  whoami: ['GET', '/api/session'],
};
(async () => {
  for (const [name, [method, path, body]] of Object.entries(calls)) {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: 'Bearer ' + token, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    console.log(name, response.status, name === 'whoami' ? await response.text() : '');
  }
})();
`;

const REFUSED = [
  'shell_exec',
  'terminal',
  'shells',
  'settings',
  'config',
  'approvals',
  'create',
  'send',
  'rpc',
  'rpc_answer',
  'mcp_token',
  'worktree',
  'read_other',
  'metrics',
];

async function expectAgentRights(output: string): Promise<void> {
  const said = output.split('\n').map((line) => line.trim());
  for (const name of REFUSED) expect(said).toContain(`${name} 403`);
  for (const name of ['read_own', 'board']) expect(said).toContain(`${name} 200`);
  expect(output).toMatch('"credential":"agent"');
}

async function scriptFor(conversation: string): Promise<string> {
  const file = join(box.project, 'reach.cjs');
  await writeFile(file, SCRIPT);
  return commandLine(process.execPath, file, box.url(), box.token(), conversation, other);
}

/** What a command of the agent printed. */
async function runAsAgent(conversation: string, command: string, where: '' | 'outside the sandbox'): Promise<string> {
  const watcher = await box.watch(conversation);
  const before = (await box.entries(conversation)).length;
  await box.must('sendMessage', { conversation_id: conversation, text: `Run \`${command}\` ${where}` });
  if (where !== '') {
    const { approval_id } = await watcher.approval();
    await box.must('answerApproval', { approval_id, decision: 'accept' });
  }
  await watcher.turnEnd();
  const [entry] = (await box.entries(conversation)).slice(before).filter((one) => one.role === 'command');
  if (entry?.role !== 'command') throw new Error('nothing was run');
  return entry.output;
}

test('[AG2] [AG3] [RP9] a command in a sandbox with network has the rights of its conversation only, whatever token it shows', async () => {
  id = await box.create({ sandbox: 'workspace-write' });
  await expectAgentRights(await runAsAgent(id, await scriptFor(id), ''));
  const hidden = await runAsAgent(id, `env -i setsid --fork --wait ${await scriptFor(id)}`, '');
  for (const name of REFUSED) expect(hidden).toMatch(`${name} 403`);
});

test('[AG2] [AG3] a command outside the sandbox has the rights of its conversation only, whatever token it shows', async () => {
  await expectAgentRights(await runAsAgent(id, await scriptFor(id), 'outside the sandbox'));
});

/** Runs a command that leaves its family and its environment behind, and says what it printed. */
async function detached(name: string, command: string, run: (file: string) => Promise<unknown>): Promise<string> {
  const [script, output] = [join(box.project, `${name}.sh`), join(box.project, `${name}.txt`)];
  // The lone `true` keeps the shell from becoming the command: its parent has to end first.
  const body = `sleep .3; ${command} > ${output}.part 2>&1; mv ${output}.part ${output}`;
  await writeFile(script, `env -i PATH=/usr/bin:/bin setsid -f sh -c '${body}'\ntrue\n`);
  await run(script);
  const said = () => readFile(output, 'utf8').catch(() => '');
  await expect.poll(said, { timeout: 20_000 }).not.toBe('');
  return said();
}

const mark = createLimitMark();
const outside = mark === null ? 'there is no prlimit on this machine' : null;

test.skipIf(outside !== null)(
  '[AG8] a detached command outside the sandbox, or of the shared terminal, cannot use the token',
  async () => {
    const script = await scriptFor(id);
    // With network a command that is allowed outside the sandbox still has a process namespace, which ends with it.
    const free = await box.create({ sandbox: 'danger-full-access', approval: 'never' });
    const byCodex = await detached('by-codex', script, (file) => runAsAgent(free, `sh ${file}`, ''));
    const lower = `prlimit --nproc=1000 ${script}`;
    const lowered = await detached('lowered', lower, (file) =>
      box.must('shellExec', { conversation_id: id, command: `sh ${file}` }),
    );
    for (const said of [byCodex, lowered]) {
      for (const name of [...REFUSED, 'read_own']) expect(said).toMatch(`${name} 403`);
      expect(said).toMatch('"credential":"agent"');
    }
  },
);

test.skipIf(outside !== null || canRaiseLimits())(
  '[AG8] a detached program of a person keeps the rights of the token and gets a login link',
  async () => {
    const run = async (file: string) => execFileSync('sh', [file]);
    expect(await detached('by-person', await scriptFor(id), run)).toMatch(
      /shell_exec 200[\s\S]*"credential":"api_token"/,
    );
    expect(await detached('tmux', `${process.execPath} ${MAIN} --home ${box.home} open --no-open`, run)).toMatch(
      'token=',
    );
  },
);

test('[AG2] a session cannot be had either: a command hidden by env -i and setsid gets no login link', async () => {
  const file = join(box.project, 'link.txt');
  const open = `${commandLine(process.execPath, MAIN, '--home', box.home, 'open')} > ${shellWord(`${file}.part`)} 2>&1`;
  const mint = `sleep .3; ${open}; ${commandLine('mv', `${file}.part`, file)}`;
  await writeFile(join(box.project, 'mint.sh'), `env -i PATH=/usr/bin:/bin setsid -f sh -c ${shellWord(mint)}\n`);
  await box.must('shellExec', { conversation_id: id, command: commandLine('sh', join(box.project, 'mint.sh')) });
  const said = () => readFile(file, 'utf8').catch(() => '');
  await expect.poll(said, { timeout: 20_000 }).not.toBe('');
  expect(await said()).not.toMatch('token=');
  expect(await said()).toMatch(/agents may not make login links|nothing shows that this is not/);
});

test('[AG2] [AG3] a command of the shared terminal has the same rights, and `signalbox run` works there', async () => {
  const ran = await box.must('shellExec', { conversation_id: id, command: await scriptFor(id) });
  await expectAgentRights(ran.stdout);
  const told = await box.must('shellExec', {
    conversation_id: id,
    command: commandLine(process.execPath, MAIN, '--home', box.home, 'run', '--', 'echo', 'made'),
  });
  expect(told).toMatchObject({ stdout: expect.stringContaining('made') });
  expect(told.stdout).not.toMatch('was not told');
  const refused = await box.must('shellExec', {
    conversation_id: id,
    command: commandLine(process.execPath, MAIN, '--home', box.home, 'run', '--thread', other, '--', 'echo', 'made'),
  });
  expect(refused.stdout).toMatch(/was not told: .*another conversation than its own/s);
});

test('[AG4] a sandboxed command with network cannot read or change what the server’s rights hang on, also where its directory contains the home', async () => {
  const inside = await box.create({ sandbox: 'workspace-write', cwd: box.dir });
  const [home, codexHome, own] = [box.home, box.codexHome, join(box.dir, 'own')].map(shellWord);
  await writeFile(
    join(box.project, 'reach.sh'),
    [
      `cat ${home}/run/server.json ${home}/run/pty-host.key ${home}/run/sessions.json`,
      `ls ${home}/conversations && echo listed`,
      `echo '{"sessions":[]}' > ${home}/run/sessions.json && echo changed-sessions`,
      `echo x >> ${home}/preferences.json && echo changed-preferences`,
      `echo x >> ${codexHome}/config.toml && echo changed-config`,
      `mkdir -p ${box.dir}/config/signalbox`,
      `echo 'notify.command = ["sh"]' > ${box.dir}/config/signalbox/config.toml && echo changed-own-config`,
      `mv ${home} ${home}2 && echo moved`,
      `echo x > ${own} && echo wrote-own`,
      'true',
    ].join('\n'),
  );
  const output = await runAsAgent(inside, commandLine('sh', join(box.project, 'reach.sh')), '');
  expect(output).toMatch('wrote-own');
  expect(output).not.toMatch(/api_token|listed|changed-|moved|[0-9a-f]{64}/);
});

/** Tries to reach a thread by its event token: reads the token, and shows the one it is given over HTTP and on the socket. */
const EVENT_SCRIPT = `
const [url, discovery, token, thread] = process.argv.slice(2);
const fs = require('node:fs');
try { fs.readFileSync(discovery); console.log('discovery read'); } catch { console.log('discovery hidden'); }
const event = (id) => ({ schema_version: 1, time_unix_ms: Date.now(), event_id: id, type: 'x.y', title: 'forged', source: { kind: 'ci', name: 'ci' }, routing: { thread_id: thread } });
const socket = require('node:net').connect(discovery.replace('external_events.json', 'events.sock'));
socket.on('error', () => console.log('socket unreachable'));
socket.on('data', (text) => { console.log('socket answered', String(text)); socket.destroy(); });
socket.on('connect', () => socket.write(JSON.stringify({ token, event: event('s' + process.pid) }) + '\\n'));
fetch(url + '/v1/events', {
  method: 'POST',
  headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
  body: JSON.stringify(event('h' + process.pid)),
}).then(async (answer) => console.log('http', answer.status, await answer.text()));
`;

async function threadOf(conversation: string): Promise<string> {
  return String((await box.must('readConversation', { id: conversation })).conversation.thread_id);
}

async function eventScriptFor(conversation: string): Promise<string> {
  const thread_id = await threadOf(conversation);
  const discovery = join(box.codexHome, 'sessions', thread_id, 'external_events.json');
  await expect.poll(() => readFile(discovery, 'utf8').catch(() => '')).not.toBe('');
  const { token } = JSON.parse(await readFile(discovery, 'utf8'));
  const file = join(box.project, 'events.cjs');
  await writeFile(file, EVENT_SCRIPT);
  return commandLine(process.execPath, file, box.url(), discovery, token, thread_id);
}

test('[AG13] an event token of another conversation opens nothing for a command of an agent: in a sandbox with network, in the shared terminal, detached', async () => {
  const watcher = await box.watch(other);
  await box.must('sendMessage', { conversation_id: other, text: 'Hello' });
  await watcher.turnEnd();
  const script = await eventScriptFor(other);
  const sandboxed = await runAsAgent(id, script, '');
  expect(sandboxed).toMatch('discovery hidden');
  expect(sandboxed).toMatch('socket unreachable');
  expect(sandboxed).toMatch(/http 403 .*its own thread only/);
  const inTerminal = await box.must('shellExec', { conversation_id: id, command: script });
  expect(inTerminal.stdout).toMatch(/http 403 .*its own thread only/);
  const own = await box.must('shellExec', { conversation_id: id, command: await eventScriptFor(id) });
  expect(own.stdout).toMatch('http 202');
  if (outside === null) {
    const run = (file: string) => box.must('shellExec', { conversation_id: id, command: `sh ${file}` });
    expect(await detached('events', script, run)).toMatch(/http 403 .*its own thread only/);
  }
});

test.skipIf(!existsSync('/usr/bin/ss') && !existsSync('/bin/ss'))(
  '[AG30] on the event socket too, the token of another conversation opens nothing for a command of an agent: in the shared terminal, outside the sandbox, detached',
  async () => {
    const free = await box.create({ sandbox: 'danger-full-access', approval: 'never' });
    const script = await eventScriptFor(other);
    const refused = /socket answered .*"code":"forbidden".*its own thread only/;
    const inTerminal = await box.must('shellExec', { conversation_id: id, command: script });
    expect(inTerminal.stdout).toMatch(refused);
    expect(await runAsAgent(free, script, '')).toMatch(refused);
    if (outside === null)
      expect(await detached('socket', script, (file) => runAsAgent(free, `sh ${file}`, ''))).toMatch(refused);
    const own = await box.must('shellExec', { conversation_id: id, command: await eventScriptFor(id) });
    expect(own.stdout).toMatch(/socket answered .*"ok":true/);
    const { events } = await box.must('listEvents', { thread_id: await threadOf(other), limit: 100 });
    expect(events.filter((one) => one.event_id.startsWith('s'))).toEqual([]);
  },
);

/** Looks for the token of Codex's tools in the environment of every process, and opens `/mcp` with it. */
const MCP_SCRIPT = `
const fs = require('node:fs');
const [url, home] = process.argv.slice(2);
const text = (pid) => { try { return fs.readFileSync('/proc/' + pid + '/environ', 'utf8'); } catch { return ''; } };
const found = fs.readdirSync('/proc').map(text).find((env) => env.includes(home) && /SIGNALBOX_MCP_TOKEN=sbmcp/.test(env)) ?? '';
const token = /SIGNALBOX_MCP_TOKEN=([^\\0]+)/.exec(found)?.[1];
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
fetch(url + '/mcp', {
  method: 'POST',
  headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body,
}).then((answer) => console.log(token === undefined ? 'no token found' : 'mcp ' + answer.status));
`;

test.skipIf(outside !== null)(
  '[AG14] a detached command of an agent cannot use the token of Codex’s tools, which opens the terminals of all conversations',
  async () => {
    const file = join(box.project, 'mcp.cjs');
    await writeFile(file, MCP_SCRIPT);
    const script = commandLine(process.execPath, file, box.url(), box.codexHome);
    const run = (sh: string) => box.must('shellExec', { conversation_id: id, command: `sh ${sh}` });
    expect(await detached('mcp', script, run)).toBe('mcp 403\n');
    const attached = await box.must('shellExec', { conversation_id: id, command: script });
    expect(attached.stdout).toMatch('mcp 403');
  },
);

test('[AG9] the network of a conversation is the effective one', async () => {
  const networkOf = async (conversation: string) =>
    (await box.must('conversationNetwork', { id: conversation })).network;
  const draft = await box.create({ sandbox: 'workspace-write' });
  // The configuration allows it, both before the first message and in the loaded thread.
  expect(await networkOf(draft)).toBe(true);
  expect(await networkOf(id)).toBe(true);
  await box.must('patchConversation', { id: draft, sandbox: 'read-only' });
  expect(await networkOf(draft)).toBe(false);
});

test('[AG6] a conversation in a directory that contains the homes warns, in its transcript and in the answer', async () => {
  const named = [`(${box.home})`, `(${box.codexHome})`, 'Not protected'];
  const created = await box.must('createConversation', { cwd: box.dir });
  const moved = await box.must('createConversation', { cwd: box.project });
  expect(moved.warnings).toBeUndefined();
  expect(await box.entries(moved.id)).toEqual([]);
  const changed = await box.must('patchConversation', { id: moved.id, cwd: box.dir });
  for (const [conversation, warnings] of [
    [created.id, created.warnings],
    [moved.id, changed.warnings],
  ] as const) {
    for (const text of named) expect(warnings?.join()).toMatch(text);
    const entries = await box.entries(conversation);
    expect(entries).toMatchObject([{ role: 'warning', code: 'homes_in_directory', text: warnings?.[0] }]);
  }
  const again = await box.must('patchConversation', { id: moved.id, cwd: box.dir, label: 'same place' });
  expect(again.warnings).toBeUndefined();
});

test('[AG5] a session that somebody else wrote opens nothing after a restart', async () => {
  const path = join(box.home, 'run', 'sessions.json');
  const { privateKey, publicKey } = await crypto.subtle.generateKey(ECDSA, true, ['sign', 'verify']);
  const { x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  const { id: ownId, jwk } = box.session().stored;
  const ownKey = await crypto.subtle.importKey('jwk', jwk, ECDSA, false, ['sign']);
  const sealed = await readFile(path, 'utf8');
  // What the server wrote itself outlives a restart.
  await box.restart();
  await expect(signProof(box.url(), ownId, ownKey)).resolves.toEqual(expect.any(String));
  await box.kill();
  // The same text with a key of the attacker's, so that nothing but the seal is wrong.
  const forged = sealed.replace(/"x":"[^"]+","y":"[^"]+"/g, `"x":"${x}","y":"${y}"`);
  expect(forged).not.toBe(sealed);
  await writeFile(path, forged);
  await box.restart();
  await expect(signProof(box.url(), ownId, privateKey)).rejects.toThrow(': 401 ');
});

test('[AG7] forged, unsealed and older settings of a conversation, and forged event rules, are not used, and it is said once', async () => {
  const ids = await Promise.all(['forged', 'replayed', 'kept'].map((label) => box.create({ label })));
  const [forged = '', replayed = '', kept = ''] = ids;
  const sidecar = (one: string) => join(box.home, 'conversations', one, 'conversation_meta.json');
  const rules = join(box.home, 'event_rules.json');
  const settingsOf = async (one: string) => (await box.must('readConversation', { id: one })).conversation;
  await box.must('patchConversation', { id: replayed, approval: 'never', sandbox: 'danger-full-access' });
  const loose = await readFile(sidecar(replayed), 'utf8');
  await box.must('patchConversation', { id: replayed, approval: 'on-request', sandbox: 'workspace-write' });
  await box.must('patchConversation', { id: kept, approval: 'untrusted', label: 'kept as it is' });
  await box.must('writeEventRules', { rules: [] });
  await box.kill();
  const meta = JSON.parse(await readFile(sidecar(forged), 'utf8'));
  await writeFile(sidecar(forged), JSON.stringify({ ...meta, approval: 'never', sandbox: 'danger-full-access' }));
  await writeFile(sidecar(replayed), loose);
  const auto = { match_type: '*', delivery: 'auto_turn' };
  await writeFile(rules, JSON.stringify({ ...JSON.parse(await readFile(rules, 'utf8')), rules: [auto] }));
  for (const round of [1, 2]) {
    await box.restart();
    for (const one of [forged, replayed]) {
      expect(await settingsOf(one), `round ${round}`).toMatchObject({ approval: 'untrusted', sandbox: 'read-only' });
      const warned = async () => (await box.entries(one)).filter((entry) => entry.role === 'warning');
      await expect.poll(warned).toMatchObject([{ code: 'settings_forged' }]);
    }
    expect(await settingsOf(kept)).toMatchObject({ approval: 'untrusted', label: 'kept as it is' });
    expect(await box.entries(kept)).toEqual([]);
    expect(await box.must('readEventRules', {})).toMatchObject({ from: 'config' });
  }
  // A removed key does not open the way for files without a seal.
  await box.kill();
  await rm(join(box.home, 'run', 'seal.key'));
  const { rights_seal: _seal, ...bare } = JSON.parse(loose);
  await writeFile(sidecar(replayed), JSON.stringify(bare));
  await box.restart();
  expect(await settingsOf(replayed)).toMatchObject({ approval: 'untrusted', sandbox: 'read-only' });
});

test('[AG2] a person outside keeps every right of the token', async () => {
  const ran = await box.must('shellExec', { conversation_id: id, command: 'echo free' }, 'token');
  expect(ran.stdout).toMatch('free');
});
