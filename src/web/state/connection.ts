/** The socket client: reconnects for ever within a second, comes back with its cursor, says how it is. */
import type { ConversationId } from '../../contract/ids.ts';
import type { ClientFrame, ServerFrame } from '../../contract/ui-event.ts';
import { openReconnectingSocket, type ReconnectingSocketPorts } from './reconnecting-socket.ts';

export type LinkState = 'connecting' | 'open' | 'lost' | 'signed_out';

export interface Cursor {
  readonly conversationId: ConversationId;
  readonly after: number | null;
}

export interface ConnectionPorts {
  readonly path: string;
  readonly protocols: ReconnectingSocketPorts['protocols'];
  readonly onFrame: (frame: ServerFrame) => void;
  readonly onState: (state: LinkState) => void;
  /** Which conversations to follow and from where; asked anew at each connect. */
  readonly cursors: () => readonly Cursor[];
  /** Whether the session still counts: a refused upgrade does not say why. */
  readonly isSignedOut: () => Promise<boolean>;
}

export interface Connection {
  /** Follows what `cursors` now names and leaves what else was followed before. */
  refollow(): void;
  /** Tries at once instead of waiting out the back-off. */
  nudge(): void;
}

/** The contract's numbers; imported as values they would bring the schemas along. */
const CLOSE_RESYNC = 4008;
const CLOSE_SIGNED_OUT = 4001;
const CLOSE_PROOF_ENDED = 4002;

export function createConnection(ports: ConnectionPorts): Connection {
  let followed: readonly ConversationId[] = [];

  const say = (frame: ClientFrame): void => socket.send(frame);

  function refollow(): void {
    const cursors = ports.cursors();
    const before = followed;
    const next = cursors.map((one) => one.conversationId);
    for (const id of before) if (!next.includes(id)) say({ type: 'unsubscribe', conversation_id: id });
    followed = socket.isOpen() ? next : [];
    for (const { conversationId: conversation_id, after } of cursors)
      if (!before.includes(conversation_id))
        say({ type: 'subscribe', conversation_id, ...(after !== null && { after }) });
  }

  ports.onState('connecting');
  const socket = openReconnectingSocket({
    path: () => ports.path,
    protocols: ports.protocols,
    onOpen() {
      followed = [];
      ports.onState('open');
      refollow();
    },
    onText: (text) => ports.onFrame(JSON.parse(text)),
    onLost: () => ports.onState('lost'),
    async afterClose(code) {
      if (code === CLOSE_RESYNC || code === CLOSE_PROOF_ENDED) return 'reconnect';
      if (code !== CLOSE_SIGNED_OUT && !(await ports.isSignedOut())) return 'wait';
      ports.onState('signed_out');
      return 'give_up';
    },
  });
  return { refollow, nudge: socket.nudge };
}
