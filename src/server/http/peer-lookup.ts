/** What the HTTP edge asks about the process at the other end of a connection. `server/access/peers.ts` answers. */
import type { Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Peer } from '../../core/access/classify-peer.ts';
import type { Caller } from '../caller.ts';

export interface PeerLookup {
  ofSocket(socket: Socket): Promise<Peer>;
}

/** What hono carries along with a request. */
export type Env = { Variables: { caller: Caller }; Bindings: HttpBindings };
