/**
 * Many WebSocket clients in a process of their own, of our server or of Codex itself: the same work per frame on both
 * sides (one JSON.parse, one look at the type), so that a ratio compares the servers.
 */
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { nowUs, stampsOf } from './producer.mjs';
import { answerCommands } from './stand.mjs';

export const CLIENTS = fileURLToPath(import.meta.url);

/** Longer than any flood here; a client that hears no end by then was cut off. */
const WAIT_MS = 120_000;

let clients = [];

function openClient(url, headers) {
  const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 256 * 1024 * 1024, headers });
  const client = { socket, hear: () => undefined, frames: 0, bytes: 0, nextId: 1, cut: () => undefined };
  socket.on('message', (data) => {
    client.frames += 1;
    client.bytes += data.length;
    client.hear(JSON.parse(data.toString()));
  });
  socket.on('close', (code) => client.cut(new Error(`a client was cut off with ${code}`)));
  clients.push(client);
  return new Promise((done, fail) => {
    socket.once('open', () => done(client));
    socket.once('error', fail);
  });
}

/** Resolves with the first frame that fits. */
function hearUntil(client, fits) {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error('a client waited in vain')), WAIT_MS);
    client.cut = fail;
    client.hear = (frame) => {
      if (!fits(frame)) return;
      clearTimeout(timer);
      client.hear = () => undefined;
      done(frame);
    };
  });
}

function request(client, method, params) {
  const id = client.nextId++;
  client.socket.send(JSON.stringify({ id, method, params }));
  return hearUntil(client, (frame) => frame.id === id && frame.method === undefined).then((frame) => {
    if (frame.error !== undefined) throw new Error(`${method}: ${frame.error.message}`);
    return frame.result;
  });
}

const isEndOfTurn = (frame) => frame.method === 'turn/completed';
const isStatusEntry = (frame) => frame.type === 'status' && frame.seq !== undefined;
const textInput = (text) => [{ type: 'text', text, text_elements: [] }];

const COMMANDS = {
  /** As many clients of our server, all following one conversation. */
  async joinOurs({ url, headers, conversationId, count, stalled = 0 }) {
    for (let n = 0; n < count; n += 1) {
      const client = await openClient(`${url.replace('http', 'ws')}/ws/appserver`, { ...headers, origin: url });
      const ready = hearUntil(client, (frame) => frame.type === 'synchronized');
      client.socket.send(JSON.stringify({ type: 'subscribe', conversation_id: conversationId }));
      await ready;
      client.isStalled = n < stalled;
      if (client.isStalled) client.socket.pause();
    }
  },
  /** As many clients of Codex: the first begins a thread (one without a turn cannot be joined), the others resume it. */
  async joinCodex({ url, cwd, count }) {
    let threadId = null;
    for (let n = 0; n < count; n += 1) {
      const client = await openClient(url, {});
      await request(client, 'initialize', {
        clientInfo: { name: 'bench', title: 'Bench', version: '1' },
        capabilities: { experimentalApi: true, requestAttestation: false },
      });
      client.socket.send(JSON.stringify({ method: 'initialized' }));
      if (threadId === null) {
        const { thread } = await request(client, 'thread/start', {
          cwd,
          approvalPolicy: 'never',
          sandbox: 'read-only',
        });
        threadId = thread.id;
        // Heard from before the request on: a short turn may end before its start was answered.
        const ended = hearUntil(client, isEndOfTurn);
        const params = { threadId, input: textInput('hello') };
        client.socket.send(JSON.stringify({ id: client.nextId++, method: 'turn/start', params }));
        await ended;
      } else {
        await request(client, 'thread/resume', { threadId, excludeTurns: true });
      }
    }
    return threadId;
  },
  /** Sends a message and waits until the last client has heard the end of the turn. */
  async floodOurs({ url, headers, conversationId, text, look = () => undefined }) {
    const isEnd = (frame) => {
      look(frame);
      return isStatusEntry(frame);
    };
    return flood(isEnd, () =>
      fetch(`${url}/api/appserver/messages`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ conversation_id: conversationId, text }),
      }).then(async (response) => {
        if (!response.ok) throw new Error(await response.text());
      }),
    );
  },
  /** The same, and how long each stamped delta and approval was under way, in microseconds, over all clients. */
  async timeOurs(input) {
    const deltas = [];
    const approvals = [];
    const look = (frame) => {
      const now = nowUs();
      if (frame.type === 'assistant_delta') for (const at of stampsOf(frame.delta)) deltas.push(now - at);
      if (frame.type === 'approval')
        for (const at of stampsOf(JSON.stringify(frame.approval))) approvals.push(now - at);
    };
    const { frames } = await COMMANDS.floodOurs({ ...input, look });
    return { deltas, approvals, frames };
  },
  async floodCodex({ threadId, text }) {
    const [first] = clients;
    const params = { threadId, input: textInput(text) };
    return flood(isEndOfTurn, () => {
      first.socket.send(JSON.stringify({ id: first.nextId++, method: 'turn/start', params }));
    });
  },
  async leave() {
    for (const { socket } of clients) socket.terminate();
    clients = [];
  },
};

async function flood(isEnd, begin) {
  for (const client of clients) client.frames = client.bytes = 0;
  const listening = clients.filter((client) => !client.isStalled);
  const ends = listening.map((client) => hearUntil(client, isEnd));
  const from = performance.now();
  await begin();
  await Promise.all(ends);
  const tookMs = performance.now() - from;
  const mean = (key) => listening.reduce((sum, client) => sum + client[key], 0) / listening.length;
  return { tookMs, frames: mean('frames'), bytes: mean('bytes') };
}

if (process.argv[1] === CLIENTS) answerCommands(({ command, ...input }) => COMMANDS[command](input));
