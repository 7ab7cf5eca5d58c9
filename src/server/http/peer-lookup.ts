/** What the HTTP edge asks about the process at the other end of a connection. `server/access/peers.ts` answers. */
import type { Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { callerAt } from '../../core/access/agent-rights.ts';
import type { Peer } from '../../core/access/classify-peer.ts';
import type { Holder } from '../../core/access/full-house.ts';
import type { Caller } from '../caller.ts';
import type { KnownCaller } from './credentials.ts';

export interface PeerLookup {
  ofSocket(socket: Socket): Promise<Peer>;
  /** Equal for all connections of one process. */
  programOf(socket: Socket): Promise<string>;
}

/** What hono carries along with a request. */
export type Env = { Variables: { caller: Caller }; Bindings: HttpBindings };

/** Of a request that was answered by a credential of its own. A signed webhook is not looked up: all of them count as one program. */
export async function holderOf(c: Context<Env>, peers: PeerLookup): Promise<Holder> {
  const isWebhook = c.req.header('authorization') === undefined;
  return { program: isWebhook ? 'webhooks' : await peers.programOf(c.env.incoming.socket) };
}

interface Recognizing {
  readonly peers: PeerLookup;
  readonly markKnown: (socket: Socket, holder: Holder) => void;
}

/** The caller with the rights of the process that shows its token. Notes whose connection it is. */
export async function recognize(
  caller: KnownCaller | null,
  socket: Socket,
  { peers, markKnown }: Recognizing,
): Promise<Caller> {
  if (caller === null) return { kind: 'anonymous' };
  if (caller.kind !== 'token') {
    markKnown(socket, 'person');
    return caller;
  }
  markKnown(socket, { program: await peers.programOf(socket) });
  return callerAt(caller, await peers.ofSocket(socket));
}
