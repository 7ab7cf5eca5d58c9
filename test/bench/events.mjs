/** External Events: durable ingest by socket against Redis Streams (appendfsync always), the inbox file, HTTP, a burst, events to browsers. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, closeSync, fstatSync, openSync, readSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { openBox } from '../../dist/testing/box.js';
import { countLines, envelope, target } from './lib/event-target.mjs';
import { median, ms, note, percentile, perSecond, report, times } from './lib/report.mjs';
import { bench, makeDir, onEnd, start, until } from './lib/stand.mjs';

const ROUNDS = 3;
const EVENTS = 20_000;
const BURST = 10_000;
const CLIENTS = 20;
const LINES = 100_000;
const CONNECTIONS = 30;

await bench(async () => {
  const unlimited = ['burst', 'rate_per_second', 'max_ledger_mb', 'max_total_ledger_mb'].flatMap((name) => [
    '-c',
    `external_events.${name}=100000000`,
  ]);
  const box = await openBox({ flags: unlimited });
  onEnd(() => box.close());
  const redis = await startRedis();
  if (redis === null) note('redis-server is not installed: no comparison with Redis Streams');
  await ingest(box, redis);
  await connecting(box);
  await fileLatency(box);
  await fileBulk(box);
  await toBrowser(box);
  await bursts(box);
});

/**
 * Keeps `inFlight` requests on one connection; `answers` counts replies in a chunk. Answers requests per second. The clock starts with the
 * first answer: before it we look up which process is at the other end, once for each connection, which `connecting` measures.
 */
function pump(path, requests, inFlight, answers) {
  return new Promise((done, fail) => {
    const socket = connect(path);
    let sent = 0;
    let answered = 0;
    let from = null;
    const feed = () => {
      const until = Math.min(requests.length, answered + inFlight);
      if (until > sent) socket.write(requests.slice(sent, until).join(''));
      sent = Math.max(sent, until);
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      sent = 1;
      socket.write(requests[0]);
    });
    socket.on('data', (chunk) => {
      from ??= performance.now();
      answered += answers(chunk);
      if (answered < requests.length) return feed();
      const tookMs = performance.now() - from;
      socket.destroy();
      done(((requests.length - 1) / tookMs) * 1000);
    });
  });
}

/** An id is a bulk string: a header line and a line. */
function countIds(chunk) {
  let count = 0;
  for (const byte of chunk) if (byte === 0x24) count += 1;
  return count;
}

async function ingest(box, redis) {
  note(
    `durable ingest of 430-byte events, ${EVENTS} each, medians of ${ROUNDS} alternating rounds; ours also checks, deduplicates and routes`,
  );
  for (const [inFlight, goal] of [
    [1, undefined],
    [128, 0.9],
    [1_024, 1.1],
  ]) {
    const ours = [];
    const theirs = [];
    const count = inFlight === 1 ? 1_000 : EVENTS;
    for (let round = 0; round < ROUNDS; round += 1) {
      const one = await target(box);
      const events = Array.from({ length: count }, () => envelope(one.threadId));
      const lines = events.map((event) => `${JSON.stringify({ token: one.discovery.token, event })}\n`);
      ours.push(await pump(one.discovery.ipc.path, lines, inFlight, countLines));
      await box.must('listEvents', { thread_id: one.threadId, limit: 1 });
      if (redis === null) continue;
      const commands = events.map((event) => xadd(`stream-${round}-${inFlight}`, JSON.stringify(event)));
      theirs.push(await pump(redis, commands, inFlight, countIds));
    }
    const hasBaseline = theirs.length > 0;
    report({
      name: `events: socket, durable, ${inFlight} in flight, against Redis`,
      ours: perSecond(median(ours)),
      baseline: hasBaseline ? perSecond(median(theirs)) : '–',
      ...(hasBaseline && { ratio: median(ours) / median(theirs), ...(goal && { goal: ['≥', goal] }) }),
    });
  }
}

/** From the connection of a producer to the answer for its first event. */
async function connecting(box) {
  const one = await target(box);
  const times = [];
  for (let round = 0; round < CONNECTIONS; round += 1) {
    const line = `${JSON.stringify({ token: one.discovery.token, event: envelope(one.threadId) })}\n`;
    const from = performance.now();
    await new Promise((done, fail) => {
      const socket = connect(one.discovery.ipc.path, () => socket.write(line));
      socket.once('error', fail);
      socket.once('data', () => {
        times.push(performance.now() - from);
        socket.destroy();
        done();
      });
    });
  }
  report({ name: 'events: socket, first event of a connection, p50', ours: ms(median(times)) });
}

function xadd(stream, value) {
  const parts = ['XADD', stream, '*', 'event', value];
  return `*${parts.length}\r\n${parts.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`).join('')}`;
}

async function startRedis() {
  if (spawnSync('redis-server', ['--version']).status !== 0) return null;
  const dir = makeDir('redis');
  const path = `/tmp/signalbox-bench-${process.pid}.sock`;
  const options = [
    '--port',
    '0',
    '--unixsocket',
    path,
    '--dir',
    dir,
    '--appendonly',
    'yes',
    '--appendfsync',
    'always',
    '--save',
    '',
  ];
  start('redis-server', options);
  const isUp = () =>
    pump(path, ['PING\r\n'], 1, () => 1).then(
      () => true,
      () => false,
    );
  await until(isUp, 'redis');
  return path;
}

function tailOf(path) {
  const file = openSync(path);
  const bytes = Buffer.alloc(2_000);
  const { size } = fstatSync(file);
  const count = readSync(file, bytes, 0, bytes.length, Math.max(0, size - bytes.length));
  closeSync(file);
  return bytes.toString('latin1', 0, count);
}

/** From the append to the line in the ledger, one at a time. */
async function fileLatency(box) {
  const one = await target(box);
  const ledger = join(one.dir, 'external_events.log.jsonl');
  writeFileSync(one.inbox, '');
  await sleep(1_500);
  const waits = [];
  for (let round = 0; round < 300; round += 1) {
    const event = envelope(one.threadId);
    const at = performance.now();
    appendFileSync(one.inbox, `${JSON.stringify(event)}\n`);
    // Not by a timer: its millisecond would be as long as what is measured.
    while (!tailOf(ledger).includes(event.event_id)) await nextTurn();
    waits.push(performance.now() - at);
    await sleep(5);
  }
  const [p50, p99] = [median(waits), percentile(waits, 0.99)];
  report({ name: 'events: file, append to ledger, p50', ours: ms(p50), ratio: p50, show: ms, goal: ['≤', 1] });
  report({ name: 'events: file, append to ledger, p99', ours: ms(p99), ratio: p99, show: ms, goal: ['≤', 50] });
}

async function fileBulk(box) {
  const one = await target(box);
  const from = performance.now();
  for (let at = 0; at < LINES; at += 1_000) {
    const lines = Array.from(
      { length: 1_000 },
      () => `${JSON.stringify({ ...envelope(one.threadId), payload: undefined })}\n`,
    );
    appendFileSync(one.inbox, lines.join(''));
  }
  const total = async () => (await box.must('listEvents', { thread_id: one.threadId, limit: 1 })).total;
  let last = -1;
  await until(
    async () => {
      const now = await total();
      if (now !== last) last = now;
      return now >= LINES;
    },
    'all lines',
    60_000,
  ).catch(() => undefined);
  const tookMs = performance.now() - from;
  report({ name: `events: file, ${LINES.toLocaleString('en')} lines`, ours: perSecond((last / tookMs) * 1000) });
  const lost = LINES - last;
  report({ name: 'events: file, lines lost', ours: String(lost), ratio: lost, show: String, goal: ['≤', 0] });
}

async function watch(box, id, onFrame) {
  const socket = new WebSocket(`${box.url().replace('http', 'ws')}/ws/appserver`, {
    headers: { ...box.sessionHeaders(), origin: box.url() },
  });
  const ready = new Promise((done) => {
    socket.on('message', (data) => {
      const frame = JSON.parse(data.toString());
      if (frame.type === 'synchronized') done();
      onFrame(frame);
    });
  });
  socket.on('open', () => socket.send(JSON.stringify({ type: 'subscribe', conversation_id: id })));
  await ready;
  onEnd(() => socket.terminate());
  return socket;
}

async function toBrowser(box) {
  const one = await target(box);
  let hear = () => undefined;
  let notified = 0;
  await watch(box, one.id, (frame) => {
    if (frame.type === 'notification') notified = performance.now();
    if (frame.type === 'external_event') hear();
  });
  const socket = connect(one.discovery.ipc.path);
  const waits = [];
  const notices = [];
  for (let round = 0; round < 200; round += 1) {
    const heard = new Promise((done) => {
      hear = done;
    });
    const at = performance.now();
    socket.write(`${JSON.stringify({ token: one.discovery.token, event: envelope(one.threadId) })}\n`);
    await heard;
    waits.push(performance.now() - at);
    notices.push(notified - at);
    // Longer than the pause between two tellings: each event is the first of its own.
    await sleep(60);
  }
  socket.destroy();
  for (const [what, p50] of [
    ['heard of', median(notices)],
    ['in the transcript', median(waits)],
  ])
    report({ name: `events: socket to browser, ${what}, p50`, ours: ms(p50), ratio: p50, show: ms, goal: ['≤', 2] });
}

async function bursts(box) {
  for (const [way, limitMs, send] of [
    ['socket', 3_000, sendBySocket],
    ['HTTP', 10_000, sendByHttp],
    ['file', 5_000, sendByFile],
  ]) {
    const one = await target(box);
    const heard = new Set();
    const sockets = [];
    for (let at = 0; at < CLIENTS; at += 1) {
      const socket = await watch(box, one.id, (frame) => {
        if (at === 0 && frame.type === 'external_event' && frame.entry.kind === 'received')
          for (const seq of frame.entry.event_seqs) heard.add(seq);
      });
      sockets.push(socket);
    }
    const events = Array.from({ length: BURST }, () => envelope(one.threadId));
    const from = performance.now();
    await send(box, one, events);
    await until(
      async () =>
        (await box.must('listEvents', { thread_id: one.threadId, limit: 1 })).total === BURST && heard.size === BURST,
      'the burst',
      60_000,
    );
    const tookMs = performance.now() - from;
    for (const socket of sockets) socket.terminate();
    report({
      name: `events: burst of ${BURST.toLocaleString('en')} by ${way}, ${CLIENTS} clients`,
      ours: ms(tookMs),
      ratio: tookMs,
      show: ms,
      goal: ['≤', limitMs],
    });
  }
  note(`ratios are ${times(1)} at the goal's own measure where none is given`);
}

async function sendBySocket(_box, one, events) {
  const lines = events.map((event) => `${JSON.stringify({ token: one.discovery.token, event })}\n`);
  await pump(one.discovery.ipc.path, lines, 1_024, countLines);
}

async function sendByHttp(box, one, events) {
  const headers = { authorization: `Bearer ${one.discovery.token}`, 'content-type': 'application/json' };
  const left = [...events];
  const worker = async () => {
    for (let event = left.pop(); event !== undefined; event = left.pop()) {
      const answer = await fetch(`${box.url()}/v1/events`, { method: 'POST', headers, body: JSON.stringify(event) });
      await answer.arrayBuffer();
      if (answer.status !== 202) throw new Error(`an event was answered with ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

async function sendByFile(_box, one, events) {
  appendFileSync(one.inbox, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
}
