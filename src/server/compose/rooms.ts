/** What stands behind the HTTP server: the handlers of the routes and the sockets of the domains. Loaded once we listen. */
import { refuseInput } from '../../core/access/confined.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { createBoardDoor } from '../board/board-door.ts';
import { createHandlers } from '../http/handlers.ts';
import type { Rooms } from '../http/lazy-rooms.ts';
import type { Hub } from '../hub/hub.ts';
import { createShellsDoor } from '../shells/door.ts';
import { createTerminalSocket } from '../terminal/terminal-socket.ts';

type RoomOptions = Omit<Parameters<typeof createHandlers>[0], 'tell'> & {
  readonly hub: Pick<Hub, 'tell'>;
  readonly terminals: Parameters<typeof createTerminalSocket>[0];
  readonly clock: Clock;
  readonly log: Logger;
};

export function composeRooms(options: RoomOptions): Rooms {
  const { board, shells, terminals, registry, clock, log } = options;
  const threadOf = (id: string) => registry.metaOf(id)?.thread_id ?? null;
  return {
    refuseInput: (caller, route, input) => refuseInput(caller, route, { ...input }, threadOf),
    ...createHandlers({ ...options, tell: options.hub.tell }),
    doors: [createBoardDoor(board, log), createShellsDoor({ shells, clock }), createTerminalSocket(terminals, log)],
  };
}
