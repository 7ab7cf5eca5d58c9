/** `WS /ws` from the page: tells each frame, comes back with its cursor. */
import type { BoardFrame } from '../../contract/board.ts';

interface FollowPorts {
  /** Where to go on; asked at each connect. */
  readonly after: () => number;
  readonly onFrame: (frame: BoardFrame) => void;
  readonly onState: (isLive: boolean) => void;
}

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 900;

/** Returns how to stop. */
export function followBoard(ports: FollowPorts): () => void {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;
  let isStopped = false;
  const connect = () => {
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    socket = new WebSocket(`${scheme}//${location.host}/ws?after=${ports.after()}`);
    socket.onopen = () => {
      attempt = 0;
      ports.onState(true);
    };
    socket.onmessage = (message: MessageEvent<string>) => ports.onFrame(JSON.parse(message.data));
    socket.onclose = () => {
      if (isStopped) return;
      ports.onState(false);
      timer = setTimeout(connect, Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt));
      attempt += 1;
    };
  };
  connect();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    socket?.close();
  };
}
