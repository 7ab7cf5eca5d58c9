/** The pty host: a process of its own that owns every PTY of a home, outlives the server, and ends with its last shell. */

import { HOST_PROTOCOL, type HostRecord } from '../contract/pty-host.ts';
import { writeFileAtomic } from '../node/atomic-file.ts';
import { startTimeOf } from '../node/process-identity.ts';
import { startHost } from './host.ts';

/** A server that starts us opens a terminal at once; without one there is nothing to live for. */
const FIRST_TERMINAL_MS = 60_000;

const [, , socket = '', recordPath = ''] = process.argv;
process.umask(0o077);
// The window whose command line started the server may close: we stay.
process.on('SIGHUP', () => undefined);

const host = await startHost(socket, FIRST_TERMINAL_MS);
const record: HostRecord = {
  pid: process.pid,
  start_time: startTimeOf(process.pid) ?? '',
  socket,
  protocol: HOST_PROTOCOL,
};
await writeFileAtomic(recordPath, `${JSON.stringify(record)}\n`);
process.stdout.write('ready\n');
await host.ended;
process.exit(0);
