/**
 * Another user of the machine attacks: a real process with another user id. Needs root, to become that user; the id belongs to nobody, and no
 * account is made.
 */
import { execFileSync, spawn } from 'node:child_process';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { composer, setStage } from './stage.ts';

const ATTACKER = '64999';
const AS_ATTACKER = ['--reuid', ATTACKER, '--regid', ATTACKER, '--clear-groups'];

/** Null if this machine allows the attack. */
function whyNot(): string | null {
  if (process.getuid?.() !== 0) return 'only root can become another user';
  try {
    execFileSync('setpriv', [...AS_ATTACKER, process.execPath, '-e', ''], { stdio: 'ignore' });
  } catch {
    return 'setpriv or node cannot be run as another user';
  }
  try {
    const look = `require('node:fs').readdirSync(process.argv[1])`;
    execFileSync('setpriv', [...AS_ATTACKER, process.execPath, '-e', look, import.meta.dirname], { stdio: 'ignore' });
    return null;
  } catch {
    return 'another user cannot reach this directory, so an attack would show nothing';
  }
}
const reason = whyNot();
const skipped = reason === null ? '' : ` (skipped: ${reason})`;
const stage = setStage();

interface Attack {
  readonly lines: string[];
  readonly done: Promise<string>;
}
const running: ReturnType<typeof spawn>[] = [];
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** Runs a script of the attacker; what it prints is told line by line. */
function attack(script: string, ...args: readonly string[]): Attack {
  const child = spawn('setpriv', [...AS_ATTACKER, process.execPath, '-e', script, ...args], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  const lines: string[] = [];
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      lines.splice(0, lines.length, ...text.split('\n').slice(0, -1));
    });
  }
  return { lines, done: new Promise((done) => child.once('close', () => done(text))) };
}

const FILES = `
const fs = require('node:fs'), net = require('node:net'), path = require('node:path');
const [control, ...names] = process.argv.slice(1);
console.log('control', fs.readFileSync(control, 'utf8').trim());
for (const name of names) {
  for (const [verb, act] of Object.entries({
    read: () => fs.readFileSync(name),
    list: () => fs.readdirSync(name),
    write: () => fs.appendFileSync(name, 'x'),
    replace: () => fs.renameSync(name, name + '.moved'),
  })) {
    try { act(); console.log('DID', verb, name); } catch {}
  }
  net.connect(name).on('connect', () => { console.log('DID connect', name); process.exit(); }).on('error', () => {});
}
`;

test.skipIf(reason !== null)(
  `[ST3][FT10] another user reads, changes, lists and reaches nothing in both homes, no socket and no lock among it${skipped}`,
  async () => {
    const { box } = stage;
    const id = await box.create();
    const watcher = await box.watch(id);
    await box.must('sendMessage', { conversation_id: id, text: 'hello' });
    await watcher.turnEnd();
    await box.must('shellExec', { conversation_id: id, command: 'true' });
    // All above the homes can be entered, so that only their own permissions are tried.
    await chmod(box.dir, 0o755);
    const control = join(box.dir, 'control');
    await writeFile(control, 'readable', { mode: 0o644 });
    const homes = [box.home, box.codexHome];
    const inside = await Promise.all(
      homes.map(async (home) => (await readdir(home, { recursive: true })).map((name) => join(home, name))),
    );
    const names = inside.flat();
    for (const wanted of ['run/server.json', 'run/control.sock', 'instance.lock', 'run/seal.key', 'run/codex.sock']) {
      expect(names).toContain(join(box.home, wanted));
    }
    expect(names.some((name) => name.endsWith('events.sock'))).toBe(true);
    expect(names.some((name) => name.endsWith('pty-host.sock'))).toBe(true);
    const said = await attack(FILES, control, ...homes, ...names).done;
    expect(said).toBe('control readable\n');
  },
);

const PROCESSES = `
const fs = require('node:fs');
const secrets = process.argv.slice(1);
let seen = 0;
for (const pid of fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name))) {
  if (pid === String(process.pid) || pid === String(process.ppid)) continue;
  for (const file of ['cmdline', 'environ', 'comm']) {
    try {
      const text = fs.readFileSync('/proc/' + pid + '/' + file, 'utf8');
      seen += 1;
      for (const secret of secrets) if (text.includes(Buffer.from(secret, 'hex').toString())) console.log('LEAK', pid, file);
    } catch {}
  }
}
console.log('looked', seen > 10);
`;

test.skipIf(reason !== null)(
  `[CL10][MC10] no secret is in what another user sees of our processes${skipped}`,
  async () => {
    const { box } = stage;
    const hosts = await readFile(join(box.home, 'run', 'pty-host.key'), 'utf8').catch(() => 'none-there');
    // In another spelling, so that the attacker does not find its own command line.
    const secrets = [box.token(), hosts.trim()].map((secret) => Buffer.from(secret).toString('hex'));
    expect(await attack(PROCESSES, ...secrets).done).toBe('looked true\n');
  },
);

const TAKE_PORT = `
const net = require('node:net');
const [port] = process.argv.slice(1);
let left = 3;
for (const host of ['127.0.0.1', '0.0.0.0', '::']) {
  const server = net.createServer();
  const end = (text) => { console.log(text, host); left -= 1; if (left === 0) process.exit(); };
  server.on('error', (error) => end(error.code)).listen({ host, port: Number(port) }, () => end('TOOK'));
}
`;

test.skipIf(reason !== null)(
  `[HT6][ST5] another user cannot listen on the port of a running server, nor keep it from starting again${skipped}`,
  async () => {
    const { box } = stage;
    const port = new URL(box.url()).port;
    const said = (await attack(TAKE_PORT, port).done).trim().split('\n').sort();
    expect(said).toEqual(['EADDRINUSE 0.0.0.0', 'EADDRINUSE 127.0.0.1', 'EADDRINUSE ::']);
    await box.restart();
    expect((await box.call('status', {})).status).toBe(200);
  },
);

const THIEF = `
const http = require('node:http');
const [url] = process.argv.slice(1);
const server = http.createServer(async (request, response) => {
  response.end('<!doctype html><title>mine</title>');
  if (request.url !== '/') return;
  const taken = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !name.startsWith('sec-') && name !== 'host'));
  const answers = [];
  for (const [method, path, body] of [
    ['GET', '/api/appserver/conversations'],
    ['POST', '/api/appserver/shell/exec', '{"conversation_id":"x","command":"id"}'],
    ['POST', '/api/session/login', JSON.stringify({ token: 'x'.repeat(43), public_key: { x: 'x'.repeat(43), y: 'y'.repeat(43) } })],
    ['GET', '/api/session/logins'],
  ]) {
    const headers = { ...taken, ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }) };
    answers.push(await new Promise((done) => {
      const asked = http.request(url + path, { method, headers }, (got) => { got.resume(); done(got.statusCode); });
      asked.on('error', () => done(0));
      asked.end(body);
    }));
  }
  console.log('answers', answers.join(' '), 'cookie', String(taken.cookie), 'authorization', String(taken.authorization));
});
server.listen(0, '127.0.0.1', () => console.log('port', server.address().port));
`;

test.skipIf(reason !== null)(
  `[HT5][HT8] a server of another user that the person visits gets nothing that opens ours${skipped}`,
  async () => {
    const visit = await stage.open();
    await composer(visit.page).waitFor();
    const thief = attack(THIEF, stage.box.url());
    await expect.poll(() => thief.lines[0]).toMatch(/^port \d+$/);
    const page = await visit.context.newPage();
    await page.goto(`http://127.0.0.1:${thief.lines[0]?.slice(5)}/`);
    await expect.poll(() => thief.lines[1] ?? '', { timeout: 10_000 }).toMatch(/^answers/);
    expect(thief.lines[1]).toMatch(/^answers 401 401 40[01] 401 cookie undefined authorization undefined$/);
    // The page of the other port cannot use the storage of ours either.
    expect(await page.evaluate('indexedDB.databases().then((all) => all.length)')).toBe(0);
  },
);
