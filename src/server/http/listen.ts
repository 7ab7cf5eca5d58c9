/** The server of the page, the routes and the sockets: listens first, and answers once there is something to answer with. */
import { randomBytes } from 'node:crypto';
import { ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../node/clock.ts';
import { openGuardedServer } from './guarded-server.ts';
import { createLazyRooms, type LazyRooms, type RoomsOptions } from './lazy-rooms.ts';
import { listStaticFiles } from './static-files.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Where the built page lies. */
  readonly webRoot: string;
  readonly clock: Clock;
}

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** From now on requests are answered; those that came before have waited for it. */
  serve(options: Omit<RoomsOptions, 'origin' | 'files' | 'newErrorId' | 'markKnown'>): Serving;
  /** Ends every connection. Idempotent. */
  stop(): Promise<void>;
}

interface Serving {
  /** Loads what answers; the first request does it otherwise, and waits. */
  load(): Promise<void>;
}

export async function startListening(options: ListenOptions): Promise<Result<Listening>> {
  let startServing: (rooms: LazyRooms) => void = () => undefined;
  const served = new Promise<LazyRooms>((done) => {
    startServing = done;
  });
  const opened = await openGuardedServer({
    ...options,
    onRequest: (request, response) => void served.then((rooms) => rooms.answer(request, response)),
    onUpgrade: (request, socket, head) => void served.then((rooms) => rooms.upgrade(request, socket, head)),
  });
  if (!opened.ok) return opened;
  const { url, port, markKnown, stop } = opened.value;
  const files = await listStaticFiles(options.webRoot);
  let isServing = false;
  let stopping: Promise<void> | null = null;
  return ok({
    url,
    port,
    serve(rest) {
      const newErrorId = () => randomBytes(6).toString('hex');
      const rooms = createLazyRooms({ ...rest, origin: url, files, newErrorId, markKnown });
      isServing = true;
      startServing(rooms);
      return { load: rooms.load };
    },
    stop() {
      stopping ??= stop(isServing ? async () => (await served).stop() : undefined);
      return stopping;
    },
  });
}
