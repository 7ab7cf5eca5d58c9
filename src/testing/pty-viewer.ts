/** Somebody who looks at a terminal over the WebSocket. For tests only. */
import { WebSocket } from 'ws';
import type { PtyClientFrame, PtyServerFrame } from '../contract/terminal.ts';

export interface PtyViewer {
  readonly frames: readonly PtyServerFrame[];
  /** Everything received as bytes, in order. */
  text(): string;
  cursor(): number;
  send(frame: PtyClientFrame): void;
  until(what: string, isTrue: () => boolean): Promise<void>;
  readonly closed: Promise<number>;
  close(): void;
}

const WAIT_MS = 25_000;

export async function openPtyViewer(options: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly id: string;
  readonly cursor?: number;
  /** Never acknowledges. */
  readonly isSlow?: boolean;
}): Promise<PtyViewer> {
  const query = options.cursor === undefined ? '' : `?cursor=${options.cursor}`;
  const path = `${options.url.replace('http', 'ws')}/ws/pty/${options.id}${query}`;
  const socket = new WebSocket(path, { headers: { ...options.headers, origin: options.url } });
  const frames: PtyServerFrame[] = [];
  const parts: Buffer[] = [];
  const waiters = new Set<() => void>();
  let cursor = 0;
  const wake = () => {
    for (const look of [...waiters]) look();
  };
  const send = (frame: PtyClientFrame) => socket.send(JSON.stringify(frame));
  const ack = () => {
    if (options.isSlow !== true && socket.readyState === socket.OPEN) send({ type: 'ack', cursor });
  };
  const closed = new Promise<number>((done) => socket.on('close', done));
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) {
      const offset = Number(data.readBigUInt64BE(0));
      if (parts.length > 0 && offset !== cursor) parts.length = 0;
      parts.push(data.subarray(8));
      cursor = offset + data.length - 8;
      ack();
    } else {
      const frame: PtyServerFrame = JSON.parse(data.toString());
      frames.push(frame);
      if (frame.type === 'screen' || frame.type === 'resume') {
        cursor = frame.cursor;
        ack();
      }
    }
    wake();
  });
  await new Promise<void>((done, fail) => {
    socket.once('open', () => done());
    socket.once('error', fail);
  });
  const text = () => Buffer.concat(parts).toString('utf8');

  return {
    frames,
    text,
    cursor: () => cursor,
    send,
    until: (what, isTrue) =>
      new Promise((done, fail) => {
        const late = setTimeout(() => {
          waiters.delete(look);
          fail(new Error(`${what} did not come; the terminal said ${JSON.stringify(text().slice(-300))}`));
        }, WAIT_MS);
        const look = () => {
          if (!isTrue()) return;
          clearTimeout(late);
          waiters.delete(look);
          done();
        };
        waiters.add(look);
        look();
      }),
    closed,
    close: () => socket.terminate(),
  };
}
