/** What answers requests and upgrades is loaded once the server listens, since it is a third of the code; whoever knocks before waits. */
import type { RequestListener } from 'node:http';
import type { SocketDoor } from '../socket-door.ts';
import type { AppOptions } from './app.ts';
import type { Rpc } from './handlers-rpc.ts';
import type { Handlers } from './services.ts';
import type { SocketOptions, Sockets } from './socket.ts';

/** What the domains put behind the server. */
export interface Rooms {
  readonly handlers: Handlers;
  /** Calls on the event stream. */
  readonly rpc: Rpc;
  /** The WebSockets of the domains. */
  readonly doors: readonly SocketDoor[];
  readonly refuseInput: AppOptions['refuseInput'];
}

export type RoomsOptions = Omit<AppOptions, keyof Rooms> &
  Omit<SocketOptions, keyof Rooms> & { readonly rooms: () => Promise<Rooms> };

export interface LazyRooms extends Pick<Sockets, 'upgrade' | 'stop'> {
  readonly answer: RequestListener;
  /** So that the first request finds them ready. */
  load(): Promise<void>;
}

export function createLazyRooms(options: RoomsOptions): LazyRooms {
  const open = async () => {
    const [app, socket, rooms] = await Promise.all([import('./app.ts'), import('./socket.ts'), options.rooms()]);
    const whole = { ...options, ...rooms };
    return { answer: app.createApp(whole), sockets: socket.createSockets(whole) };
  };
  let opening: ReturnType<typeof open> | null = null;
  let isStopped = false;
  const opened = () => {
    opening ??= open();
    return opening;
  };
  return {
    async answer(request, response) {
      const { answer } = await opened();
      // Who has hung up meanwhile would not be heard hanging up any more.
      if (!response.destroyed) answer(request, response);
    },
    async upgrade(request, socket, head) {
      const { sockets } = await opened();
      await sockets.upgrade(request, socket, head);
    },
    async load() {
      if (!isStopped) await opened();
    },
    async stop() {
      isStopped = true;
      await (await opening)?.sockets.stop();
    },
  };
}
