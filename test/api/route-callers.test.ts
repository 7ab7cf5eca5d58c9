/** Every route of the table on a running server, called by everybody who is not a person at the page. What is looser than the written table fails. */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { TOKEN_SCOPES, type TokenScope } from '../../src/contract/access.ts';
import type { RouteDef } from '../../src/contract/route.ts';
import { ROUTES } from '../../src/contract/routes.ts';
import { isRecord } from '../../src/core/text/is-record.ts';
import { type Box, openBox } from '../../src/testing/box.ts';
import { commandLine } from '../../src/testing/shell-word.ts';

// `src/contract/route-scopes.test.ts` compares the table with one that is written by hand.
const routes = Object.entries<RouteDef>(ROUTES);
const scopes = new Map(routes.map(([id, { scope }]) => [id, scope]));
const agents = new Map(routes.flatMap(([id, { agents: access }]) => (access === undefined ? [] : [[id, access]])));
/** Routes with the scope operate at which a token needs the confirmation of a person at a terminal, whatever is asked for. */
const CONFIRMED = new Set([
  'createToken',
  'stageChanges',
  'unstageChanges',
  'discardChanges',
  'commitChanges',
  'createBranch',
  'switchBranch',
  'pullChanges',
  'pushChanges',
  'openPullRequest',
  'cancelShipRun',
  'addSchedule',
  'changeSchedule',
  'runSchedule',
  'removeSchedule',
]);
/** A token for one conversation may use these: they say nothing of any conversation. */
const NOTHING_OF_A_CONVERSATION = new Set(['openapi', 'configSchema', 'session', 'eventSchema', 'models']);
interface Target {
  readonly conversation: string;
  readonly thread: string;
}

interface Call {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly body: string | null;
  readonly type: string;
}

let box: Box;
let own: Target;
let other: Target;
beforeAll(async () => {
  box = await openBox({ isDemo: true, flags: ['--demo'] });
  [own, other] = [await target(), await target()];
});
afterAll(() => box.close());

/** A conversation with a thread. */
async function target(): Promise<Target> {
  const cwd = join(box.dir, `project-${Math.random().toString(36).slice(2)}`);
  await mkdir(cwd);
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd });
  git('init', '-q', '-b', 'main');
  await writeFile(join(cwd, 'a.txt'), 'one');
  git('add', '-A');
  git('commit', '-qm', 'first');
  await writeFile(join(cwd, 'a.txt'), 'two');
  const conversation = await box.create({ cwd, sandbox: 'workspace-write' });
  const watcher = await box.watch(conversation);
  await box.must('sendMessage', { conversation_id: conversation, text: 'hello' });
  await watcher.turnEnd();
  const read = await box.must('readConversation', { id: conversation });
  return { conversation, thread: read.conversation.thread_id ?? '' };
}

/** Values by the name of a parameter, where a word will not do. */
const VALUES: Readonly<Record<string, string>> = {
  num: '1',
  number: '2',
  event_seq: '1',
  checkpoint_id: 'chk_0123456789abcdef',
  schedule_id: 'sch_0123456789abcdef',
};

/** `isReal`: with a body of the right type. Otherwise one that no handler gets: a route that is open answers 415, and nothing happens. */
function callOf(id: string, { method, path, query, body: schema }: RouteDef, to: Target, isReal = false): Call {
  const named: Record<string, string> = { conversation_id: to.conversation, thread_id: to.thread };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    name === 'id' ? to.conversation : (named[name] ?? VALUES[name] ?? 'x'),
  );
  const asked = Object.keys(query?.shape ?? {}).flatMap((name) => {
    const value = named[name] ?? QUERIES[name];
    return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`];
  });
  const isRead = method === 'GET' || method === 'DELETE';
  return {
    id,
    method,
    path: `${filled}${asked.length === 0 ? '' : `?${asked.join('&')}`}`,
    body:
      method === 'GET'
        ? null
        : isReal
          ? JSON.stringify(isRead ? {} : { ...namedIn(schema, named), ...BODIES[id] })
          : 'x',
    type: isReal ? 'application/json' : 'text/plain',
  };
}

/** The names that a body takes. */
const namedIn = (schema: RouteDef['body'], named: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(named).filter(([name]) => schema instanceof z.ZodObject && name in schema.shape));

/** Queries without which an input is refused before anybody asks whose conversation it names. */
const QUERIES: Readonly<Record<string, string>> = { path: 'a.txt', q: 'x', seq: '1', from: 'head', to: 'work_tree' };
const BODIES: Readonly<Record<string, object>> = {
  createToken: { scopes: ['read'] },
  stageChanges: { paths: ['a.txt'] },
  unstageChanges: { paths: ['a.txt'] },
  discardChanges: { paths: ['a.txt'] },
  commitChanges: { message: 'm', what: 'all' },
  createBranch: { name: 'fix' },
  switchBranch: { branch: 'main' },
  openPullRequest: { title: 't', body: '', base: 'main' },
  cancelShipRun: { run: 'x' },
  addSchedule: {
    name: 'x',
    text: 'x',
    when: { kind: 'once', at: '2099-01-01T00:00:00Z' },
    target: { kind: 'directory', cwd: '/tmp' },
  },
  changeSchedule: { paused: true },
  sendMessage: { text: 'x' },
  shellExec: { command: 'true' },
  terminalInput: { data: 'x' },
  terminalResize: { cols: 80, rows: 24 },
  reviewConversation: { target: { kind: 'uncommitted' } },
  appendNote: { text: 'x' },
};

async function statusOf(call: Call, headers: Readonly<Record<string, string>>): Promise<number> {
  const { method, path, body, type } = call;
  const signal = AbortSignal.timeout(20_000);
  const answer = await fetch(`${box.url()}${path}`, {
    method,
    signal,
    headers: { ...headers, ...(body !== null && { 'content-type': type }) },
    ...(body !== null && { body }),
  });
  await answer.body?.cancel();
  return answer.status;
}

/** A read that waits for what may never come is asked by nobody whom it would serve. */
const WAITS = new Set(['boardAwait', 'awaitLogin', 'readShipRun', 'rollouts']);

const expectTable = async (ask: (call: Call) => Promise<string>, wanted: (id: string) => string): Promise<void> => {
  const real: [string, string][] = [];
  for (const [id, route] of routes) real.push([id, await ask(callOf(id, route, own))]);
  expect(real).toEqual(routes.map(([id]) => [id, wanted(id)]));
};

test('[HT8] nobody, and a token that is none of the API, get to public routes only', async () => {
  const { token: mcp } = await box.must('mcpToken', { conversation_id: own.conversation });
  const shown = [
    {},
    { authorization: 'Bearer x' },
    { authorization: `Bearer ${mcp}` },
    { cookie: `token=${box.token()}` },
  ];
  for (const headers of shown)
    await expectTable(
      async (call) => ((await statusOf(call, headers)) === 401 ? 'refused' : 'open'),
      (id) => (scopes.get(id) === 'public' && id !== 'takeWebhook' ? 'open' : 'refused'),
    );
});

test('[HT2] a session that another origin uses gets nowhere, public routes included', async () => {
  for (const origin of ['https://evil.example', 'null', `${box.url()}.evil.example`])
    await expectTable(
      async (call) => ((await statusOf(call, { ...box.sessionHeaders(), origin })) === 403 ? 'refused' : 'open'),
      () => 'refused',
    );
});

test.each(TOKEN_SCOPES.map((scope) => [scope]))('[AT1] a token with the scope %s', async (scope: TokenScope) => {
  const { secret, token } = await box.must('createToken', { label: scope, scopes: [scope] });
  const headers = { authorization: `Bearer ${secret}` };
  await expectTable(
    async (call) => {
      const isWait = WAITS.has(call.id) && scopes.get(call.id) === scope;
      return isWait || (await statusOf(call, headers)) !== 403 ? 'open' : 'refused';
    },
    (id) => (scopes.get(id) === scope || scopes.get(id) === 'public' ? 'open' : 'refused'),
  );
  await box.must('revokeToken', { token_id: token.id });
  expect(await statusOf(callOf('status', ROUTES.status, own), headers)).toBe(401);
});

/** Of a call with a body of the right type. */
async function codeOf(call: Call, headers: Readonly<Record<string, string>>): Promise<string> {
  const { method, path, body, type } = call;
  const answer = await fetch(`${box.url()}${path}`, {
    method,
    headers: { ...headers, ...(body !== null && { 'content-type': type }) },
    ...(body !== null && { body }),
  });
  const said: unknown = await answer.json().catch(() => null);
  return answer.ok ? 'ok' : `${answer.status} ${isRecord(said) ? said.code : ''}`;
}

test("[CH135] [AT1] what is a person's is refused to a token with every scope", async () => {
  const { secret } = await box.must('createToken', { label: 'all', scopes: [...TOKEN_SCOPES] });
  for (const shown of [secret, box.token()]) {
    const headers = { authorization: `Bearer ${shown}` };
    for (const [id, route] of routes) {
      if (scopes.get(id) === 'owner')
        expect([id, await codeOf(callOf(id, route, own, true), headers)]).toEqual([id, '403 forbidden']);
      if (!CONFIRMED.has(id)) continue;
      expect([id, await codeOf(callOf(id, route, own, true), headers)]).toEqual([id, '428 confirmation_required']);
    }
  }
});

const eventFor = (thread: string) => ({
  id: 'publishEvent',
  method: 'POST',
  path: '/v1/events',
  type: 'application/json',
  body: JSON.stringify({
    schema_version: 1,
    event_id: 'e',
    type: 't',
    source: { name: 's' },
    routing: { thread_id: thread },
    title: 't',
    time_unix_ms: 1,
  }),
});

test('[AT8] a token for one conversation gets nothing of another one, and nothing of the server', async () => {
  const { secret } = await box.must('createToken', {
    label: 'own',
    scopes: [...TOKEN_SCOPES],
    conversation_id: own.conversation,
  });
  const headers = { authorization: `Bearer ${secret}` };
  for (const [id, route] of routes) {
    if (scopes.get(id) === 'public' || NOTHING_OF_A_CONVERSATION.has(id)) continue;
    const said = await codeOf(callOf(id, route, other, true), headers);
    // An input that is not complete is said first, and nobody learns anything by it.
    expect([id, said]).toEqual([
      id,
      expect.stringMatching(/^(403 forbidden|400 invalid_(request|event)|401 unauthorized)$/),
    ]);
  }
  expect(await codeOf(eventFor(other.thread), headers)).toMatch(/^(401|403|404) /);
  expect(await codeOf(callOf('readConversation', ROUTES.readConversation, own), headers)).toBe('ok');
});

test('[EV5] [EV8] the event token of a thread sends to its thread, and opens nothing else', async () => {
  const { threads } = await box.must('listEventThreads', {});
  const found = threads.find(({ thread_id }) => thread_id === own.thread);
  const { token } = JSON.parse(await readFile(found?.discovery ?? '', 'utf8'));
  const headers = { authorization: `Bearer ${token}` };
  const isIntake = (id: string) => id === 'publishEvent' || id === 'publishEvents';
  await expectTable(
    async (call) => ((await statusOf(call, headers)) === 401 ? 'refused' : 'open'),
    (id) => ((scopes.get(id) === 'public' && id !== 'takeWebhook') || isIntake(id) ? 'open' : 'refused'),
  );
  expect(await codeOf(eventFor(own.thread), headers)).toBe('ok');
  expect(await codeOf(eventFor(other.thread), headers)).toMatch(/^(401|403|404) /);
});

/** Asks all calls of a file with the token that it is given, and writes the statuses beside it. */
const ASK = `
const { readFileSync, writeFileSync } = require('node:fs');
const [url, token, file] = process.argv.slice(2);
(async () => {
  const said = [];
  for (const { method, path, body, type } of JSON.parse(readFileSync(file, 'utf8'))) {
    const headers = { authorization: 'Bearer ' + token, ...(body !== null && { 'content-type': type }) };
    const answer = await fetch(url + path, { method, headers, ...(body !== null && { body }) });
    said.push(answer.status);
    await answer.body?.cancel();
  }
  writeFileSync(file + '.said', JSON.stringify(said));
})();
`;

async function askAsAgent(calls: readonly Call[]): Promise<readonly number[]> {
  const [script, file] = [
    join(box.dir, 'ask.cjs'),
    join(box.dir, `calls-${calls[0]?.type.length}-${calls.length}.json`),
  ];
  await writeFile(script, ASK);
  await writeFile(file, JSON.stringify(calls));
  const command = commandLine(process.execPath, script, box.url(), box.token(), file);
  await box.must('shellExec', { conversation_id: own.conversation, command });
  return JSON.parse(await readFile(`${file}.said`, 'utf8'));
}

test('[AG2] [AG3] a command of an agent with the token of the server', async () => {
  const asked = routes.filter(([id]) => !WAITS.has(id));
  const said = await askAsAgent(asked.map(([id, route]) => callOf(id, route, own)));
  const real = asked.map(([id], at) => [id, said[at] === 403 ? 'refused' : 'open']);
  expect(real).toEqual(asked.map(([id]) => [id, agents.has(id) || scopes.get(id) === 'public' ? 'open' : 'refused']));
});

test("[AG3] a command of an agent reads nothing of another agent's conversation", async () => {
  const asked = routes.filter(([id, { method }]) => agents.get(id) === 'own' && method === 'GET');
  const said = await askAsAgent(asked.map(([id, route]) => callOf(id, route, other)));
  expect(asked.map(([id], at) => [id, said[at]])).toEqual(asked.map(([id]) => [id, 403]));
});
