/** The socket client: reconnects for ever within a second, comes back with its cursor, says how it is. */
import type { ConversationId } from '../../contract/ids.ts';
import type { ClientFrame, ServerFrame } from '../../contract/ui-event.ts';

export type LinkState = 'connecting' | 'open' | 'lost' | 'signed_out';

export interface ConnectionPorts {
  readonly url: string;
  readonly onFrame: (frame: ServerFrame) => void;
  readonly onState: (state: LinkState) => void;
  /** Which conversation to follow and from where; asked anew at each connect. */
  readonly cursor: () => { readonly conversationId: ConversationId; readonly after: number | null } | null;
  /** Whether the session still counts: a refused upgrade does not say why. */
  readonly isSignedOut: () => Promise<boolean>;
}

export interface Connection {
  /** Follows what `cursor` now names and leaves what was followed before. */
  refollow(): void;
  /** Tries at once instead of waiting out the back-off. */
  nudge(): void;
  stop(): void;
}

/** The contract's number; imported as a value it would bring the schemas along. */
const CLOSE_RESYNC = 4008;
const CLOSE_SIGNED_OUT = 4001;
const FIRST_DELAY_MS = 100;
/** The promise is to be back within a second of the server being there. */
const MAX_DELAY_MS = 900;

function nextDelay(attempt: number): number {
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
}

export function createConnection(ports: ConnectionPorts): Connection {
  let socket: WebSocket | null = null;
  let followed: ConversationId | null = null;
  let attempt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  function connect(): void {
    clearTimeout(timer);
    timer = undefined;
    const fresh = new WebSocket(ports.url);
    socket = fresh;
    followed = null;
    fresh.onopen = () => {
      attempt = 0;
      ports.onState('open');
      refollow();
    };
    fresh.onmessage = (message: MessageEvent<string>) => ports.onFrame(JSON.parse(message.data));
    fresh.onclose = (close) => {
      if (socket !== fresh) return;
      socket = null;
      if (!isStopped) void comeBack(close.code);
    };
  }

  async function comeBack(code: number): Promise<void> {
    if (code === CLOSE_SIGNED_OUT || (code !== CLOSE_RESYNC && (await ports.isSignedOut()))) {
      ports.onState('signed_out');
      return;
    }
    ports.onState('lost');
    timer ??= setTimeout(connect, code === CLOSE_RESYNC ? 0 : nextDelay(attempt));
    attempt += 1;
  }

  function say(frame: ClientFrame): void {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
  }

  function refollow(): void {
    const cursor = ports.cursor();
    const next = cursor?.conversationId ?? null;
    if (followed !== null && followed !== next) say({ type: 'unsubscribe', conversation_id: followed });
    followed = socket?.readyState === WebSocket.OPEN ? next : null;
    if (cursor === null) return;
    const after = cursor.after === null ? {} : { after: cursor.after };
    say({ type: 'subscribe', conversation_id: cursor.conversationId, ...after });
  }

  ports.onState('connecting');
  connect();
  return {
    refollow,
    nudge: () => {
      if (socket === null && timer !== undefined) connect();
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}
