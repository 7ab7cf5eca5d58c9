/** One suite over every queue adapter, against the real broker, the real server and real processes. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openQueue } from '../../src/adapters/open-queue.ts';
import { ADAPTER_TYPES, AdapterEntry } from '../../src/contract/adapter.ts';
import { MAX_EVENT_BYTES } from '../../src/contract/external-event.ts';
import { PASSWORD, reasonMissing } from './brokers.ts';
import {
  eventFor,
  type Line,
  ledgerOf,
  openStand,
  type Stand,
  statusOf,
  THERE,
  untilStatus,
  untilStored,
} from './stand.ts';

/** 10,000 take longer than a test run should; `SIGNALBOX_BACKLOG=10000` has them. */
const BACKLOG = Number(process.env.SIGNALBOX_BACKLOG ?? '2000');

for (const type of ADAPTER_TYPES) {
  const reason = reasonMissing(type);
  if (reason !== null) console.warn(`adapters: the rows of ${type} do not run: ${reason}`);
}
if (BACKLOG < 10_000) console.warn(`adapters: a backlog of ${BACKLOG}; SIGNALBOX_BACKLOG=10000 takes the long one`);

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
}, 120_000);
afterAll(() => stand?.close(), 60_000);

describe.each(THERE)('the adapter for %s', (type) => {
  const lineOf = (): Line => {
    const line = stand.lines.get(type);
    if (line === undefined) throw new Error(`there is no ${type}`);
    return line;
  };
  const publish = async (count: number): Promise<string[]> => {
    const line = lineOf();
    const events = Array.from({ length: count }, () => eventFor(line));
    await line.producer.publish(events.map(({ body }) => body));
    return events.map(({ id }) => id);
  };

  test('[AD3][AD6] stores what is published, with the subject as its source and the trust of its broker', async () => {
    const ids = await publish(3);
    expect(await untilStored(stand, lineOf(), ids)).toEqual(ids);
    const event = (await ledgerOf(stand, lineOf())).find(({ event_id }) => event_id === ids[0]);
    const subject = { nats: 'ci.linux', redis: 'ci', mqtt: 'ci/linux', rabbitmq: 'ci.linux' }[type];
    expect(event).toMatchObject({
      source: { name: subject },
      trust: { origin: 'queue', authenticated: true, provenance: 'user', treat_as_instruction: false },
    });
    await untilStatus(stand, lineOf(), { state: 'running', taken: 3, delivery: 'at least once', provenance: 'user' });
  });

  test('[AD7] a message that comes twice is one event', async () => {
    const line = lineOf();
    const { duplicates } = await statusOf(stand, line);
    const { id, body } = eventFor(line);
    await line.producer.publish([body, body, body]);
    await untilStored(stand, line, [id]);
    await untilStatus(stand, line, { duplicates: duplicates + 2 });
    expect((await ledgerOf(stand, line)).filter(({ event_id }) => event_id === id)).toHaveLength(1);
  });

  test('[AD8] what is no event is set aside with the reason and holds nothing up', async () => {
    const line = lineOf();
    const { refused } = await statusOf(stand, line);
    const frame = eventFor(line, { summary: '' }).body.length;
    const bad = [
      eventFor(line, { summary: 'x'.repeat(MAX_EVENT_BYTES + 1 - frame) }).body,
      '{"schema_version":1,',
      eventFor(line, { routing: { thread_id: 'elsewhere' } }).body,
      new Uint8Array([0x22, 0xff, 0x22]),
      '{"some":"json"}',
      eventFor(line, { type: 'no type at all' }).body,
    ];
    const good = eventFor(line);
    await line.producer.publish([...bad, good.body]);
    await untilStored(stand, line, [good.id]);
    await untilStatus(stand, line, { refused: refused + bad.length });
    const path = join(stand.box.home, 'adapters', `${type}.rejected.jsonl`);
    const reasons = (await readFile(path, 'utf8'))
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text).reason);
    expect(
      reasons
        .slice(-bad.length)
        .sort()
        .map((reason) => reason.split(':')[0]),
    ).toEqual(['invalid_event', 'invalid_event', 'invalid_event', 'invalid_event', 'too_large', 'unknown_thread']);
  });

  test('[AD9] a broker that is started again loses nothing and doubles nothing', async () => {
    const line = lineOf();
    const before = await publish(50);
    await line.broker.stop();
    await untilStatus(stand, line, { state: 'connecting' });
    await line.broker.start();
    const after = await publish(50);
    const stored = await untilStored(stand, line, [...before, ...after]);
    expect(stored).toHaveLength(100);
    await untilStatus(stand, line, { state: 'running' });
  });

  test('[AD9][AD10] an adapter that is killed is started again, and goes on where it was', async () => {
    const line = lineOf();
    const { pid } = await statusOf(stand, line);
    const first = await publish(100);
    process.kill(pid, 'SIGKILL');
    const second = await publish(100);
    expect(await untilStored(stand, line, [...first, ...second])).toHaveLength(200);
    expect((await statusOf(stand, line)).pid).not.toBe(pid);
  });

  test('[AD6][AD9] a server that is killed between its sync and its answer has each event once', async () => {
    const line = lineOf();
    const credentialPath = join(stand.box.home, 'run', 'adapters', type, 'credential.json');
    const credential = JSON.parse(await readFile(credentialPath, 'utf8'));
    let requests = 0;
    // Between the two: the server has answered, and the adapter never hears it.
    const between = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      requests += 1;
      if (requests > 1) {
        response.destroy();
        return;
      }
      const { authorization = '', 'x-signalbox-broker': broker = '' } = request.headers;
      const headers = { authorization, 'x-signalbox-broker': String(broker), 'content-type': 'application/json' };
      await fetch(credential.url, { method: 'POST', headers, body: Buffer.concat(chunks) }).then((answer) =>
        answer.text(),
      );
      await stand.box.kill();
      response.destroy();
    });
    onTestFinished(() => void between.close());
    await new Promise<void>((done) => between.listen(0, '127.0.0.1', done));
    const address = between.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await writeFile(credentialPath, JSON.stringify({ ...credential, url: `http://127.0.0.1:${port}/` }));
    const { pid } = await statusOf(stand, line);
    process.kill(pid, 'SIGKILL');
    await expect.poll(async () => (await statusOf(stand, line)).pid, { timeout: 20_000 }).not.toBe(pid);
    await untilStatus(stand, line, { state: 'running' });
    const ids = await publish(20);
    await stand.box.exited();
    await untilStatus(stand, line, { state: 'waiting' });
    await stand.box.restart();
    expect(requests).toBeGreaterThan(0);
    expect(await untilStored(stand, line, ids)).toHaveLength(20);
    await expect.poll(async () => (await statusOf(stand, line)).duplicates, { timeout: 20_000 }).toBeGreaterThan(0);
    await untilStatus(stand, line, { state: 'running' });
  });

  test('[AD12] a server that stands still keeps messages at the broker, and then has each once', async () => {
    const line = lineOf();
    const serverPid = stand.box.pid();
    process.kill(serverPid, 'SIGSTOP');
    let ids: string[] = [];
    try {
      ids = await publish(1_000);
      const waiting = await line.producer.waiting();
      if (waiting !== null) expect(waiting).toBeGreaterThan(300);
    } finally {
      process.kill(serverPid, 'SIGCONT');
    }
    expect(await untilStored(stand, line, ids)).toHaveLength(1_000);
  });

  test(
    `[AD9] a backlog is stored in order, each message once`,
    async () => {
      const line = lineOf();
      const { pid } = await statusOf(stand, line);
      process.kill(pid, 'SIGSTOP');
      const ids = await publish(BACKLOG).finally(() => process.kill(pid, 'SIGCONT'));
      const stored = await untilStored(stand, line, ids, 60_000 + BACKLOG * 10);
      expect(stored).toHaveLength(BACKLOG);
      expect(stored).toEqual(ids);
    },
    120_000 + BACKLOG * 10,
  );

  test('[AD11] a wrong credential is told as what it is, without the password', async () => {
    const { broker } = lineOf();
    const entry = AdapterEntry.parse({ type, url_env: 'BROKER_URL', threads: ['x'], name: 'wrong', ...broker.queue });
    const url = broker.url.replace(/:[^:@/]*@/, ':not-the-word@');
    const opened = await openQueue(entry, { BROKER_URL: url }, 'home');
    expect(opened).toMatchObject({ ok: false, error: { code: 'unauthorized' } });
    expect(JSON.stringify(opened)).not.toContain('not-the-word');
    const away = await openQueue(entry, { BROKER_URL: url.replace(/:\d+$/, ':1') }, 'home');
    expect(away).toMatchObject({ ok: false, error: { code: 'not_running' } });
  });
});

describe('beside the rows of all', () => {
  const brokerOf = (type: string) => {
    const line = stand.lines.get(type);
    if (line === undefined) throw new Error(`there is no ${type}`);
    return line.broker;
  };

  test.runIf(THERE.includes('nats'))('[AD3] an nkey is known as one', async () => {
    const { dir, host, queue } = brokerOf('nats');
    const seed = join(dir, 'nkey.seed');
    const entry = { type: 'nats', url: `nats://${host}`, nkey_file: seed, durable: 'keyed', threads: ['x'], ...queue };
    const opened = await openQueue(AdapterEntry.parse(entry), {}, 'home');
    if (!opened.ok) throw new Error(opened.error.message);
    expect(opened.value).toMatchObject({ provenance: 'nkey', broker: expect.stringMatching(/^nats-server \d/) });
    await opened.value.close();
  });

  test.runIf(THERE.includes('redis'))('[AD14] a Redis channel says that it is at most once', async () => {
    const { url } = brokerOf('redis');
    const entry = AdapterEntry.parse({ type: 'redis', url_env: 'URL', channel: 'news', threads: ['x'] });
    const opened = await openQueue(entry, { URL: url }, 'home');
    if (!opened.ok) throw new Error(opened.error.message);
    onTestFinished(() => opened.value.close());
    expect(opened.value.delivery).toBe('at most once');
    const { createClient } = await import('@redis/client');
    const client = await createClient({ url }).connect();
    onTestFinished(() => client.destroy());
    const first = opened.value.take()[Symbol.asyncIterator]().next();
    // Until somebody listens nobody gets it.
    await expect.poll(() => client.publish('news', 'hello'), { timeout: 10_000 }).toBe(1);
    const taken = await first;
    expect(taken.done === true ? null : Buffer.from(taken.value.body).toString()).toBe('hello');
  });

  test('[AD13] list, status and doctor show each adapter', async () => {
    const list = JSON.parse((await stand.cli('--json', 'adapter', 'list')).stdout);
    expect(list.adapters.map(({ name }: { name: string }) => name).sort()).toEqual([...THERE].sort());
    for (const row of list.adapters) {
      expect(row).toMatchObject({ state: 'running', threads: [`from ${row.type}`], status: { provenance: 'user' } });
      expect(row.status.taken).toBeGreaterThan(BACKLOG);
    }
    const [type = 'redis'] = THERE;
    expect((await stand.cli('adapter', 'status', type)).stdout).toMatch(
      /^taken +\d+, and \d+ that were there before$/m,
    );
    const { stdout } = await stand.cli('--json', 'doctor');
    const rows = JSON.parse(stdout).checks.filter(({ code }: { code: string }) => code === 'adapters');
    expect(rows).toHaveLength(THERE.length);
    expect(JSON.stringify([list, rows])).not.toContain(PASSWORD);
  });

  test('[AD10] a second process for the same adapter is refused', async () => {
    const [type = 'redis'] = THERE;
    const second = await stand.cli('adapter', type, '--name', type);
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('runs already') });
  });

  test('[AD15] the server itself has none of the libraries in its start', async () => {
    const bin = join(import.meta.dirname, '../../dist/bin');
    const names = (await readdir(bin)).filter((name) => name.endsWith('.js'));
    const texts = new Map(
      await Promise.all(names.map(async (name) => [name, await readFile(join(bin, name), 'utf8')] as const)),
    );
    const reached = new Set<string>();
    const follow = (name: string): void => {
      if (reached.has(name)) return;
      reached.add(name);
      for (const [, next = ''] of (texts.get(name) ?? '').matchAll(
        /^(?:import|export)[^"';]*["']\.\/([^"']+)["'];?$/gm,
      ))
        follow(next);
    };
    const serve = names.find((name) => name.startsWith('serve-')) ?? '';
    follow('signalbox.js');
    follow(serve);
    expect(reached.size).toBeGreaterThan(3);
    const marks = ['XREADGROUP', 'JetStreamManager', 'amqplib', 'mqttjs'];
    const all = [...texts.values()].join('');
    // Each is somewhere in the package, and nowhere in what a start reads.
    for (const mark of marks) expect([mark, all.includes(mark)]).toEqual([mark, true]);
    const started = [...reached].map((name) => texts.get(name) ?? '').join('');
    expect(marks.filter((mark) => started.includes(mark))).toEqual([]);
  });
});
