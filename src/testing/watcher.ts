/** A client of the event stream that folds what it hears, and can be asked to wait for something. For tests only. */
import { WebSocket } from 'ws';
import type { Entry } from '../contract/entry.ts';
import type { ClientFrame, ServerFrame } from '../contract/ui-event.ts';
import { type ConversationView, EMPTY_VIEW, reduceConversation } from '../core/conversations/reduce.ts';
import { readFrame } from './read-frame.ts';
import { createWaits } from './waits.ts';

export interface Watcher {
  readonly frames: readonly ServerFrame[];
  view(): ConversationView;
  /** Resolves with the first frame that fits, also one already received. */
  until(fits: (frame: ServerFrame) => boolean, what?: string): Promise<ServerFrame>;
  /** The n-th turn to end (from 1) since the watcher began. */
  turnEnd(n?: number): Promise<void>;
  approval(n?: number): Promise<Extract<ServerFrame, { type: 'approval' }>['approval']>;
  entries(): readonly Entry[];
  send(frame: ClientFrame): void;
  closed: Promise<number>;
  close(): void;
}

export async function openWatcher(
  url: string,
  headers: Readonly<Record<string, string>>,
  conversationId: string,
  after?: number,
): Promise<Watcher> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/appserver`, { headers: { ...headers, origin: url } });
  const frames: ServerFrame[] = [];
  const waits = createWaits();
  let view = EMPTY_VIEW;
  const closed = new Promise<number>((done) => socket.on('close', done));
  socket.on('message', (data) => {
    const frame = readFrame(data.toString());
    frames.push(frame);
    if (!('conversation_id' in frame) || frame.conversation_id === conversationId)
      view = reduceConversation(view, frame);
    waits.wake();
  });
  await new Promise<void>((done, fail) => {
    socket.once('open', () => done());
    socket.once('error', fail);
  });
  socket.send(
    JSON.stringify({ type: 'subscribe', conversation_id: conversationId, ...(after !== undefined && { after }) }),
  );

  const nth = (fits: (frame: ServerFrame) => boolean, n: number, what: string): Promise<ServerFrame> =>
    waits.until(
      () => frames.filter(fits)[n - 1],
      () => {
        const seen = frames.slice(-15).map((frame) => JSON.stringify(frame).slice(0, 200));
        return `waited in vain for ${what}; last frames:\n${seen.join('\n')}`;
      },
    );

  const watcher: Watcher = {
    frames,
    view: () => view,
    until: (fits, what = fits.toString()) => nth(fits, 1, what),
    async turnEnd(n = 1) {
      await nth((frame) => frame.type === 'status' && 'seq' in frame, n, `the end of turn ${n}`);
    },
    async approval(n = 1) {
      const frame = await nth((one) => one.type === 'approval', n, `approval ${n}`);
      if (frame.type !== 'approval') throw new Error('unreachable');
      return frame.approval;
    },
    entries: () => view.entries,
    send: (frame) => socket.send(JSON.stringify(frame)),
    closed,
    close: () => socket.terminate(),
  };
  await watcher.until((frame) => frame.type === 'synchronized' || frame.type === 'refused', 'synchronized');
  return watcher;
}
