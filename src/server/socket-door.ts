/** A WebSocket of a domain beside the event stream: where it is, and who serves it once the guard has let the caller in. */
import type { WebSocket } from 'ws';
import type { Scope } from '../contract/access.ts';
import type { Failure } from '../contract/result.ts';
import type { Caller } from './caller.ts';

export interface SocketVisit {
  readonly caller: Caller;
  readonly path: string;
  readonly query: URLSearchParams;
}

export interface SocketDoor {
  /** An exact path, or every path below it when it ends with `/`. */
  readonly path: string;
  readonly scope: Scope;
  /** Why this visit is not let in, before any handshake; null when it is. */
  refuse(visit: SocketVisit): Failure | null;
  open(ws: WebSocket, visit: SocketVisit): void;
}

export function findDoor(doors: readonly SocketDoor[], path: string): SocketDoor | undefined {
  return doors.find((door) => (door.path.endsWith('/') ? path.startsWith(door.path) : path === door.path));
}
