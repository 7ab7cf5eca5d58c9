/** Somebody who looks at a terminal over the WebSocket. For tests only. */
import { WebSocket } from 'ws';
import type { PtyClientFrame, PtyServerFrame } from '../contract/terminal.ts';
import { createWaits } from './waits.ts';

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
  const waits = createWaits();
  let cursor = 0;
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
    waits.wake();
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
    until: async (what, isTrue) => {
      const seen = () => `${what} did not come; the terminal said ${JSON.stringify(text().slice(-300))}`;
      await waits.until(() => isTrue() || undefined, seen);
    },
    closed,
    close: () => socket.terminate(),
  };
}
