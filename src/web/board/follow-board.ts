/** `WS /ws` from the page: reports each frame, and reconnects with its cursor. */
import type { BoardFrame } from '../../contract/board.ts';
import { pageSession } from '../state/page-session.ts';
import { openReconnectingSocket } from '../state/reconnecting-socket.ts';

interface FollowPorts {
  /** Where to go on; asked at each connect. */
  readonly after: () => number;
  readonly onFrame: (frame: BoardFrame) => void;
  readonly onState: (isLive: boolean) => void;
}

/** Returns how to stop. */
export function followBoard(ports: FollowPorts): () => void {
  const socket = openReconnectingSocket({
    path: () => `/ws?after=${ports.after()}`,
    protocols: pageSession.socketProtocols,
    onOpen: () => ports.onState(true),
    onText: (text) => ports.onFrame(JSON.parse(text)),
    onLost: () => ports.onState(false),
  });
  return socket.close;
}
