/** A browser socket that reconnects until it is closed: after 100 ms first, then twice as long each time, at most 900 ms. */

/** What follows the end of a connection. */
export type AfterClose = 'wait' | 'reconnect' | 'give_up';

export interface ReconnectingSocketPorts {
  /** Path and query; read at each connect, since the query may hold a cursor. */
  readonly path: () => string;
  readonly onOpen: () => void;
  readonly onText: (text: string) => void;
  /** The connection has ended, and another one will be opened. */
  readonly onLost: () => void;
  /** Decides by the close code, before `onLost`. Without it every end is followed by a wait and a new connection. */
  readonly afterClose?: (code: number) => Promise<AfterClose>;
}

export interface ReconnectingSocket {
  isOpen(): boolean;
  /** Sends the frame as JSON, or drops it while the socket is not open. */
  send(frame: unknown): void;
  /** Reconnects at once if the next attempt still waits. */
  nudge(): void;
  /** Also ends the attempts; nothing is reported after it. */
  close(): void;
}

const FIRST_DELAY_MS = 100;
/** The promise is to be back within a second of the server being there. */
const MAX_DELAY_MS = 900;

export function openReconnectingSocket(ports: ReconnectingSocketPorts): ReconnectingSocket {
  let socket: WebSocket | null = null;
  /** Failed attempts since a connection was last open. */
  let attempt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  function connect(): void {
    clearTimeout(timer);
    timer = undefined;
    const fresh = new WebSocket(`${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}${ports.path()}`);
    socket = fresh;
    fresh.onopen = () => {
      if (isClosed) return;
      attempt = 0;
      ports.onOpen();
    };
    fresh.onmessage = (message: MessageEvent<string>) => {
      if (!isClosed) ports.onText(message.data);
    };
    fresh.onclose = ({ code }) => {
      socket = null;
      if (isClosed) return;
      if (ports.afterClose === undefined) reconnect('wait');
      else void ports.afterClose(code).then(reconnect);
    };
  }

  function reconnect(after: AfterClose): void {
    if (isClosed || after === 'give_up') return;
    ports.onLost();
    timer ??= setTimeout(connect, after === 'wait' ? Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt) : 0);
    attempt += 1;
  }

  connect();
  return {
    isOpen: () => socket?.readyState === WebSocket.OPEN,
    send: (frame) => {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
    },
    nudge: () => {
      if (timer !== undefined) connect();
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      timer = undefined;
      socket?.close();
    },
  };
}
