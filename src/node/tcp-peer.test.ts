/** Which process is at the other end of a connection. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { findInTable, findTcpPeer } from './tcp-peer.ts';

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
  expect(findInTable(table, ends)).toEqual({ inode: '13', uid: 1000 });
  const mapped = [HEAD, row('0000000000000000FFFF00000100007F:ABCD', '0000000000000000FFFF00000100007F:1F90', 5, 14)];
  expect(findInTable(mapped.join('\n'), ends)).toEqual({ inode: '14', uid: 5 });
  const six = [HEAD, row('00000000000000000000000001000000:ABCD', '00000000000000000000000001000000:1F90', 5, 15)];
  expect(findInTable(six.join('\n'), { ...ends, remoteAddress: '::1' })).toEqual({ inode: '15', uid: 5 });
  const gone = [HEAD, row('0100007F:ABCD', '0100007F:1F90', 0, 0)];
  expect(findInTable(gone.join('\n'), ends)).toBeNull();
});

describe.skipIf(process.platform !== 'linux')('on Linux', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  async function connectFrom(script: string): Promise<{ child: ChildProcess; socket: Socket; close: () => void }> {
    const server = createServer({ allowHalfOpen: true });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const child = spawn(process.execPath, ['-e', script.replace('PORT', String(port))], { stdio: 'ignore' });
    children.push(child);
    const [socket] = (await once(server, 'connection')) as [Socket];
    socket.on('error', () => undefined);
    const close = () => {
      socket.destroy();
      server.close();
    };
    return { child, socket, close };
  }

  const endsOf = ({ localPort = 0, remoteAddress = '', remotePort = 0 }: Socket) => ({
    localPort,
    remoteAddress,
    remotePort,
  });

  test('the process that holds the socket', async () => {
    const { child, socket, close } = await connectFrom("require('node:net').connect(PORT, '127.0.0.1')");
    expect(await findTcpPeer(endsOf(socket))).toEqual({ kind: 'process', pid: child.pid });
    close();
  });

  test('a client that has gone is gone', async () => {
    const { child, socket, close } = await connectFrom("require('node:net').connect(PORT, '127.0.0.1')");
    const ends = endsOf(socket);
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    expect(await findTcpPeer(ends)).toEqual({ kind: 'gone' });
    close();
  });
});
