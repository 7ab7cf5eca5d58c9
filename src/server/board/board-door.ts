/** `WS /ws`: every post as it becomes durable, and with `?after=N` what came since N first. */
import type { WebSocket } from 'ws';
import type { BoardFrame } from '../../contract/board.ts';
import { SOCKETS } from '../../contract/sockets.ts';
import { CLOSE_RESYNC, MAX_CLIENT_QUEUE_BYTES } from '../../contract/ui-event.ts';
import type { Logger } from '../../node/logger.ts';
import type { SocketDoor } from '../socket-door.ts';
import type { Board } from './board.ts';

/** Replayed in pages of this many. */
const REPLAY_PAGE = 200;
/** WebSocket's own number for a server that failed. */
const CLOSE_FAILED = 1011;

export function createBoardDoor(board: Board, log: Logger): SocketDoor {
  return {
    ...SOCKETS.board,
    refuse({ query }) {
      const after = query.get('after');
      const isWrong = [...query.keys()].some((key) => key !== 'after') || (after !== null && !/^\d{1,15}$/.test(after));
      return isWrong ? { code: 'invalid_request', message: 'the only query there is, is ?after=N' } : null;
    },
    open(ws, { query }) {
      const after = query.get('after');
      serve(board, ws, after === null ? null : Number(after)).catch((error: unknown) => {
        log.error({ error }, 'the board could not be followed');
        ws.close(CLOSE_FAILED, 'internal');
      });
    },
  };
}

async function serve(board: Board, ws: WebSocket, after: number | null): Promise<void> {
  const held: BoardFrame[] = [];
  let isHolding = true;
  let isOpen = true;
  const send = (frame: BoardFrame) => {
    if (!isOpen) return;
    // A reader this far behind comes back with `after`.
    if (ws.bufferedAmount > MAX_CLIENT_QUEUE_BYTES) ws.close(CLOSE_RESYNC, 'resync');
    else ws.send(JSON.stringify(frame));
  };
  ws.on('close', () => {
    isOpen = false;
  });
  // Listening first: what is posted while the past is read is told after it, once.
  const { lastNum, stop } = await board.subscribe((frame) => (isHolding ? void held.push(frame) : send(frame)));
  if (!isOpen) stop();
  ws.on('close', stop);
  send({ type: 'hello', last_num: lastNum });
  let told = after ?? lastNum;
  if (after !== null) {
    for (let hasMore = isOpen; hasMore && isOpen; ) {
      const page = await board.list({ after: told, limit: REPLAY_PAGE, match: {} });
      for (const message of page.messages) {
        send({ type: 'message', message });
        told = message.num;
      }
      hasMore = page.hasMore;
    }
  }
  isHolding = false;
  for (const frame of held) if (frame.type !== 'message' || frame.message.num > told) send(frame);
}
