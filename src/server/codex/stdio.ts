/** Transport over a pipe: JSON lines on stdin and stdout. The process ends with us. */
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { EMPTY_LINES, endBytes, pushBytes } from '../../core/text/lines.ts';
import type { Transport, TransportEvents } from './transport.ts';

/** Codex took 40 MB in one line. */
const MAX_SEND_BYTES = 32 * 1024 * 1024;

export function attachStdio(
  child: ChildProcessByStdio<Writable, Readable, Readable>,
  events: TransportEvents,
): Transport {
  let lines = EMPTY_LINES;
  let isClosed = false;
  const close = (reason: string) => {
    if (isClosed) return;
    isClosed = true;
    events.onClose(reason);
  };
  child.stdout.on('data', (chunk: Buffer) => {
    const step = pushBytes(lines, chunk);
    lines = step.state;
    for (const line of step.lines) events.onLine(line);
  });
  child.stdout.on('end', () => {
    for (const line of endBytes(lines)) events.onLine(line);
    lines = EMPTY_LINES;
  });
  // The process may die between two writes; its exit says so, the broken pipe adds nothing.
  child.stdin.on('error', () => undefined);
  child.on('error', (error) => close(error.message));
  child.on('close', (code, signal) => close(signal === null ? `exit ${code}` : `killed by ${signal}`));
  return {
    maxSendBytes: MAX_SEND_BYTES,
    send(line) {
      if (!isClosed) child.stdin.write(`${line}\n`);
    },
    close() {
      child.stdin.end();
    },
  };
}
