/** The `dtach` backend: a terminal session that outlives us and that `dtach -a` can enter. We are one more client of it, which keeps the log. */
import { closeSync, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { fail, ok } from '../../contract/result.ts';
import type { Clock } from '../../node/clock.ts';
import { isSameProcess, type ProcessIdentity } from '../../node/process-identity.ts';
import type { Alive, ShellBackend } from './ports.ts';
import type { ShellLog } from './shell-log.ts';
import { startProcess, watchForeign } from './start-process.ts';

/** A packet of dtach: type, length, and as many bytes as a window size has. */
const PAYLOAD_BYTES = 8;
const PUSH = 0;
const ATTACH = 1;
const WINCH = 3;
const ROWS = 24;
const COLUMNS = 80;
/** dtach makes its socket within milliseconds. */
const SOCKET_WAIT_MS = 5_000;
const SOCKET_POLL_MS = 10;

export function createDtachBackend(clock: Clock): ShellBackend {
  const join = async (identity: ProcessIdentity, path: string, log: ShellLog): Promise<Alive | null> => {
    const socket = await connectWhenUp(identity, path, clock);
    if (socket === null) return null;
    const file = createWriteStream(log.path, { flags: 'a', mode: 0o600 });
    socket.pipe(file);
    file.on('error', () => socket.destroy());
    socket.write(packet(ATTACH, 0, Buffer.alloc(PAYLOAD_BYTES)));
    const size = Buffer.alloc(PAYLOAD_BYTES);
    size.writeUInt16LE(ROWS, 0);
    size.writeUInt16LE(COLUMNS, 2);
    socket.write(packet(WINCH, 0, size));
    const watched = watchForeign(identity, clock);
    return {
      identity,
      ended: watched.ended,
      write(data) {
        const bytes = Buffer.from(data);
        for (let at = 0; at < bytes.length; at += PAYLOAD_BYTES) {
          const part = bytes.subarray(at, at + PAYLOAD_BYTES);
          const padded = Buffer.alloc(PAYLOAD_BYTES);
          part.copy(padded);
          socket.write(packet(PUSH, part.length, padded));
        }
        return true;
      },
      pipe: null,
      letGo() {
        watched.letGo();
        socket.destroy();
      },
    };
  };

  return {
    async start(order) {
      await rm(order.socket, { force: true });
      const fd = order.log.openForWriting();
      // -N: no double fork, so that its pid is known. -E and -z: no key leaves or suspends the session by accident.
      const command = ['dtach', '-N', order.socket, '-E', '-z', '-r', 'none', ...order.command];
      const started = await startProcess(order, command, ['ignore', fd, fd]).finally(() => closeSync(fd));
      if (!started.ok) {
        const remedy = 'dtach is not installed: install it (Debian: `apt install dtach`), or use another backend';
        return started.error.code === 'not_found' ? fail('not_found', remedy, { program: 'dtach' }) : started;
      }
      const { child, identity, ended } = started.value;
      child.unref();
      const alive = await join(identity, order.socket, order.log);
      // A session may be over before anybody can enter it.
      return ok(alive ?? { identity, ended, write: () => false, pipe: null, letGo: () => undefined });
    },
    async adopt({ pid, start_time, socket }, log) {
      if (pid === null || start_time === null || socket === null) return null;
      return join({ pid, start_time }, socket, log);
    },
  };
}

function packet(type: number, length: number, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from([type, length]), payload]);
}

async function connectWhenUp(identity: ProcessIdentity, path: string, clock: Clock): Promise<Socket | null> {
  const deadline = clock.monotonicMs() + SOCKET_WAIT_MS;
  while (isSameProcess(identity) && clock.monotonicMs() < deadline) {
    if ((await stat(path).catch(() => null)) !== null) {
      const socket = await tryConnect(path);
      if (socket !== null) return socket;
    }
    await clock.sleep(SOCKET_POLL_MS);
  }
  return null;
}

function tryConnect(path: string): Promise<Socket | null> {
  return new Promise((done) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.on('error', () => socket.destroy());
      done(socket);
    });
    socket.once('error', () => done(null));
  });
}
