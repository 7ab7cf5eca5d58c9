/**
 * A command of an agent that tries to use the server's authority: by the real Codex, in a sandbox that may use the network, outside the
 * sandbox, and in the shared terminal.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { ECDSA, signProof } from '../../src/testing/session-client.ts';

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
  mcp_token: ['POST', '/api/mcp/token', { conversation_id: own }],
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
  'mcp_token',
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
  return `${process.execPath} ${file} ${box.url()} ${box.token()} ${conversation} ${other}`;
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

test('[AG2] [AG3] a command in a sandbox with network has the rights of its conversation only, whatever token it shows', async () => {
  id = await box.create({ sandbox: 'workspace-write' });
  await expectAgentRights(await runAsAgent(id, await scriptFor(id), ''));
  const hidden = await runAsAgent(id, `env -i setsid --fork --wait ${await scriptFor(id)}`, '');
  for (const name of REFUSED) expect(hidden).toMatch(`${name} 403`);
});

test('[AG2] [AG3] a command outside the sandbox has the rights of its conversation only, whatever token it shows', async () => {
  await expectAgentRights(await runAsAgent(id, await scriptFor(id), 'outside the sandbox'));
});

test('[AG2] a session cannot be had either: a command hidden by env -i and setsid gets no login link', async () => {
  const file = join(box.project, 'link.txt');
  const open = `${process.execPath} ${MAIN} --home ${box.home} open > ${file}.part 2>&1; mv ${file}.part ${file}`;
  await writeFile(join(box.project, 'mint.sh'), `env -i PATH=/usr/bin:/bin setsid -f sh -c 'sleep .3; ${open}'\n`);
  await box.must('shellExec', { conversation_id: id, command: `sh ${join(box.project, 'mint.sh')}` });
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
    command: `${process.execPath} ${MAIN} --home ${box.home} run -- echo made`,
  });
  expect(told).toMatchObject({ stdout: expect.stringContaining('made') });
  expect(told.stdout).not.toMatch('was not told');
  const refused = await box.must('shellExec', {
    conversation_id: id,
    command: `${process.execPath} ${MAIN} --home ${box.home} run --thread ${other} -- echo made`,
  });
  expect(refused.stdout).toMatch(/was not told: .*another conversation than its own/s);
});

test('[AG4] a sandboxed command with network cannot read or change what the server’s rights hang on, also where its directory contains the home', async () => {
  const inside = await box.create({ sandbox: 'workspace-write', cwd: box.dir });
  const { home, codexHome } = box;
  await writeFile(
    join(box.project, 'reach.sh'),
    [
      `cat ${home}/run/server.json ${home}/run/pty-host.key ${home}/run/sessions.json`,
      `ls ${home}/conversations && echo listed`,
      `echo '{"sessions":[]}' > ${home}/run/sessions.json && echo changed-sessions`,
      `echo x >> ${home}/preferences.json && echo changed-preferences`,
      `echo x >> ${codexHome}/config.toml && echo changed-config`,
      `mv ${home} ${home}2 && echo moved`,
      `echo x > ${box.dir}/own && echo wrote-own`,
      'true',
    ].join('\n'),
  );
  const output = await runAsAgent(inside, `sh ${box.project}/reach.sh`, '');
  expect(output).toMatch('wrote-own');
  expect(output).not.toMatch(/api_token|listed|changed-|moved|[0-9a-f]{64}/);
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

test('[AG2] a person outside keeps every right of the token', async () => {
  const ran = await box.must('shellExec', { conversation_id: id, command: 'echo free' }, 'token');
  expect(ran.stdout).toMatch('free');
});
