/** The kernel's table of TCP sockets: which of them listen, and where. */
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { parseListening, readListeningPorts } from './listening-ports.ts';

test('[SH65] only listening sockets with an owner have a port', () => {
  const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0000000000000000 100 0 0 10 0
   1: 0100007F:0BB8 0100007F:C001 01 00000000:00000000 00:00000000 00000000  1000        0 4712 1 0000000000000000 20 4 30 10 -1
   2: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 0 1 0000000000000000 100 0 0 10 0
   3: 00000000000000000000000001000000:0050 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 9 1`;
  expect([...parseListening(table)]).toEqual([
    ['4711', 3000],
    ['9', 80],
  ]);
  expect(parseListening('')).toEqual(new Map());
});

test.runIf(process.platform === 'linux')(
  '[SH65] a port of this process is found, and not for another one',
  async () => {
    const server = createServer();
    const port = await new Promise<number>((done) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        done(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    expect(readListeningPorts()([process.pid])).toContain(port);
    expect(readListeningPorts()([process.ppid])).not.toContain(port);
    await new Promise((done) => server.close(done));
  },
);
