/**
 * `--soak MINUTES`: many conversations, clients that reconnect, events by three ways in, turns and printing terminals, all at once and for long.
 * Its own checker compares what was acknowledged with what is there, and prints what the server needed of memory.
 */
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { createHost } from './host.mjs';
import { startModel } from './model.mjs';
import { randomFrom } from './random.mjs';

const FOLDER = resolve(import.meta.dirname, '../../.tmp');
const BASE = '/api/appserver';
const CONVERSATIONS = 30;
const CLIENTS = 20;
const FOLLOWED = 4;
const TERMINALS = 5;
/** What the server may keep after the load: caches of transcripts and ledgers, and what the garbage collector leaves for later. */
const MAX_GROWTH_MB = 120;
const REST_MS = 60_000;
const say = (text) => process.stdout.write(`${text}\n`);
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

export async function soak({ minutes, seed, isVerbose }) {
  say(`soak: ${minutes} minutes, seed ${seed}`);
  mkdirSync(FOLDER, { recursive: true });
  const model = await startModel();
  const dir = mkdtempSync(join(FOLDER, 'soak-'));
  const host = createHost({ dir, modelUrl: model.url });
  const state = { isOver: false, found: [], messages: new Map(), events: new Map(), commands: 0, reconnects: 0 };
  const violate = (law, text) => {
    state.found.push({ law, text });
    if (isVerbose || state.found.length <= 10) say(`    ${law}: ${text}`);
  };
  let memory = null;
  try {
    await host.up();
    const call = createCall(host);
    const conversations = await prepare(call, host);
    memory = watchMemory(host);
    const clients = Array.from({ length: CLIENTS }, (_none, at) =>
      createClient({ host, state, violate, conversations, random: randomFrom(seed + at) }),
    );
    const workers = [
      ...clients.map((client) => client.run()),
      ...conversations.map((one, at) => talk({ call, state, violate, one, random: randomFrom(seed + 1_000 + at) })),
      ...['http', 'socket', 'inbox'].map((way, at) =>
        produce({ call, host, state, violate, conversations, way, random: randomFrom(seed + 2_000 + at) }),
      ),
      ...conversations.slice(0, TERMINALS).map((one) => print({ call, state, violate, one })),
    ];
    const endsAt = performance.now() + minutes * 60_000;
    while (performance.now() < endsAt) {
      await sleep(Math.min(30_000, endsAt - performance.now()));
      say(describe(state, memory));
    }
    state.isOver = true;
    await Promise.all(workers);
    await rest(call, conversations, violate);
    await check({ call, state, violate, conversations });
    for (const client of clients) await client.finish();
    await sleep(5_000);
    memory.stop();
  } finally {
    state.isOver = true;
    memory?.stop();
    await host.close();
    await model.close();
  }
  await sleep(500);
  for (const pid of processesOf(dir)) violate('process', `process ${pid} is left`);
  const { start, peak, last } = memory.read();
  if (last - start > MAX_GROWTH_MB) violate('memory', `${start} MB before, ${last} MB after`);
  say(`${describe(state, memory)}\nmemory: ${start} MB at the start, ${peak} MB at most, ${last} MB after`);
  say(`violations: ${state.found.length}`);
  return state.found.length === 0;
}

function describe({ messages, events, commands, reconnects, found }, memory) {
  const { last } = memory.read();
  return `soak: ${messages.size} messages, ${events.size} events, ${commands} commands, ${reconnects} reconnects, ${last} MB, ${found.length} violations`;
}

/** With the API token, which does not expire as the proof of a browser does. */
function createCall(host) {
  return async (method, path, body) => {
    const { url } = await host.up();
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${host.token()}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(60_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
}

async function prepare(call, host) {
  const conversations = [];
  for (let at = 0; at < CONVERSATIONS; at += 1) {
    const settings = { cwd: host.project, approval: 'untrusted', sandbox: 'read-only' };
    const { body } = await call('POST', `${BASE}/conversations`, settings);
    await call('POST', `${BASE}/messages`, { conversation_id: body.id, text: 'warm up' });
    conversations.push({ id: body.id, threadId: null });
  }
  for (const one of conversations) {
    for (let tries = 0; one.threadId === null && tries < 400; tries += 1) {
      one.threadId = (await call('GET', `${BASE}/conversations/${one.id}`)).body.row.thread_id;
      if (one.threadId === null) await sleep(25);
    }
  }
  return conversations;
}

/** One message after the other, each when the turn before it has ended or is about to. */
async function talk({ call, state, violate, one, random }) {
  for (let n = 1; !state.isOver; n += 1) {
    const id = `s-${one.id.slice(-6)}-${n}`;
    const mode = random.chance(0.2) ? 'queue' : 'send';
    const body = { conversation_id: one.id, text: `[${id}] {slow:${random.int(1, 40)}}`, mode, client_message_id: id };
    const { status, body: answer } = await call('POST', `${BASE}/messages`, body);
    if (status === 200) state.messages.set(id, one.id);
    // A full queue is a refusal with a reason; everything else is not.
    else if (status !== 409) violate('message', `${id}: ${status} ${JSON.stringify(answer)}`);
    await sleep(random.int(200, 2_500));
  }
}

/** Events by one of the ways in. */
async function produce({ call, host, state, violate, conversations, way, random }) {
  for (let n = 1; !state.isOver; n += 1) {
    const one = random.pick(conversations);
    const event = {
      schema_version: 1,
      event_id: `e-${way}-${n}`,
      time_unix_ms: Date.now(),
      type: 'soak.event',
      source: { name: `soak-${way}` },
      routing: { thread_id: one.threadId },
      title: `event ${n} by ${way}`,
    };
    try {
      const isTaken = await ways[way]({ call, host, one, event });
      if (isTaken) state.events.set(event.event_id, one.threadId);
    } catch (error) {
      violate('event', `${event.event_id}: ${error instanceof Error ? error.message : error}`);
    }
    await sleep(random.int(5, 60));
  }
}

const folderOf = (host, threadId) => join(host.codexHome, 'sessions', threadId);

const ways = {
  async http({ call, event }) {
    const { status, body } = await call('POST', '/v1/events', event);
    // Too fast is a refusal that a producer is to heed.
    if (status === 429) return false;
    if (body.ok !== true) throw new Error(`${status} ${JSON.stringify(body)}`);
    return true;
  },
  async socket({ host, one, event }) {
    const { ipc, token } = JSON.parse(readFileSync(join(folderOf(host, one.threadId), 'external_events.json'), 'utf8'));
    const socket = connect(ipc.path);
    try {
      const line = await new Promise((done, fail) => {
        socket.setTimeout(30_000, () => fail(new Error('no answer on the socket')));
        socket.once('error', fail);
        socket.once('close', () => fail(new Error('the socket was closed')));
        createInterface({ input: socket }).once('line', done).on('error', fail);
        socket.write(`${JSON.stringify({ token, event })}\n`);
      });
      const body = JSON.parse(line);
      if (body.ok === true) return true;
      if (body.code === 'rate_limited' || body.error?.code === 'rate_limited') return false;
      throw new Error(line);
    } finally {
      socket.destroy();
    }
  },
  async inbox({ host, one, event }) {
    appendFileSync(join(folderOf(host, one.threadId), 'external_events.inbox.jsonl'), `${JSON.stringify(event)}\n`);
    return true;
  },
};

async function print({ call, state, violate, one }) {
  for (let n = 1; !state.isOver; n += 1) {
    const command = `for i in $(seq 400); do echo "line $i of ${n}"; done; sleep 0.2`;
    const { status, body } = await call('POST', `${BASE}/shell/exec`, { conversation_id: one.id, command });
    if (status !== 200 || body.exitCode !== 0 || !body.stdout.includes(`line 400 of ${n}`))
      violate('terminal', `command ${n}: ${status} ${JSON.stringify(body).slice(0, 300)}`);
    state.commands += 1;
    await sleep(500);
  }
}

/** Follows some conversations, is cut at random, comes back with the numbers it has, and looks for holes. */
function createClient({ host, state, violate, conversations, random }) {
  const last = new Map();
  const followed = Array.from({ length: FOLLOWED }, () => random.pick(conversations).id);
  let socket = null;
  const next = (id, seq, what) => {
    const known = last.get(id);
    if (known !== undefined && seq !== known + 1) violate('order', `${id}: ${what} ${seq} where ${known + 1} was due`);
    last.set(id, seq);
  };
  const hear = (frame) => {
    const { type, conversation_id: id } = frame;
    if (type === 'sync') {
      if (frame.verdict === 'reset') last.delete(id);
      for (const entry of frame.entries) next(id, entry.seq, frame.verdict);
      if (last.has(id) && last.get(id) !== frame.seq)
        violate('order', `${id}: the ${frame.verdict} ends at ${last.get(id)} instead of ${frame.seq}`);
      if (!last.has(id)) last.set(id, frame.seq);
    } else if (frame.entry !== undefined && frame.seq !== undefined) next(id, frame.seq, type);
    else if (type === 'refused') violate('order', `${id}: refused ${frame.message}`);
  };
  const tryOpen = async () => {
    const { url } = await host.up();
    const headers = { authorization: `Bearer ${host.token()}`, origin: url };
    socket = new WebSocket(`${url.replace('http', 'ws')}/ws/appserver`, { headers });
    socket.on('message', (data) => hear(JSON.parse(data.toString())));
    const isOpen = await new Promise((done) => socket.once('open', () => done(true)).on('error', () => done(false)));
    for (const id of isOpen ? new Set(followed) : []) {
      const after = last.has(id) ? { after: last.get(id) } : {};
      socket.send(JSON.stringify({ type: 'subscribe', conversation_id: id, ...after }));
    }
    return isOpen;
  };
  /** A machine that stalls may refuse a connection; a client tries again. */
  const open = async () => {
    for (let tries = 1; !(await tryOpen()); tries += 1) {
      if (tries === 10) return violate('connection', 'ten attempts to connect failed');
      await sleep(500);
    }
  };
  return {
    async run() {
      await open();
      while (!state.isOver) {
        await sleep(random.int(500, 20_000));
        socket.terminate();
        // Frames that were on their way are not heard: a new socket asks for them.
        socket.removeAllListeners('message');
        if (random.chance(0.3)) await sleep(random.int(0, 3_000));
        await open();
        state.reconnects += 1;
      }
    },
    /** Everything there is was heard. */
    async finish() {
      const ids = [...new Set(followed)];
      for (let tries = 0; tries < 100; tries += 1) {
        const seqs = await Promise.all(ids.map((id) => newestSeq(host, id)));
        if (ids.every((id, at) => last.get(id) === seqs[at])) break;
        if (tries === 99) violate('order', `a client has ${ids.map((id) => last.get(id))} of ${seqs}`);
        await sleep(50);
      }
      socket.terminate();
    },
  };
}

async function newestSeq(host, id) {
  const { body } = await createCall(host)('GET', `${BASE}/transcript?conversation_id=${id}&limit=1`);
  return body.entries.at(-1)?.seq ?? 0;
}

async function rest(call, conversations, violate) {
  const deadline = performance.now() + REST_MS;
  for (const { id } of conversations) {
    for (;;) {
      const { row, conversation } = (await call('GET', `${BASE}/conversations/${id}`)).body;
      if (row.queued > 0 && conversation.queue_paused)
        await call('POST', `${BASE}/conversations/${id}/queue/resume`, {});
      if (row.queued === 0 && ['idle', 'failed'].includes(row.state)) break;
      if (performance.now() > deadline) {
        violate('rest', `${id} is ${row.state} with ${row.queued} queued`);
        break;
      }
      await sleep(50);
    }
  }
}

async function check({ call, state, violate, conversations }) {
  for (const { id, threadId } of conversations) {
    const entries = await entriesOf(call, id);
    entries.forEach((entry, at) => {
      if (entry.seq !== at + 1) violate('transcript', `${id}: number ${entry.seq} at place ${at + 1}`);
    });
    const users = new Map();
    for (const { role, client_message_id: key } of entries)
      if (role === 'user' && key !== undefined) users.set(key, (users.get(key) ?? 0) + 1);
    for (const [key, owner] of state.messages)
      if (owner === id && users.get(key) !== 1) violate('message', `${key} has ${users.get(key) ?? 0} entries`);
    const seen = await ledgerOf(call, threadId);
    for (const [key, owner] of state.events)
      if (owner === threadId && seen.get(key) !== 1)
        violate('event', `${key} is ${seen.get(key) ?? 0} times in the ledger`);
  }
}

async function entriesOf(call, id) {
  const all = [];
  for (let after = 0; ; ) {
    const path = `${BASE}/transcript/range?conversation_id=${id}&after=${after}&limit=500`;
    const { entries, last_seq: last } = (await call('GET', path)).body;
    all.push(...entries);
    if (last === null || entries.length === 0) return all;
    after = last;
  }
}

/** How often each event is in the ledger. Read events beyond `retain_events` are gone by design: nothing here marks events as read. */
async function ledgerOf(call, threadId) {
  const seen = new Map();
  for (let before; ; ) {
    const more = before === undefined ? '' : `&before=${before}`;
    const { body } = await call('GET', `/v1/threads/${threadId}/events?limit=1000${more}`);
    const page = body.events ?? [];
    for (const { event_id: id } of page) seen.set(id, (seen.get(id) ?? 0) + 1);
    const oldest = Math.min(...page.map((one) => one.event_seq));
    if (page.length < 1000 || oldest === before) return seen;
    before = oldest;
  }
}

function watchMemory(host) {
  const sizes = [];
  const look = () => {
    try {
      const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${host.pid()}/status`, 'utf8'))?.[1];
      if (kilobytes !== undefined) sizes.push(Math.round(Number(kilobytes) / 1024));
    } catch {
      // The server has stopped.
    }
  };
  look();
  const timer = setInterval(look, 1_000);
  return {
    stop: () => clearInterval(timer),
    read: () => ({ start: sizes[0] ?? 0, peak: Math.max(0, ...sizes), last: sizes.at(-1) ?? 0 }),
  };
}

/** Processes whose environment names our folder. */
function processesOf(dir) {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
    try {
      return readFileSync(`/proc/${name}/environ`, 'utf8').includes(dir);
    } catch {
      return false;
    }
  });
}
