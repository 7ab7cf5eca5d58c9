/** Which process is at the other end of a connection. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findLocalPeer } from './local-peer.ts';
import { parseTcpTable } from './tcp-table.ts';
import { parseUnixTable } from './unix-table.ts';

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
const row = (from: string, to: string, uid: number, inode: number) =>
  `   1: ${from} ${to} 01 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 1 0000000000000000 20 4 30 10 -1`;

test('the row of the client is found, not the row of the server, in both tables', () => {
  const ends = { localPort: 0x1f90, remoteAddress: '127.0.0.1', remotePort: 0xabcd };
  const table = [
    HEAD,
    row('0100007F:1F90', '0100007F:ABCD', 1000, 11),
    row('0200007F:ABCD', '0100007F:1F90', 1001, 12),
    row('0100007F:ABCD', '0100007F:1F90', 1000, 13),
  ].join('\n');
  expect(parseTcpTable([table]).find(ends)).toEqual({ inode: '13', uid: 1000 });
  const mapped = [HEAD, row('0000000000000000FFFF00000100007F:ABCD', '0000000000000000FFFF00000100007F:1F90', 5, 14)];
  expect(parseTcpTable([mapped.join('\n')]).find(ends)).toEqual({ inode: '14', uid: 5 });
  const six = [HEAD, row('00000000000000000000000001000000:ABCD', '00000000000000000000000001000000:1F90', 5, 15)];
  expect(parseTcpTable([six.join('\n')]).find({ ...ends, remoteAddress: '::1' })).toEqual({ inode: '15', uid: 5 });
  const gone = [HEAD, row('0100007F:ABCD', '0100007F:1F90', 0, 0)];
  expect(parseTcpTable([gone.join('\n')]).find(ends)).toBeNull();
});

test('[AG30] the other end of a Unix socket is found by its inode, and no name of a socket can pretend to be a row', () => {
  const rows = (...all: string[]) => parseUnixTable(all.map((one) => `u_str ESTAB 0 0 ${one}`).join('\n'));
  const plain = ['/run/events.sock 11 * 12', '* 12 * 11', '/run/of-a-person.sock 21 * 22', '* 22 * 21'];
  expect(rows(...plain).peerOf('11')).toBe('12');
  expect(rows('/run/events.sock 11 * 0').peerOf('11')).toBe('closed');
  expect(rows('* 12 * 11').peerOf('11')).toBe('elsewhere');
  expect(rows().peerOf('11')).toBe('elsewhere');
  // A client binds its socket to a name with line breaks in it, to be taken for the client that has inode 22.
  const name = 'a b\nu_str ESTAB 0 0 /x 11 * 22\nu_str ESTAB 0 0 * 22 * 11\nz';
  expect(rows(`/run/events.sock 11 ${name} 12`, `${name} 12 * 11`, ...plain.slice(2)).peerOf('11')).toBe('elsewhere');
});

describe.skipIf(process.platform !== 'linux')('on Linux', () => {
  const children: ChildProcess[] = [];
  let dir = '';
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'signalbox-peer-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  async function connectFrom(
    script: string,
    [program, flag]: readonly [string, string] = [process.execPath, '-e'],
  ): Promise<{ child: ChildProcess; socket: Socket; close: () => void }> {
    const server = createServer({ allowHalfOpen: true });
    const path = join(dir, `${children.length}.sock`);
    await new Promise<void>((done) =>
      script.includes('PATH') ? server.listen(path, done) : server.listen(0, '127.0.0.1', done),
    );
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const said = script.replace('PORT', String(port)).replace('PATH', JSON.stringify(path));
    const child = spawn(program, [flag, said], { stdio: 'ignore' });
    children.push(child);
    const [socket] = (await once(server, 'connection')) as [Socket];
    socket.on('error', () => undefined);
    const close = () => {
      socket.destroy();
      server.close();
    };
    return { child, socket, close };
  }

  test('the process that holds the socket', async () => {
    const { child, socket, close } = await connectFrom("require('node:net').connect(PORT, '127.0.0.1')");
    expect(await findLocalPeer(socket)).toEqual({ kind: 'process', pid: child.pid });
    close();
  });

  test('the process that made the socket, not a child that inherited it', async () => {
    const script = 'exec 3<>/dev/tcp/127.0.0.1/PORT; sleep 60 & echo >&3; wait';
    const { child, socket, close } = await connectFrom(script, ['bash', '-c']);
    // The line comes after the child was started.
    await once(socket, 'data');
    expect(await findLocalPeer(socket)).toEqual({ kind: 'process', pid: child.pid });
    close();
  });

  test('a client that has gone is gone', async () => {
    const { child, socket, close } = await connectFrom("require('node:net').connect(PORT, '127.0.0.1')");
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    expect(await findLocalPeer(socket)).toEqual({ kind: 'gone' });
    close();
  });

  describe.skipIf(!existsSync('/usr/bin/ss') && !existsSync('/bin/ss'))('with ss', () => {
    test('[AG30] the process that holds the client’s end of a Unix socket', async () => {
      const { child, socket, close } = await connectFrom("require('node:net').connect(PATH)");
      expect(await findLocalPeer(socket)).toEqual({ kind: 'process', pid: child.pid });
      close();
    });

    test('[AG30] a client of a Unix socket that has gone is gone', async () => {
      const { child, socket, close } = await connectFrom("require('node:net').connect(PATH)");
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      expect(await findLocalPeer(socket)).toEqual({ kind: 'gone' });
      close();
    });
  });
});
