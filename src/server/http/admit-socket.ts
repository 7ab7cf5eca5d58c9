/** Whether a WebSocket is opened, decided before the handshake: who asks, for which socket, and whether there is a place. */
import type { IncomingMessage } from 'node:http';
import type { Scope } from '../../contract/access.ts';
import type { Failure } from '../../contract/result.ts';
import { SOCKETS } from '../../contract/sockets.ts';
import { callerAt } from '../../core/access/agent-rights.ts';
import { refuseSocketPath } from '../../core/access/confined.ts';
import type { Holder } from '../../core/access/full-house.ts';
import { refuseCall } from '../../core/access/refuse-call.ts';
import { type ProofHeaders, proofIn } from '../../core/access/session-proof.ts';
import type { Caller } from '../caller.ts';
import { findDoor, type SocketDoor, type SocketVisit } from '../socket-door.ts';
import type { Credentials, KnownCaller } from './credentials.ts';
import { pathOf } from './guard.ts';
import type { PeerLookup } from './peer-lookup.ts';

export interface AdmitOptions {
  readonly credentials: Credentials;
  readonly peers: PeerLookup;
  readonly rawTap: { isEnabled(): boolean };
  /** The sockets of the domains. */
  readonly doors: readonly SocketDoor[];
}

const SOCKET_PATH = SOCKETS.events.path;
/** Tabs, scripts and agents of one person; beyond it something loops. */
export const SOCKET_LIMITS = { all: 200, perProgram: 100 } as const;
const TOO_MANY_SOCKETS = `there are ${SOCKET_LIMITS.all} connections already, or ${SOCKET_LIMITS.perProgram} of this program`;

export function shownBy({ headers }: IncomingMessage): ProofHeaders {
  return { authorization: headers.authorization, protocols: headers['sec-websocket-protocol'] };
}

export type Verdict =
  | { readonly kind: 'refused'; readonly failure: Failure }
  | { readonly kind: 'admitted'; readonly caller: Caller; readonly mode: 'events' | 'raw' }
  | {
      readonly kind: 'admitted';
      readonly caller: Caller;
      readonly mode: 'door';
      readonly door: SocketDoor;
      readonly visit: SocketVisit;
    };

export async function callerOf(request: IncomingMessage, options: AdmitOptions): Promise<KnownCaller | null> {
  const shown = options.credentials.authenticate(shownBy(request));
  return shown?.kind === 'token' ? callerAt(shown, await options.peers.ofSocket(request.socket)) : shown;
}

export async function holderFor(
  caller: KnownCaller | null,
  { socket }: IncomingMessage,
  { peers }: AdmitOptions,
): Promise<Holder> {
  if (caller === null) return 'nobody';
  return caller.kind === 'session' ? 'person' : { program: await peers.programOf(socket) };
}

export function admit(
  request: IncomingMessage,
  caller: KnownCaller | null,
  options: AdmitOptions,
  hasPlace: boolean,
): Verdict {
  const { rawTap } = options;
  const target = request.url ?? '';
  const refused = (code: Failure['code'], message: string): Verdict => ({
    kind: 'refused',
    failure: { code, message },
  });
  const hasProof = proofIn(shownBy(request)) !== null;
  if (caller === null) return refused(hasProof ? 'proof_expired' : 'unauthorized', 'log in first');
  const path = pathOf(target);
  const door = findDoor(options.doors, path);
  if (path !== SOCKET_PATH && door === undefined) return refused('not_found', 'there is no WebSocket at this path');
  if (!hasPlace) return refused('rate_limited', TOO_MANY_SOCKETS);
  const unscoped = refuseCall(caller, scopeOf(door, target)) ?? refuseSocketPath(caller, path);
  if (unscoped !== null) return { kind: 'refused', failure: unscoped };
  if (door !== undefined) {
    const visit = { caller, path, query: new URLSearchParams(target.slice(path.length)) };
    const failure = door.refuse(visit);
    return failure === null ? { kind: 'admitted', caller, mode: 'door', door, visit } : { kind: 'refused', failure };
  }
  switch (target.slice(SOCKET_PATH.length)) {
    case '':
      return { kind: 'admitted', caller, mode: 'events' };
    case '?mode=raw':
      if (!rawTap.isEnabled()) return refused('forbidden', 'raw lines are shown in debug mode only');
      return { kind: 'admitted', caller, mode: 'raw' };
    default:
      return refused('invalid_request', 'the only query there is, is ?mode=raw');
  }
}

function scopeOf(door: SocketDoor | undefined, target: string): Scope {
  if (door !== undefined) return door.scope;
  return target === SOCKETS.raw.path ? SOCKETS.raw.scope : SOCKETS.events.scope;
}
