/** The command line as somebody who wires CI to a conversation uses it: over restarts of the server, with signals, and without a server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { commandLine } from '../../src/testing/shell-word.ts';
import { eventFor, eventsOf, openTarget, post, type Target } from './events-stand.ts';

const CLI = join(import.meta.dirname, '../../dist/bin/signalbox.js');
const WAIT = { timeout: 25_000, interval: 50 };
let box: Box;
let target: Target;
const children = new Set<ChildProcess>();
beforeAll(async () => {
  box = await openBox();
  target = await openTarget(box, { label: 'ci' });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await box?.close();
});

function start(args: readonly string[], home = box.home, env: Readonly<Record<string, string>> = {}) {
  const { CODEX_THREAD_ID: _thread, SIGNALBOX_THREAD: _named, ...outer } = process.env;
  const own = { ...outer, HOME: box.dir, CODEX_HOME: box.codexHome, SIGNALBOX_HOME: home, ...env };
  const child = spawn(process.execPath, [CLI, ...args], { env: own, stdio: ['pipe', 'pipe', 'pipe'] });
  children.add(child);
  const exited = new Promise<number | null>((done) => child.once('exit', done));
  return { child, exited };
}

async function run(args: readonly string[], home?: string, env?: Readonly<Record<string, string>>) {
  const { child, exited } = start(args, home, env);
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { stdout, stderr, code };
}

const mine = async (title: string) =>
  (await eventsOf(box, target)).events.filter((one) => one.title.startsWith(title)).map((one) => one.title);

test('[PG139] list names the endpoints of each thread, and no token', async () => {
  const listed = await run(['events', 'list']);
  expect(listed.stdout).toContain(`${box.url()}/v1/events`);
  expect(listed.stdout).toMatch(/^ +socket +\//m);
  const json = JSON.parse((await run(['events', 'list', '--json'])).stdout);
  expect(json.threads[0].endpoints).toMatchObject({ http: `${box.url()}/v1/events` });
  expect(JSON.stringify(json)).not.toContain('token');
});

test('[EV18] tail goes on when the server is started again: nothing is missed, nothing told twice', async () => {
  const before = [eventFor(target.threadId), eventFor(target.threadId), eventFor(target.threadId)];
  for (const event of before) await post(box, event);
  const { child, exited } = start(['events', 'tail', '--thread', 'ci', '--last', '2', '--json']);
  const ids: string[] = [];
  const said: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => ids.push(JSON.parse(line).event_id));
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
  const wanted = before.slice(1).map((event) => event.event_id);
  await expect.poll(() => ids, WAIT).toEqual(wanted);
  await box.restart();
  const after = [eventFor(target.threadId), eventFor(target.threadId)];
  for (const event of after) await post(box, event);
  wanted.push(...after.map((event) => event.event_id));
  await expect.poll(() => ids, WAIT).toEqual(wanted);
  expect(said).toEqual(['the server has gone: waiting for it to come back', 'the server is back']);
  child.kill('SIGINT');
  expect(await exited).toBe(130);
  expect(ids).toEqual(wanted);
});

test('[EV41] run tells the end to a server that was started again meanwhile', async () => {
  const script = 'while [ ! -e go ]; do sleep 0.05; done; exit 9';
  const { child, exited } = start([
    'run',
    '--thread',
    'ci',
    '--title',
    'slow',
    '--',
    'sh',
    '-c',
    `cd "${box.dir}"; ${script}`,
  ]);
  const stderr = text(child.stderr);
  await expect.poll(() => mine('slow'), WAIT).toEqual(['slow started']);
  await box.kill('SIGTERM');
  await run(['run', '--thread', 'ci', '--', 'touch', join(box.dir, 'go')]);
  await box.restart();
  expect(await exited).toBe(9);
  expect(await mine('slow')).toEqual(['slow started', 'slow failed']);
  expect(await stderr).toBe('');
});

test('[EV41] run passes signals on to a command that has no terminal, and tells how it ended', async () => {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const { child, exited } = start(['run', '--thread', 'ci', '--title', signal, '--', 'sleep', '600']);
    await expect.poll(() => mine(signal), WAIT).toEqual([`${signal} started`]);
    child.kill(signal);
    expect(await exited).toBe(code);
    expect(await mine(signal)).toEqual([`${signal} started`, `${signal} failed`]);
  }
});

test('[EV41] without a server, or with a wrong thread, run runs the command all the same and says it once', async () => {
  const away = await run(['run', '--thread', 'ci', '--', 'sh', '-c', 'echo out; exit 3'], join(box.dir, 'nowhere'));
  expect(away).toMatchObject({ code: 3, stdout: 'out\n' });
  expect(away.stderr).toMatch(/^signalbox: the thread was not told: no server runs in .*\n$/);
  const wrong = await run(['run', '--thread', 'nobody', '--', 'true']);
  expect(wrong).toMatchObject({ code: 0, stdout: '' });
  expect(wrong.stderr).toMatch(/^signalbox: the thread was not told: there is no conversation nobody.*\n$/);
});

test('[EV18] a label is never taken for a folder, and why an event waits is shown', async () => {
  const nowhere = join(box.dir, 'nowhere');
  expect(await run(['events', 'inbox-path', '--thread', 'ci'], nowhere)).toMatchObject({ code: 3, stdout: '' });
  const known = await run(['events', 'inbox-path', '--thread', target.threadId], nowhere);
  expect(known).toMatchObject({ code: 0, stdout: `${target.inbox}\n` });
  await box.must('writeEventRules', { rules: [{ match_type: 'a.b', delivery: 'auto_turn' }], allow_sources: [] });
  const sent = await run(['events', 'send', '--thread', 'ci', '--type', 'a.b', '--title', 'why']);
  expect(sent.code).toBe(0);
  const shown = await run(['events', 'show', '--thread', 'ci', '--last', '1']);
  expect(shown.stdout).toContain('queued (not_allowed)');
  await box.must('writeEventRules', { rules: null });
});

test('[EV18] a variable names the thread as well, the option wins, and without any of them the way to find one is told', async () => {
  const send = (env: Record<string, string>, ...more: string[]) =>
    run(['events', 'send', '--type', 'a.b', '--title', 'named', ...more], box.home, env);
  expect(await send({ SIGNALBOX_THREAD: 'ci' })).toMatchObject({ code: 0 });
  expect(await send({ SIGNALBOX_THREAD: '', CODEX_THREAD_ID: target.threadId })).toMatchObject({ code: 0 });
  expect(await send({ SIGNALBOX_THREAD: 'ci', CODEX_THREAD_ID: 'another' })).toMatchObject({ code: 0 });
  expect(await send({ SIGNALBOX_THREAD: 'ci' }, '--thread', 'nobody')).toMatchObject({ code: 5 });
  // A script whose own variable is not set must not reach another thread.
  expect(await send({ SIGNALBOX_THREAD: 'ci' }, '--thread', '')).toMatchObject({ code: 2 });
  const lost = await send({});
  expect(lost.code).toBe(2);
  expect(lost.stderr).toContain('--thread is needed, or SIGNALBOX_THREAD: an id or label that `signalbox events list`');
  expect(lost.stderr).toContain('(see `signalbox events send --help`)');
});

test('[EV18] from the shared terminal nobody has to be named: server and conversation are known there', async () => {
  const words = ['events', 'send', '--type', 'a.b', '--title', 'from the terminal'];
  const command = commandLine(process.execPath, CLI, ...words);
  const ran = await box.must('shellExec', { conversation_id: target.id, command });
  expect(ran).toMatchObject({ exitCode: 0 });
  expect(await mine('from the terminal')).toEqual(['from the terminal']);
});

test('[EV18] a refusal says what to do next', async () => {
  const said = async (...args: string[]) => (await run(['events', 'send', ...args])).stderr.trim();
  const part = ['--type', 'a.b', '--title', 't'] as const;
  expect(await said('--thread', '01a1e4f1-0000-7000-8000-000000000000', ...part)).toMatch(
    /there is no thread .*: `signalbox events list` names those there are$/,
  );
  expect(await said('--thread', 'ci', '{"type":"a.b"}')).toBe('signalbox: title is missing');
  expect(await said('--thread', 'ci', '{"type":"a.b","title":"t","severity":"fatal"}')).toBe(
    'signalbox: severity: expected one of "debug", "info", "warning", "error", "critical"',
  );
  expect(await said('--thread', 'ci', ...part)).toMatch(
    /: queue_for_next_turn \(it goes along with the next message\)$/,
  );
});

test('[EV18] many are sought from the shell, rejected ones are explained, and one is made unread again', async () => {
  const own = await openTarget(box, { label: 'many' });
  await post(box, eventFor(own.threadId, { title: 'Windows is red', severity: 'error', source: { name: 'gh' } }));
  await post(box, eventFor(own.threadId, { title: 'Linux is green', source: { name: 'gh' } }));
  const show = async (...args: string[]) => (await run(['events', 'show', '--thread', 'many', ...args])).stdout;
  expect(await show('--min-severity', 'error', '--source', 'gh')).toMatch(/^\d+ .*Windows is red.*\n$/);
  expect(await show('--search', 'GREEN linux')).toMatch(/^\d+ .*Linux is green.*\n$/);
  expect((await run(['events', 'show', '--thread', 'many', '--search', 'blue'])).stderr).toBe('no events\n');
  await appendFile(own.inbox, '{"type":"a b"}\n');
  await expect.poll(() => show('--rejected'), WAIT).toMatch(/invalid_event: .*\n {2}\{"type":"a b"\}\n$/);
  expect((await run(['events', 'list'])).stdout).toMatch(/2 events, 2 unread, 1 rejected {2}many/);
  const number = /^\d+/.exec(await show('--last', '1'))?.[0] ?? '';
  // A thread that is used for long counts beyond what a page holds.
  const late = await run(['events', 'show', '--thread', 'many', '123456']);
  expect(late).toMatchObject({ code: 1, stderr: 'signalbox: there is no event 123456\n' });
  const ack = async (...args: string[]) => (await run(['events', 'ack', '--thread', 'many', ...args])).stderr;
  expect(await ack()).toBe('2 read, 0 unread\n');
  expect(await ack(number, '--unread')).toBe('1 marked, 1 unread\n');
  expect(await ack('--unread')).toContain('--unread takes the number of an event');
});

test('[EV18] several events are read from stdin, as lines or as an array, each for itself', async () => {
  const send = async (input: string, ...more: string[]) => {
    const { child, exited } = start(['events', 'send', '-', '--thread', 'ci', ...more], box.home);
    child.stdin.end(input);
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
    return { stdout, stderr, code };
  };
  const one = (id: string, change = {}) =>
    JSON.stringify({ event_id: id, type: 'a.b', title: `of many ${id}`, ...change });
  const lines = await send(`${one('l1')}\n\n${one('l2', { title: 7 })}\n${one('l1')}\n${one('l3')}\n`);
  expect(lines.code).toBe(6);
  expect(lines.stderr.split('\n')).toEqual([
    'l1: queue_for_next_turn (it goes along with the next message)',
    'event 2: title: expected string, received number',
    'event 3: this event was here before',
    'l3: queue_for_next_turn (it goes along with the next message)',
    '',
  ]);
  expect(await mine('of many')).toEqual(['of many l1', 'of many l3']);
  const array = await send(`[${one('a1')},${one('a2')}]`, '--json');
  expect(JSON.parse(array.stdout)).toMatchObject({ ok: true, results: [{ event_id: 'a1' }, { event_id: 'a2' }] });
  expect((await send(`${one('x')}\nnot JSON\n`)).stderr).toContain(
    'expected a JSON object, an array of them, or one a',
  );
  expect(await send(`${one('x')}\n${one('y')}`, '--event-id', 'z')).toMatchObject({ code: 2 });
  expect((await send('')).code).toBe(6);
});
