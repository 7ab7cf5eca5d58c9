/** `WS /ws/appserver` over real sockets: frames, limits, heartbeat, and who is cut off. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { API_TOKEN, type HttpStand, openSocket, startHttpStand } from '../../src/testing/http-stand.ts';
import { CONVERSATION, settle } from '../../src/testing/hub-stand.ts';
import { logInByToken } from '../../src/testing/session-client.ts';

const MEBI = 1024 * 1024;
const TOKEN = { Authorization: `Bearer ${API_TOKEN}` };
let stand: HttpStand;

beforeEach(async () => {
  stand = await startHttpStand();
});
afterEach(() => stand.stop());

async function browserHeaders(): Promise<Record<string, string>> {
  return { Authorization: await stand.logIn(), Origin: `http://127.0.0.1:${stand.port}` };
}

/** The server has read everything this client sent before. */
async function isHeard(socket: Awaited<ReturnType<typeof openSocket>>): Promise<void> {
  socket.send({ type: 'rpc', id: 'heard', method: 'x' });
  await socket.take('rpc_response');
}

function note(text: string) {
  return { role: 'note', kind: 'api', text } as const;
}

test('[HB5] a client follows a conversation over a cut', async () => {
  stand.append(note('1'));
  const first = await openSocket(stand.port, TOKEN);
  first.send({ type: 'subscribe', conversation_id: CONVERSATION });
  expect(await first.take('sync')).toMatchObject({ verdict: 'reset', seq: 1, entries: [{ text: '1' }] });
  await first.take('synchronized');
  stand.append(note('2'));
  expect(await first.take('note')).toMatchObject({ seq: 2 });
  first.ws.terminate();
  stand.append(note('3'));
  const second = await openSocket(stand.port, TOKEN);
  second.send({ type: 'subscribe', conversation_id: CONVERSATION, after: 2 });
  expect(await second.take('sync')).toMatchObject({ verdict: 'replay', seq: 3, entries: [{ text: '3' }] });
});

describe('frames', () => {
  test.each([
    ['no JSON', '{'],
    ['another type', '{"type":"shout"}'],
    ['a field missing', '{"type":"subscribe"}'],
    ['a bad id', '{"type":"subscribe","conversation_id":"../../etc"}'],
    ['a prototype', '{"type":"rpc","id":1,"method":"x","params":{"__proto__":{}}}'],
    ['a bomb', `{"type":"rpc","id":1,"method":"x","params":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`],
    ['a list', '[]'],
    ['bytes', Buffer.from('{"type":"ping"}')],
  ])('[HT21] %s is refused and the connection stays', async (_name, frame) => {
    const socket = await openSocket(stand.port, TOKEN);
    socket.ws.send(frame);
    expect(await socket.take('refused')).toMatchObject({ code: 'invalid_request', message: expect.any(String) });
    await isHeard(socket);
  });

  test('[HT21] a frame over 1 MiB closes with 1009', async () => {
    const socket = await openSocket(stand.port, TOKEN);
    socket.ws.send(JSON.stringify({ type: 'rpc', id: 1, method: 'x', params: { text: 'x'.repeat(5 * MEBI) } }));
    expect((await socket.closed).code).toBe(1009);
    const other = await openSocket(stand.port, TOKEN);
    await isHeard(other);
  });

  test('[HT21] nothing is compressed', async () => {
    const { ws } = await openSocket(stand.port, TOKEN);
    expect(ws.extensions).toBe('');
  });
});

describe('a socket of a domain', () => {
  const at = (headers: Record<string, string>, path: string) => openSocket(stand.port, headers, path);

  test('[HT27] has the door of every socket', async () => {
    await expect(at({}, '/ws/echo/a')).rejects.toThrow('401');
    await expect(at({ ...(await browserHeaders()), Origin: 'http://evil.example' }, '/ws/echo/a')).rejects.toThrow(
      '403',
    );
    await expect(at(TOKEN, '/ws/other/a')).rejects.toThrow('404');
    await expect(at(TOKEN, '/ws/echo/a?refuse=1')).rejects.toThrow('404');
    const socket = await at(await browserHeaders(), '/ws/echo/a');
    expect(await socket.take('echo')).toMatchObject({ words: 'session /ws/echo/a' });
  });

  test('[HT27] ends with its session', async () => {
    const authorization = await stand.logIn();
    const socket = await at({ authorization, Origin: `http://127.0.0.1:${stand.port}` }, '/ws/echo/b');
    const session = stand.credentials.authenticate({ authorization });
    if (session?.kind !== 'session') throw new Error('not logged in');
    await stand.credentials.endSession(session.id);
    expect((await socket.closed).code).toBe(4001);
  });
});

describe('who stays connected', () => {
  test('[HT22] a client that does not answer a ping within 30 s is dropped, one that does stays', async () => {
    const alive = await openSocket(stand.port, TOKEN);
    const silent = await openSocket(stand.port, TOKEN);
    await Promise.all([isHeard(alive), isHeard(silent)]);
    const pinged = Promise.all([alive, silent].map(({ ws }) => new Promise((done) => ws.once('ping', done))));
    silent.ws.pong = () => {};
    stand.clock.advance(30_000);
    await pinged;
    await isHeard(alive);
    stand.clock.advance(30_000);
    expect((await silent.closed).code).toBe(1006);
    await isHeard(alive);
  });

  test('[HT22] when a session ends its sockets are closed with 4001, and nobody else', async () => {
    const headers = await browserHeaders();
    const mine = [await openSocket(stand.port, headers), await openSocket(stand.port, headers)];
    const others = [await openSocket(stand.port, await browserHeaders()), await openSocket(stand.port, TOKEN)];
    const caller = stand.credentials.authenticate({ authorization: headers.Authorization });
    if (caller?.kind !== 'session') throw new Error('a session was expected');
    await stand.credentials.endSession(caller.id);
    for (const { closed } of mine) expect(await closed).toEqual({ code: 4001, reason: 'session ended' });
    for (const other of others) await isHeard(other);
    await expect(openSocket(stand.port, headers)).rejects.toThrow('401');
  });

  test('[HT22] a session that grows too old while connected is noticed', async () => {
    stand.serveSessions();
    const session = await logInByToken(stand.url, stand.credentials.mintLogin());
    stand.clock.advance(30 * 24 * 3_600_000 - 1);
    await session.prove();
    const socket = await openSocket(stand.port, session.headers());
    stand.clock.advance(30_000);
    expect((await socket.closed).code).toBe(4001);
  });

  test('[HT22] a socket ends with the proof it was opened with, and can be opened with a new one', async () => {
    const headers = await browserHeaders();
    stand.clock.advance(15 * 60_000 - 1);
    const socket = await openSocket(stand.port, headers);
    stand.clock.advance(30_000);
    expect(await socket.closed).toEqual({ code: 4002, reason: 'prove the session again' });
    await expect(openSocket(stand.port, headers)).rejects.toThrow('401');
    await isHeard(await openSocket(stand.port, await browserHeaders()));
  });

  test('[HB12] a client that stops reading is closed, and others hear everything', async () => {
    const slow = await openSocket(stand.port, TOKEN);
    const quick = await openSocket(stand.port, TOKEN);
    for (const socket of [slow, quick]) {
      socket.send({ type: 'subscribe', conversation_id: CONVERSATION });
      await socket.take('synchronized');
    }
    slow.ws.pause();
    const text = 'x'.repeat(MEBI);
    for (let n = 0; n < 40; n += 1) {
      stand.append(note(text));
      await quick.take('note');
    }
    expect(stand.hub.stats().clients).toBe(1);
    slow.ws.resume();
    expect([1006, 4008]).toContain((await slow.closed).code);
    expect(quick.ws.readyState).toBe(quick.ws.OPEN);
  });

  test('[HT23] two hundred at most; one that leaves makes room', async () => {
    const sockets = [...(await openMany('1', 100)), ...(await openMany('2', 100))];
    stand.peer.program = '3';
    await expect(openSocket(stand.port, TOKEN)).rejects.toThrow('429');
    sockets[0]?.ws.close();
    await sockets[0]?.closed;
    await settle();
    const next = await openSocket(stand.port, TOKEN);
    await isHeard(next);
    stand.peer.program = '1';
  });

  test('[HT41] one program has a hundred sockets at most, and a person’s takes the place of one of the program with the most', async () => {
    const large = await openMany('1', 100);
    await expect(openSocket(stand.port, TOKEN)).rejects.toThrow('429');
    const small = [...(await openMany('2', 60)), ...(await openMany('3', 40))];
    const own = await openSocket(stand.port, await browserHeaders());
    await isHeard(own);
    expect((await large[0]?.closed)?.code).toBe(1013);
    for (const one of [large[1], small[0]]) if (one !== undefined) await isHeard(one);
    stand.peer.program = '1';
  });

  test('[HT25] stopping closes every socket with 1001', async () => {
    const other = await startHttpStand();
    const sockets = [await openSocket(other.port, TOKEN), await openSocket(other.port, TOKEN)];
    await other.stop();
    for (const { closed } of sockets) expect((await closed).code).toBe(1001);
  });
});

function openMany(program: string, count: number) {
  stand.peer.program = program;
  return Promise.all(Array.from({ length: count }, () => openSocket(stand.port, TOKEN)));
}

describe('raw lines', () => {
  test('[HT26] are shown to a session in debug mode, and to nobody else', async () => {
    const headers = await browserHeaders();
    await expect(openSocket(stand.port, headers, '/ws/appserver?mode=raw')).rejects.toThrow('403');
    stand.raw.isEnabled = true;
    await expect(openSocket(stand.port, TOKEN, '/ws/appserver?mode=raw')).rejects.toThrow('403');
    const tap = await openSocket(stand.port, headers, '/ws/appserver?mode=raw');
    const events = await openSocket(stand.port, headers);
    await isHeard(events);
    stand.raw.say('{"type":"line","dir":"in"}');
    await tap.take('line');
    expect(events.frames.map(({ type }) => type)).toEqual(['rpc_response']);
    stand.raw.isEnabled = false;
    stand.clock.advance(30_000);
    expect((await tap.closed).reason).toBe('debug mode is off');
  });
});
