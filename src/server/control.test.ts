/** The control socket, spoken to by real processes with a client of the test's own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { allowLogin, askForLogin } from '../cli/login-link.ts';
import { fail, ok } from '../contract/result.ts';
import type { Peer } from '../core/access/classify-peer.ts';
import { readLineage } from '../node/ancestry.ts';
import { createLogger } from '../node/logger.ts';
import { type Control, startControl } from './control.ts';

/** Does what the protocol asks, then prints the answer. `liar`: names its parent instead of itself. */
const CLIENT = `
const [path, kind] = process.argv.slice(1);
const socket = require('node:net').connect(path);
socket.setEncoding('utf8').on('data', (text) => {
  const message = JSON.parse(text);
  if (!message.prove) { console.log(text); return process.exit(); }
  if (kind !== 'nameless') require('node:fs').writeFileSync('/proc/self/comm', message.prove);
  socket.write(JSON.stringify({ pid: kind === 'liar' ? process.ppid : process.pid }) + '\\n');
});
socket.write('{"ask":"login"}\\n');
`;
/** Waits for its input to end, so that the test knows its pid first; then starts the client as its child. */
const PARENT = `
process.stdin.resume().on('end', () => {
  require('node:child_process').spawn(process.execPath, ['-e', ...process.argv.slice(1)], { stdio: 'inherit' });
});
`;

const log = createLogger({ level: 'silent' });
let folder = '';
let control: Control;
let forbidden: number[] = [];
let minted = 0;
let isUnknown = false;
let isAtTerminal = true;
const NO_LINK = { url: '', mustConfirm: false };
const children: ChildProcess[] = [];

/** The table of peers has a test of its own; here a process descends from a forbidden one, or is a person's. */
const peerOf = async (pid: number): Promise<Peer> => {
  if (isUnknown) return { kind: 'unknown' };
  const isAgent = readLineage(pid)?.some((ancestor) => forbidden.includes(ancestor.pid)) ?? true;
  return isAgent ? { kind: 'agent', conversationId: null } : { kind: 'person' };
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-control-'));
  forbidden = [];
  minted = 0;
  isUnknown = false;
  control = await startControl({
    path: join(folder, 'run', 'control.sock'),
    mintLogin() {
      minted += 1;
      return { url: `http://127.0.0.1:1/login?token=${minted}`, mustConfirm: false };
    },
    peerOf,
    hasOwnTerminal: async () => isAtTerminal,
    log,
  });
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await control.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Whoever runs these tests may itself be an agent. */
function cleanEnvironment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('CODEX_'));
  return { ...Object.fromEntries(own), ...more };
}

function run(args: readonly string[], env = cleanEnvironment()) {
  const child = spawn(process.execPath, ['-e', ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const answer = new Promise<unknown>((resolve) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(JSON.parse(chunk.toString())));
  });
  return { pid: child.pid ?? 0, answer, go: () => child.stdin.end() };
}

/** Says `lines` and answers everything the server says until it closes. */
function talk(...lines: string[]): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(control.path, () => socket.write(lines.join('')));
    socket.setEncoding('utf8').on('data', (text: string) => {
      heard += text;
    });
    socket.on('error', () => undefined).on('close', () => resolve(heard));
  });
}

describe.skipIf(process.platform !== 'linux')('a process that asks', () => {
  test('[CL12] gets a fresh link when it shows its name', async () => {
    expect(await run([CLIENT, control.path]).answer).toEqual({
      login_url: 'http://127.0.0.1:1/login?token=1',
      must_confirm: false,
    });
    expect(await run([CLIENT, control.path]).answer).toEqual({
      login_url: 'http://127.0.0.1:1/login?token=2',
      must_confirm: false,
    });
  });

  test('[CL12] gets none when it does not', async () => {
    const answer = await run([CLIENT, control.path, 'nameless']).answer;
    expect(answer).toEqual({ error: 'that process does not show the name it was given' });
    expect(minted).toBe(0);
  });

  test('[CL13] gets none when it names another process', async () => {
    const answer = await run([CLIENT, control.path, 'liar']).answer;
    expect(answer).toEqual({ error: 'that process does not show the name it was given' });
  });

  test('[CL13] gets none when it is the child of a forbidden process', async () => {
    const parent = run([PARENT, CLIENT, control.path]);
    forbidden = [parent.pid];
    parent.go();
    expect(await parent.answer).toEqual({ error: 'agents may not make login links' });
    expect(minted).toBe(0);
  });

  test('[CL13] gets none when a forbidden process is its grandparent, and one when it is a stranger', async () => {
    const strange = run([PARENT, CLIENT, control.path]);
    const grandparent = run([PARENT, PARENT, CLIENT, control.path]);
    forbidden = [grandparent.pid];
    grandparent.go();
    strange.go();
    expect(await grandparent.answer).toEqual({ error: 'agents may not make login links' });
    expect(await strange.answer).toEqual({ login_url: 'http://127.0.0.1:1/login?token=1', must_confirm: false });
  });

  test('[CL13] gets none when nothing shows that it is not an agent', async () => {
    isUnknown = true;
    expect(await run([CLIENT, control.path]).answer).toEqual({ error: expect.stringMatching(/older than the server/) });
    expect(minted).toBe(0);
  });

  test('[CL13] gets none when Codex gave it its environment', async () => {
    const answer = await run([CLIENT, control.path], cleanEnvironment({ CODEX_THREAD_ID: 'x' })).answer;
    expect(answer).toEqual({ error: 'agents may not make login links' });
  });
});

test.skipIf(process.env.CODEX_THREAD_ID !== undefined)(
  '[AG12] a browser is let in only from a terminal of a person',
  async () => {
    await control.stop();
    const asked: unknown[] = [];
    const allow = async (code: string, password: string | null) => {
      asked.push([code, password]);
      return password === null ? fail('unauthorized', 'a password is set') : ok(0);
    };
    const own = { path: control.path, mintLogin: () => NO_LINK, peerOf, allowLogin: allow, log };
    control = await startControl({ ...own, hasOwnTerminal: async () => isAtTerminal });
    isAtTerminal = false;
    expect(await allowLogin(folder, '1234', null)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('a terminal of your own') },
    });
    isAtTerminal = true;
    expect(await allowLogin(folder, '1234', null)).toEqual({ ok: true, value: { needsPassword: 'a password is set' } });
    expect(await allowLogin(folder, '1234', 'secret')).toEqual({ ok: true, value: { opensInMs: 0 } });
    forbidden = [process.pid];
    expect(await allowLogin(folder, '1234', 'secret')).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('agents') },
    });
    expect(asked).toEqual([
      ['1234', null],
      ['1234', 'secret'],
    ]);
  },
);

test('[CL12] the socket is 0600 in a directory that is 0700', () => {
  expect(statSync(control.path).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'run')).mode & 0o777).toBe(0o700);
});

test('[CL12] a file left over by a killed server is no obstacle, and a stopped one leaves none', async () => {
  await control.stop();
  expect(() => statSync(control.path)).toThrow();
  control = await startControl({
    path: control.path,
    mintLogin: () => NO_LINK,
    peerOf,
    hasOwnTerminal: async () => false,
    log,
  });
  const again = await startControl({
    path: control.path,
    mintLogin: () => NO_LINK,
    peerOf,
    hasOwnTerminal: async () => false,
    log,
  });
  expect(await talk('{}\n')).toMatch('error');
  await again.stop();
});

test.each([
  ['not JSON', 'hello\n'],
  ['another wish', '{"ask":"token"}\n'],
  ['null', 'null\n'],
  ['a list', '[1]\n'],
  ['a number', '7\n'],
])('[CL14] %s is answered with an error', async (_name, line) => {
  expect(JSON.parse(await talk(line))).toEqual({ error: 'expected {"ask":"login"}' });
});

test.each(['{}', '{"pid":"1"}', '{"pid":-1}', '{"pid":1e99}', '{"pid":4194305}'])(
  '[CL14] %s for a process is answered with an error',
  async (line) => {
    const [prove = '', refusal = ''] = (await talk('{"ask":"login"}\n', `${line}\n`)).split('\n');
    expect(JSON.parse(prove)).toEqual({ prove: expect.stringMatching(/^[0-9a-f]{15}$/) });
    expect(JSON.parse(refusal)).toEqual({ error: expect.any(String) });
    expect(minted).toBe(0);
  },
);

test('[CL14] a line of more than 4 KiB is refused before it ends', async () => {
  expect(JSON.parse(await talk('x'.repeat(5000)))).toEqual({ error: 'a line is too long' });
});

test('[CL14] the seventeenth connection is turned away, and a place comes free again', async () => {
  const open = Array.from({ length: 16 }, () => connect(control.path));
  await Promise.all(open.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  expect(JSON.parse(await talk(''))).toEqual({ error: 'too many connections' });
  const [first] = open;
  first?.end('{}\n').resume();
  await new Promise((resolve) => first?.once('close', resolve));
  expect(JSON.parse(await talk('{}\n'))).toEqual({ error: 'expected {"ask":"login"}' });
  for (const socket of open) socket.destroy();
});

test('[CL14] a client that says nothing is told so and let go', async () => {
  await control.stop();
  control = await startControl({
    path: control.path,
    mintLogin: () => NO_LINK,
    peerOf,
    hasOwnTerminal: async () => false,
    log,
    idleMs: 20,
  });
  expect(JSON.parse(await talk(''))).toEqual({ error: 'nothing was said for too long' });
});

test.skipIf(process.env.CODEX_THREAD_ID !== undefined)('[CL12] the client of the command line speaks it', async () => {
  expect(await askForLogin(folder)).toEqual({
    ok: true,
    value: { url: 'http://127.0.0.1:1/login?token=1', mustConfirm: false },
  });
  forbidden = [process.pid];
  expect(await askForLogin(folder)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
});
