/** Thread ids that want to be paths, by every way in: what the server does to files, told by the system itself. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { eventFor, eventsOf, openTarget, overSocket, post, type Target, untilState } from './events-stand.ts';

const CAN_TRACE = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
const SECRET = 'of the hook';
const WAIT = { timeout: 25_000, interval: 20 };
/** In every hostile id, so that a path made of one is known. */
const CANARY = 'canary';
const HOSTILE = [
  `../../${CANARY}`,
  `..%2f..%2f${CANARY}`,
  `%2e%2e/${CANARY}`,
  `/tmp/${CANARY}`,
  `a/${CANARY}`,
  `..\\${CANARY}`,
  `${CANARY}\0.jsonl`,
  `${CANARY}\n`,
  `${CANARY}․․∕x`,
  `～/${CANARY}`,
  CANARY.repeat(1_700),
  // As an id may be written, but nobody's.
  `${CANARY}-0000`,
];

/** Where a server looks by itself, whatever it is asked: its own program, what the system says of processes and names, and the libraries of `ss`. */
const ROOT = resolve(import.meta.dirname, '../..');
const OWN = [
  ...[join(ROOT, 'dist'), join(ROOT, 'node_modules')],
  ...['/proc', '/sys/', '/dev/', '/etc/', '/usr/', '/lib', '/selinux'],
];

/** strace writes bytes that are not ASCII in octal. */
const readOctal = (text: string): string =>
  text.replace(/(?:\\\d{3})+/g, (run) =>
    Buffer.from(
      run
        .slice(1)
        .split('\\')
        .map((byte) => Number.parseInt(byte, 8)),
    ).toString(),
  );

/** Follows every call of the server that names a file, from when it resolves; `end` answers the paths. */
async function traceFiles(box: Box, out: string): Promise<{ end(): Promise<string[]> }> {
  const args = ['-f', '-p', String(box.pid()), '-e', 'trace=%file', '-s', '8192', '-o', out];
  const tracer: ChildProcess = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((done) => tracer.once('exit', done));
  let said = '';
  tracer.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await expect.poll(() => said, WAIT).toContain('attached');
  return {
    async end() {
      tracer.kill('SIGINT');
      await ended;
      // Who a request comes from is looked up among the open files of processes: those links are read, and nothing they name.
      const calls = (await readFile(out, 'utf8'))
        .split('\n')
        // A call that another thread interrupts is written as two lines.
        .filter((call) => !/readlink\("\/proc\/\d+\/fd\/|readlink resumed/.test(call));
      return calls.flatMap((call) =>
        [...call.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, path = '']) => readOctal(path)),
      );
    },
  };
}

/** What is said to an event, or a request, for a thread of this id, by each way in. */
async function knock(box: Box, target: Target, threadId: string): Promise<Record<string, unknown>> {
  const event = eventFor(threadId);
  const cloud = { specversion: '1.0', id: `c-${event.event_id}`, source: '/ci', type: 'a.b', threadid: threadId };
  const headers = { 'ce-specversion': '1.0', 'ce-id': 'h', 'ce-source': '/ci', 'ce-type': 'a.b' };
  const named = encodeURIComponent(threadId);
  const body = JSON.stringify({ zen: 'x' });
  const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
  const hook = { authorization: '', 'x-hub-signature-256': signature, 'x-github-event': 'ping' };
  const asked = async (method: string, path: string) => {
    const init = { method, headers: { authorization: `Bearer ${box.token()}`, 'content-type': 'application/json' } };
    return (await fetch(`${box.url()}${path}`, method === 'GET' ? init : { ...init, body: '{}' })).status;
  };
  const rpc = (method: string, params: Record<string, unknown>) => box.call('rpc', { method, params });
  const { token } = await target.discovery();
  const [over] = await overSocket(target, [{ token, event }]);
  await appendFile(target.inbox, `${JSON.stringify(event)}\n`);
  await writeFile(join(target.dir, 'inbox', `${event.event_id}.json`), JSON.stringify(event));
  return {
    http: (await post(box, event)).status,
    batch: (await post(box, [event], {}, '/v1/events:batch')).body.results?.[0]?.ok ?? false,
    cloud: (await post(box, cloud, { 'content-type': 'application/cloudevents+json' })).status,
    headers: (await post(box, '{}', { ...headers, 'ce-threadid': named })).status,
    hook: (await post(box, body, { ...hook, 'x-github-delivery': String(event.event_id) }, `/v1/hooks/github/${named}`))
      .status,
    list: await asked('GET', `/v1/threads/${named}/events`),
    read: await asked('GET', `/v1/threads/${named}/events/1`),
    rejected: await asked('GET', `/v1/threads/${named}/rejected`),
    ack: await asked('POST', `/v1/threads/${named}/events/1/ack`),
    rpc: (await rpc('externalEvent/publish', { event })).status,
    rpcList: (await rpc('externalEvent/list', { thread_id: threadId })).status,
    socket: over?.ok,
  };
}

const skipped = CAN_TRACE ? '' : ' (skipped: strace is not installed, or may not trace here)';
test.skipIf(!CAN_TRACE)(
  `[EV42] a thread id that wants to be a path is refused by every way in, and no file outside the homes is touched${skipped}`,
  async () => {
    // Else libuv may have the kernel open files where no tracer sees it.
    const sources = `[{ type = "webhook", provider = "github", secret = "${SECRET}" }]`;
    const box = await openBox({ env: { UV_USE_IO_URING: '0' }, flags: ['-c', `external_events.sources=${sources}`] });
    try {
      const target = await openTarget(box);
      // What is loaded by the first request of a kind is not what is looked for.
      await knock(box, target, `${CANARY}-first`);
      await expect.poll(async () => (await eventsOf(box, target)).quarantined, WAIT).toBe(2);
      const before = 2;
      const trace = await traceFiles(box, join(box.dir, 'trace'));
      const refused = new Set<unknown>([false, 400, 404, 413, 414]);
      for (const threadId of HOSTILE) {
        const answers = Object.entries(await knock(box, target, threadId));
        expect([threadId.slice(0, 40), answers.filter(([, answer]) => !refused.has(answer))]).toEqual([
          threadId.slice(0, 40),
          [],
        ]);
      }
      await expect.poll(async () => (await eventsOf(box, target)).quarantined - before, WAIT).toBe(2 * HOSTILE.length);
      const known = eventFor(target.threadId);
      await writeFile(join(target.dir, 'inbox', 'known.json'), JSON.stringify(known));
      await untilState(box, target, known.event_id, 'queued');
      const dropped = join(target.dir, 'inbox');
      // The drop folder is the only one that is held open, and its files are named by its handle.
      const paths = (await trace.end()).map((path) => path.replace(/^\/proc\/self\/fd\/\d+(?=\/|$)/, dropped));
      // It sees what it is to see.
      expect(paths).toContain(join(dropped, 'known.json'));
      expect(paths.filter((path) => path.includes(CANARY) && !path.startsWith(dropped))).toEqual([]);
      const outside = paths.map((path) => resolve(box.project, path)).filter((path) => !path.startsWith(`${box.dir}/`));
      expect([...new Set(outside)].filter((path) => !OWN.some((place) => path.startsWith(place)))).toEqual([]);
    } finally {
      await box.close();
    }
  },
);
