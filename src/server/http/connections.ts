/** The connections there are: at most a thousand, and those of a person's browser are never closed to make room for others. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Holder, seatToFree } from '../../core/access/full-house.ts';

/** Sockets of 200 clients and their requests, several times over. */
const MAX_CONNECTIONS = 1_000;

export interface Connections {
  /** A request on this connection had a credential of this holder. */
  markKnown(socket: Duplex, holder: Holder): void;
}

interface Seat {
  readonly socket: Socket;
  holder: Holder;
  isBusy: boolean;
}

export function watchConnections(server: Server): Connections {
  /** In the order they connected. */
  const seats = new Map<Duplex, Seat>();
  server.on('connection', (socket: Socket) => {
    if (seats.size >= MAX_CONNECTIONS) {
      const freed = seatToFree(seats.values());
      // Forgotten at once: its own close event comes later, and the next newcomer must not pick it again.
      seats.delete(freed?.socket ?? socket);
      (freed?.socket ?? socket).destroy();
      if (freed === null) return;
    }
    seats.set(socket, { socket, holder: 'nobody', isBusy: false });
    socket.once('close', () => seats.delete(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const seat = seats.get(request.socket);
    if (seat === undefined) return;
    seat.isBusy = true;
    response.once('close', () => {
      seat.isBusy = false;
    });
  });
  return {
    markKnown(socket, holder) {
      const seat = seats.get(socket);
      if (seat !== undefined) seat.holder = holder;
    },
  };
}
