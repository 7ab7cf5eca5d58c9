/** Requests that come before what answers them is loaded: held back on a stand, and in the first moment of a real server. */
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/contract/routes.ts';
import { type Box, openBox } from '../../src/testing/box.ts';
import { API_TOKEN, openSocket, requestText, sendRaw, startHttpStand } from '../../src/testing/http-stand.ts';

describe('[HT28] before what answers is loaded', () => {
  test('everybody waits, and is answered then', async () => {
    let load = () => {};
    const stand = await startHttpStand(
      new Promise<void>((done) => {
        load = done;
      }),
    );
    try {
      const authorization = await stand.logIn();
      const ask = (target: string, ...lines: readonly string[]) => {
        const head = [`GET ${target} HTTP/1.1`, `Host: 127.0.0.1:${stand.port}`, 'Connection: close'];
        return sendRaw(stand.port, requestText([...head, ...lines]));
      };
      const credential = `Authorization: Bearer ${API_TOKEN}`;
      const waiting = Promise.all([
        ask('/'),
        ask(ROUTES.status.path, credential),
        ask('/mcp'),
        ask('/nothing/here', credential),
        ask(ROUTES.status.path),
      ]);
      const socket = openSocket(stand.port, { authorization, origin: `http://127.0.0.1:${stand.port}` });
      // The door stands in front: it needs nothing that is loaded later.
      expect((await sendRaw(stand.port, requestText(['GET / HTTP/1.1', 'Host: evil.test']))).status).toBe(403);
      const gone = connect(stand.port, '127.0.0.1');
      const head = [`GET ${ROUTES.models.path} HTTP/1.1`, `Host: 127.0.0.1:${stand.port}`, credential];
      await new Promise<void>((done) => gone.write(requestText(head), () => done()));
      const closed = new Promise((done) => gone.once('close', done));
      gone.resetAndDestroy();
      await closed;
      // A later request is answered by the door only after the one that hung up was taken in.
      await sendRaw(stand.port, requestText(['GET / HTTP/1.1', 'Host: evil.test']));
      expect(stand.calls).toEqual([]);
      load();
      expect((await waiting).map(({ status }) => status)).toEqual([200, 200, 200, 404, 401]);
      const { ws } = await socket;
      ws.terminate();
      expect(stand.calls.map(({ id }) => id)).toEqual(['status']);
    } finally {
      await stand.stop();
    }
  });
});

describe('[HT28] a server that has just begun to listen', () => {
  let box: Box;
  beforeAll(async () => {
    box = await openBox();
  });
  afterAll(() => box?.close());

  test.skipIf(process.platform !== 'linux')('answers page, route, tool and socket', async () => {
    const url = box.url();
    const session = box.session();
    const port = Number(new URL(url).port);
    const mcp = await box.must('mcpToken', { agent: 'early' }, 'token');
    await box.kill();
    const restarted = box.restart();
    try {
      // Looked up, not tried: a socket that tries its own port from a loop may meet itself.
      await expect.poll(() => isListening(port), { interval: 1, timeout: 20_000 }).toBe(true);
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'agent_log_read', arguments: {} } };
      const proven = session.prove();
      const [page, route, tool, socket] = await Promise.all([
        fetch(`${url}/`),
        proven.then(() => fetch(`${url}${ROUTES.status.path}`, { headers: session.headers() })),
        fetch(mcp.url, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${mcp.token}`,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
          body: JSON.stringify(call),
        }),
        proven.then(() => openSocket(port, { ...session.headers(), origin: url })),
      ]);
      expect([page.status, route.status, tool.status]).toEqual([200, 200, 200]);
      expect(await page.text()).toContain('<html');
      expect(await route.json()).toMatchObject({ home: box.home });
      expect(await tool.text()).toContain('messages');
      socket.ws.terminate();
    } finally {
      // Also where something went wrong: `close` ends only a server it knows of.
      await restarted;
    }
  });
});

/** By the kernel's own table: local address 127.0.0.1, state LISTEN. */
async function isListening(port: number): Promise<boolean> {
  const address = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/));
  return rows.some(([, local, , state]) => local === address && state === '0A');
}
