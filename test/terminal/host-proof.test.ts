/** The socket of a real pty host: reaching it is not enough. */
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/node/clock.ts';
import { createFrameReader, jsonFrame } from '../../src/node/frames.ts';
import { newNonce, newSecret, parseSecret, proofOf } from '../../src/node/mutual-proof.ts';
import { connectHost } from '../../src/server/terminal/host-client.ts';
import { ID, openTerminals, type TerminalsStand } from '../../src/testing/host-tap.ts';

let stand: TerminalsStand;
beforeAll(async () => {
  stand = await openTerminals();
  expect(await stand.terminals.open(ID)).toMatchObject({ ok: true });
});
afterAll(() => stand.close());

const quiet = { onEvent: () => undefined, onBytes: () => undefined, onClose: () => undefined };

/** Sends frames, collects what comes back until the host hangs up. */
function speak(...frames: readonly Record<string, unknown>[]): Promise<unknown[]> {
  const heard: unknown[] = [];
  return new Promise((done) => {
    const socket = connect(stand.hostSocket);
    socket.on(
      'data',
      createFrameReader((frame) => heard.push(JSON.parse(frame.body.toString('utf8')))),
    );
    socket.on('error', () => undefined);
    socket.once('close', () => done(heard));
    for (const frame of frames) socket.write(jsonFrame(frame));
  });
}

const challenge = { id: 1, do: 'challenge', nonce: newNonce() };

test('[TM27] a process that merely reaches the socket gets nothing', async () => {
  const run = { do: 'run', key: 'x', command: ['sh'], cwd: '/', env: {}, log: '/dev/null', cols: 80, rows: 24 };
  for (const request of [
    { do: 'hello' },
    { do: 'list' },
    { do: 'exec', key: ID, command: 'id', actor: 'user' },
    { do: 'input', key: ID, data: 'id\r', actor: 'user' },
    run,
    { do: 'enter', proof: 'x' },
    { do: 'nonsense' },
  ]) {
    expect(await speak({ id: 1, ...request })).toEqual([]);
    expect(await speak({ id: 0, ...request })).toEqual([]);
  }
  const [answer, ...more] = await speak(challenge, { id: 2, ...run });
  expect(answer).toMatchObject({ type: 'answer', re: 1 });
  expect(more).toEqual([]);
});

test('[TM27] neither a guess, nor the proof of the host sent back to it, opens the socket', async () => {
  const wrong = parseSecret(newSecret()) ?? Buffer.alloc(0);
  const guess = proofOf(wrong, 'server', { server: challenge.nonce, host: newNonce() });
  expect(await speak(challenge, { id: 2, do: 'enter', proof: guess }, { id: 3, do: 'list' })).toHaveLength(1);
  const reflected = await new Promise<number>((done) => {
    let heard = 0;
    const socket = connect(stand.hostSocket);
    socket.on(
      'data',
      createFrameReader((frame) => {
        heard += 1;
        const { value } = JSON.parse(frame.body.toString('utf8'));
        socket.write(jsonFrame({ id: 2, do: 'enter', proof: value.proof }));
      }),
    );
    socket.once('close', () => done(heard));
    socket.write(jsonFrame(challenge));
  });
  expect(reflected).toBe(1);
});

test('[TM27] the server with the secret is served; with another one it is refused with a sentence', async () => {
  const address = { pid: 0, socket: stand.hostSocket, secret: parseSecret(stand.secret) };
  const client = await connectHost(address, quiet, systemClock);
  if (!client.ok) return expect.fail(client.error.message);
  expect(await client.value.request({ do: 'list' })).toMatchObject({ ok: true, value: [{ key: ID }] });
  client.value.close();
  for (const secret of [parseSecret(newSecret()), Buffer.alloc(0)]) {
    const refused = await connectHost({ ...address, secret }, quiet, systemClock);
    expect(refused).toMatchObject({ ok: false, error: { code: 'forbidden', message: /pty-host\.key/ } });
  }
});

test('[TM27] a socket that somebody else put in the place of the host hears a nonce and nothing else', async () => {
  const heard: unknown[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on(
      'data',
      createFrameReader((frame) => {
        const request = JSON.parse(frame.body.toString('utf8'));
        heard.push(request.do);
        socket.write(jsonFrame({ type: 'answer', re: request.id, value: { nonce: 'n', proof: 'p' } }));
      }),
    );
  });
  const path = join(stand.hostSocket, '..', 'impostor.sock');
  await new Promise<void>((done) => server.listen(path, done));
  const impostor = { pid: 0, socket: path, secret: parseSecret(stand.secret) };
  expect(await connectHost(impostor, quiet, systemClock)).toMatchObject({ ok: false });
  expect(heard).toEqual(['challenge']);
  for (const socket of sockets) socket.destroy();
  server.close();
});
