/** `WS /fws/logs`: the live list and the logs somebody follows. Logs are read from their files at the client's pace, so a slow one costs nothing. */
import { type FSWatcher, watch } from 'node:fs';
import type { WebSocket } from 'ws';
import type { Result } from '../../contract/result.ts';
import { type ShellsAsk, ShellsAsk as ShellsAskSchema, type ShellsFrame } from '../../contract/shellspec.ts';
import { SOCKETS } from '../../contract/sockets.ts';
import type { Clock, Timer } from '../../node/clock.ts';
import { parseAs } from '../../node/read-json.ts';
import type { SocketDoor } from '../socket-door.ts';
import type { LazyShells } from './lazy-shells.ts';
import type { Shell } from './shell.ts';
import type { Shells } from './shells.ts';

export interface ShellsDoorOptions {
  readonly shells: LazyShells;
  readonly clock: Clock;
}

/** CPU and memory move all the time; so often they are told. */
const REFRESH_MS = 2_000;
/** Changes of a moment are told together. */
const GATHER_MS = 50;
/** Also when the system tells no changes of a file. */
const LOOK_MS = 1_000;
const PAGE_BYTES = 64 * 1024;
/** The client has not taken this much yet: it gets no more before it has. */
const MAX_QUEUED_BYTES = 512 * 1024;
const FIRST_LINES = 500;
/** One person looks at a few logs at once. */
const MAX_FOLLOWED = 16;

interface Following {
  stop(): void;
}

export function createShellsDoor(options: ShellsDoorOptions): SocketDoor {
  return {
    ...SOCKETS.shells,
    refuse: () => null,
    open: (ws) => {
      void options.shells.open().then((shells) => {
        if (ws.readyState === ws.OPEN) serve(ws, shells, options.clock);
      });
    },
  };
}

function serve(ws: WebSocket, opened: Result<Shells>, clock: Clock): void {
  const send = (frame: ShellsFrame) => ws.send(JSON.stringify(frame));
  const refuse = (code: string, message: string) => send({ type: 'refused', code, message });
  if (!opened.ok) {
    refuse(opened.error.code, opened.error.message);
    return;
  }
  const shells = opened.value;
  const followed = new Map<string, Following>();
  let due: Timer | null = null;
  let refresh: Timer | null = null;

  const tell = async (): Promise<void> => {
    due?.cancel();
    due = null;
    refresh?.cancel();
    if (ws.bufferedAmount < MAX_QUEUED_BYTES) send({ type: 'shells', shells: await shells.list() });
    refresh?.cancel();
    if (ws.readyState === ws.OPEN) refresh = clock.setTimer(REFRESH_MS, () => void tell());
  };
  const forget = shells.onChange(() => {
    due ??= clock.setTimer(GATHER_MS, () => void tell());
  });

  const answer = (ask: ShellsAsk): void => {
    const { shell_id: id } = ask;
    const shell = shells.find(id);
    if (shell === undefined) refuse('not_found', `there is no shell ${id}`);
    else if (ask.type === 'input' || ask.type === 'resize') {
      const done = ask.type === 'input' ? shells.input(id, ask.data) : shells.resize(id, ask);
      if (!done.ok) refuse(done.error.code, done.error.message);
    } else {
      followed.get(id)?.stop();
      followed.delete(id);
      if (ask.type === 'unfollow') return;
      if (followed.size >= MAX_FOLLOWED) refuse('rate_limited', `${MAX_FOLLOWED} logs are followed already`);
      else followed.set(id, follow(ws, shell, ask.offset, send, clock));
    }
  };

  ws.on('message', (data, isBinary) => {
    const ask = isBinary ? null : parseAs(ShellsAskSchema, data.toString());
    if (ask === null) refuse('invalid_request', 'expected {"type":"follow"|"unfollow"|"input"|"resize","shell_id":…}');
    else answer(ask);
  });
  ws.on('close', () => {
    forget();
    due?.cancel();
    refresh?.cancel();
    for (const one of followed.values()) one.stop();
  });
  void tell();
}

/** From its cursor on, whenever there is more and the client has room. */
function follow(
  ws: WebSocket,
  shell: Shell,
  offset: number | undefined,
  send: (frame: ShellsFrame) => void,
  clock: Clock,
): Following {
  let cursor = offset;
  let isReading = false;
  let isAgain = false;
  let isStopped = false;
  let look: Timer | null = null;
  let watcher: FSWatcher | null = null;

  const read = async (): Promise<void> => {
    if (isReading) {
      isAgain = true;
      return;
    }
    isReading = true;
    do {
      isAgain = false;
      while (!isStopped && ws.bufferedAmount < MAX_QUEUED_BYTES) {
        const page = await (cursor === undefined
          ? shell.log.tail(FIRST_LINES, PAGE_BYTES)
          : shell.log.read(cursor, PAGE_BYTES));
        const isFirst = cursor === undefined;
        if (isStopped || (!isFirst && page.next_offset === cursor)) break;
        cursor = page.next_offset;
        send({ type: 'log', shell_id: shell.id, ...page });
      }
    } while (isAgain);
    isReading = false;
  };
  const lookAgain = (): void => {
    look?.cancel();
    if (isStopped) return;
    look = clock.setTimer(LOOK_MS, lookAgain);
    watcher ??= tryWatch(shell.log.path, () => void read());
    void read();
  };
  lookAgain();
  return {
    stop() {
      isStopped = true;
      look?.cancel();
      watcher?.close();
    },
  };
}

/** Null while there is no file yet, or where the system has no more watches. */
function tryWatch(path: string, onChange: () => void): FSWatcher | null {
  try {
    const watcher = watch(path, { persistent: false }, onChange);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return null;
  }
}
