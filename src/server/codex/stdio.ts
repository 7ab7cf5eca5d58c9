/** Transport over a pipe: JSON lines on stdin and stdout. The process ends with us. */
import { finished } from 'node:stream';
import { EMPTY_LINES, endBytes, pushBytes } from '../../core/text/lines.ts';
import type { CodexPipe } from './launch.ts';
import type { Transport, TransportEvents } from './transport.ts';

/** Codex took 40 MB in one line. */
const MAX_SEND_BYTES = 32 * 1024 * 1024;

export function attachStdio({ stdin, stdout, ended }: CodexPipe, events: TransportEvents): Transport {
  let lines = EMPTY_LINES;
  let isClosed = false;
  stdout.on('data', (chunk: Buffer) => {
    const step = pushBytes(lines, chunk);
    lines = step.state;
    for (const line of step.lines) events.onLine(line);
  });
  stdout.on('end', () => {
    for (const line of endBytes(lines)) events.onLine(line);
    lines = EMPTY_LINES;
  });
  // What it wrote before it died comes after the news of its death.
  const isRead = new Promise<void>((done) => finished(stdout, () => done()));
  void Promise.all([ended, isRead]).then(([reason]) => {
    isClosed = true;
    events.onClose(reason);
  });
  return {
    maxSendBytes: MAX_SEND_BYTES,
    send(line) {
      if (!isClosed) stdin.write(`${line}\n`);
    },
    close() {
      stdin.end();
    },
  };
}
