/** A browser socket that reconnects until it is closed: after 100 ms first, then twice as long each time, at most 900 ms. */

/** What follows the end of a connection. */
export type AfterClose = 'wait' | 'reconnect' | 'give_up';

export interface ReconnectingSocketPorts {
  /** Path and query; read at each connect, since the query may hold a cursor. */
  readonly path: () => string;
  /** The protocols to connect with, which hold the proof of the session; null if there is none now, which counts as a failed attempt. */
  readonly protocols: (hasLost: boolean) => Promise<string[] | null>;
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

/** What a browser says of a connection that never opened. */
const CLOSE_ABNORMAL = 1006;
const FIRST_DELAY_MS = 100;
/** The promise is to be back within a second of the server being there. */
const MAX_DELAY_MS = 900;

export function openReconnectingSocket(ports: ReconnectingSocketPorts): ReconnectingSocket {
  let socket: WebSocket | null = null;
  /** Failed attempts since a connection was last open. */
  let attempt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  let hasLost = false;

  async function connect(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const protocols = await ports.protocols(hasLost);
    if (isClosed) return;
    if (protocols === null) {
      ended(CLOSE_ABNORMAL);
      return;
    }
    const origin = `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}`;
    const fresh = new WebSocket(`${origin}${ports.path()}`, protocols);
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
      if (!isClosed) ended(code);
    };
  }

  function ended(code: number): void {
    hasLost = true;
    if (ports.afterClose === undefined) reconnect('wait');
    else void ports.afterClose(code).then(reconnect);
  }

  function reconnect(after: AfterClose): void {
    if (isClosed || after === 'give_up') return;
    ports.onLost();
    timer ??= setTimeout(
      () => void connect(),
      after === 'wait' ? Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt) : 0,
    );
    attempt += 1;
  }

  void connect();
  return {
    isOpen: () => socket?.readyState === WebSocket.OPEN,
    send: (frame) => {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
    },
    nudge: () => {
      if (timer !== undefined) void connect();
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      timer = undefined;
      socket?.close();
    },
  };
}
