/** The pty host: a process of its own that owns every PTY of a home, outlives the server, and ends with its last shell. */

import { readFileSync } from 'node:fs';
import { HOST_PROTOCOL, type HostRecord } from '../contract/pty-host.ts';
import { writeFileAtomic } from '../node/atomic-file.ts';
import { parseSecret } from '../node/mutual-proof.ts';
import { startTimeOf } from '../node/process-identity.ts';
import { startHost } from './host.ts';

/** A server that starts us opens a terminal at once; without one there is nothing to live for. */
const FIRST_TERMINAL_MS = 60_000;

const [, , socket = '', recordPath = '', keyPath = ''] = process.argv;
process.umask(0o077);
// The window whose command line started the server may close: we stay.
process.on('SIGHUP', () => undefined);

// A file and not an argument: every process of the machine can read arguments.
const secret = parseSecret(readFileSync(keyPath, 'utf8'));
if (secret === null) throw new Error(`${keyPath} holds no key`);
const host = await startHost({ socketPath: socket, secret, idleMs: FIRST_TERMINAL_MS });
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
