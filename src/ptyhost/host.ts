/** All terminals of one home, and the socket over which a server opens, watches and ends them. */
import { chmod, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { HOST_PROTOCOL, HOST_REVISION, type HostMessage, HostRequest, ONE_WAY_ID } from '../contract/pty-host.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { parseJson } from '../core/text/parse-json.ts';
import { systemClock } from '../node/clock.ts';
import { bytesFrameHead, createFrameReader, type Frame, JSON_FRAME, jsonFrame } from '../node/frames.ts';
import { isDirectory } from '../node/path-kind.ts';
import { type HostedProgram, openProgram } from './program.ts';
import { proveStep, STRANGER, type Standing } from './prove-step.ts';
import { endTerminal } from './sweep.ts';
import { type HostedTerminal, openTerminal } from './terminal.ts';
import type { AttachedViewer } from './viewers.ts';

/** One per conversation somebody works in, and the programs of Framework Shells; beyond it something loops. */
const MAX_TERMINALS = 200;
/** The server, the server that takes over from it, and tools. */
const MAX_CONNECTIONS = 16;
/** A server on this machine proves itself in milliseconds, also on a loaded one; whoever does not holds a place that the server needs. */
const PROOF_MS = 10_000;
/** A client that reads nothing of all this is gone or broken. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;

interface Connection {
  readonly socket: Socket;
  standing: Standing;
  /** By the id that the client at the other end gave them. */
  readonly viewers: Map<number, AttachedViewer>;
  /** Keys of terminals whose input is being dropped, which the client knows. */
  readonly refusedInputs: Set<string>;
}

export interface Host {
  /** When the last terminal has ended. */
  readonly ended: Promise<void>;
}

export interface HostOptions {
  readonly socketPath: string;
  /** What a client has to prove that it knows. */
  readonly secret: Buffer;
  /** How long the host waits for its first terminal. */
  readonly idleMs: number;
}

export async function startHost({ socketPath, secret, idleMs }: HostOptions): Promise<Host> {
  const terminals = new Map<string, HostedTerminal>();
  const programs = new Map<string, HostedProgram>();
  const connections = new Set<Connection>();
  /** Whoever comes now needs another host. */
  let isEnding = false;
  let markEnded = () => {};
  const ended = new Promise<void>((done) => {
    markEnded = () => {
      isEnding = true;
      done();
    };
  });

  /** Terminals that are being ended: what hides from the hang-up of its shell is still to be found. */
  let ending = 0;
  const endWhenIdle = () => {
    if (terminals.size === 0 && programs.size === 0 && ending === 0) markEnded();
  };

  const first = systemClock.setTimer(idleMs, endWhenIdle);

  const broadcast = (message: HostMessage) => {
    const frame = jsonFrame(message);
    for (const { socket, standing } of connections) if (standing.at === 'proved') push(socket, frame);
  };

  const admit = async (cwd: string): Promise<Result<null>> => {
    if (terminals.size + programs.size >= MAX_TERMINALS)
      return fail('rate_limited', `${MAX_TERMINALS} terminals run already`);
    if (!(await isDirectory(cwd))) return fail('missing_cwd', `the directory ${cwd} does not exist`);
    return isEnding ? fail('not_running', 'this host is ending') : ok(null);
  };

  const run = async (request: Extract<HostRequest, { do: 'run' }>): Promise<Result<unknown>> => {
    const { key } = request;
    const admitted = await admit(request.cwd);
    if (!admitted.ok) return admitted;
    const program = openProgram(request, (exitCode, signal) => {
      if (programs.get(key) === program) programs.delete(key);
      broadcast({ type: 'program_exit', key, pid: program.facts.pid, exit_code: exitCode, signal });
      endWhenIdle();
    });
    programs.set(key, program);
    return ok(program.facts);
  };

  const open = async (request: Extract<HostRequest, { do: 'open' }>): Promise<Result<unknown>> => {
    const { key } = request;
    const running = terminals.get(key);
    if (running !== undefined) return ok(running.facts());
    const admitted = await admit(request.cwd);
    if (!admitted.ok) return admitted;
    const raced = terminals.get(key);
    if (raced !== undefined) return ok(raced.facts());
    const terminal = openTerminal(request, {
      clock: systemClock,
      onBlock: (kind, record) => broadcast({ type: 'block', key, kind, record }),
      onState: (facts) => broadcast({ type: 'state', terminal: facts }),
      onOutdated: () => broadcast({ type: 'outdated', key }),
      onExit(exitCode, signal) {
        terminals.delete(key);
        broadcast({ type: 'exit', key, shell_id: terminal.shellId, exit_code: exitCode, signal });
        endWhenIdle();
      },
    });
    terminals.set(key, terminal);
    return ok(terminal.facts());
  };

  const end = async (key: string): Promise<void> => {
    const terminal = terminals.get(key);
    if (terminal === undefined) return;
    ending += 1;
    await endTerminal(terminal.shellId, terminal.pid, systemClock);
    await new Promise<void>((done) => {
      const look = () => (terminals.get(key) === terminal ? void setTimeout(look, 5) : done());
      look();
    });
    ending -= 1;
    // The answer goes out first.
    setImmediate(endWhenIdle);
  };

  const answer = async (request: HostRequest, connection: Connection): Promise<Result<unknown>> => {
    switch (request.do) {
      case 'challenge':
      case 'enter':
        return fail('invalid_request', 'this connection was proved already');
      case 'hello':
        return ok({ protocol: HOST_PROTOCOL, pid: process.pid, revision: HOST_REVISION });
      case 'list':
        return ok([...terminals.values()].map((terminal) => terminal.facts()));
      case 'programs':
        return ok([...programs.values()].map((program) => program.facts));
      case 'open':
        return open(request);
      case 'run':
        return run(request);
      case 'close':
        await end(request.key);
        return ok(null);
      case 'retire': {
        const idle = [...terminals].filter(([, terminal]) => terminal.isIdle());
        await Promise.all(idle.map(([key]) => end(key)));
        return ok({ left: terminals.size + programs.size });
      }
      case 'ack':
        connection.viewers.get(request.viewer)?.ack(request.cursor);
        return ok(null);
      case 'detach':
        connection.viewers.get(request.viewer)?.detach();
        connection.viewers.delete(request.viewer);
        return ok(null);
      default: {
        const program = programs.get(request.key);
        if (program !== undefined) return program.act(request);
        const terminal = terminals.get(request.key);
        if (terminal === undefined) return fail('not_running', 'this terminal does not run');
        return act(request, terminal, connection);
      }
    }
  };

  const act = async (
    request: Extract<HostRequest, { do: 'exec' | 'input' | 'resize' | 'screen' | 'scrollback' | 'attach' }>,
    terminal: HostedTerminal,
    connection: Connection,
  ): Promise<Result<unknown>> => {
    switch (request.do) {
      case 'exec':
        return terminal.exec(request.command, request.actor);
      case 'input':
        return terminal.input(request.data, request.actor);
      case 'resize':
        terminal.resize(request);
        return ok(null);
      case 'screen':
        return ok(await terminal.screen());
      case 'scrollback':
        return ok(await terminal.scrollback(request.lines));
      case 'attach': {
        const { viewer } = request;
        const { socket } = connection;
        connection.viewers.get(viewer)?.detach();
        const attached = terminal.attach(request.cursor, {
          send: (frame) => push(socket, jsonFrame({ type: 'view', viewer, frame } satisfies HostMessage)),
          write(offset, bytes) {
            push(socket, bytesFrameHead(viewer, offset, bytes.length));
            push(socket, bytes);
          },
        });
        connection.viewers.set(viewer, attached);
        return ok(null);
      }
      default:
        return request satisfies never;
    }
  };

  const server = createServer((socket) => {
    const connection: Connection = {
      socket,
      standing: STRANGER,
      viewers: new Map(),
      refusedInputs: new Set(),
    };
    if (connections.size >= MAX_CONNECTIONS) {
      socket.destroy();
      return;
    }
    connections.add(connection);
    socket.on('error', () => socket.destroy());
    const tooLate = systemClock.setTimer(PROOF_MS, () => {
      if (connection.standing.at !== 'proved') socket.destroy();
    });
    socket.once('close', () => {
      tooLate.cancel();
      connections.delete(connection);
      for (const viewer of connection.viewers.values()) viewer.detach();
    });
    const read = createFrameReader((frame) => void receive(frame, connection));
    socket.on('data', (chunk) => {
      try {
        read(chunk);
      } catch {
        socket.destroy();
      }
    });
  });

  const receive = async (frame: Frame, connection: Connection): Promise<void> => {
    const given = frame.kind === JSON_FRAME ? parseJson(frame.body.toString('utf8')) : null;
    const request = HostRequest.safeParse(given);
    const re = typeof given === 'object' && given !== null && 'id' in given ? Number(given.id) : 0;
    if (connection.standing.at !== 'proved') {
      const step = request.success ? proveStep(connection.standing, request.data, secret) : null;
      if (step === null) {
        connection.socket.destroy();
        return;
      }
      connection.standing = step.standing;
      push(connection.socket, jsonFrame({ type: 'answer', re, value: step.answer } satisfies HostMessage));
      return;
    }
    const result = request.success
      ? await answer(request.data, connection).catch((error: unknown) => fail('internal', messageOf(error)))
      : fail('invalid_request', 'this host does not know that request');
    if (re === ONE_WAY_ID) {
      if (request.success && request.data.do === 'input') reportInput(connection, request.data.key, result);
      return;
    }
    const message: HostMessage = result.ok
      ? { type: 'answer', re, value: result.value }
      : { type: 'refused', re, code: result.error.code, message: result.error.message };
    push(connection.socket, jsonFrame(message));
  };

  await listen(server, socketPath);
  return {
    ended: ended.then(async () => {
      first.cancel();
      server.close();
      await rm(socketPath, { force: true });
      await Promise.all([...connections].map(({ socket }) => new Promise<void>((done) => socket.end(() => done()))));
    }),
  };
}

/** Sends one event when input begins to be dropped, instead of an answer for each key. */
function reportInput({ socket, refusedInputs }: Connection, key: string, result: Result<unknown>): void {
  if (result.ok) refusedInputs.delete(key);
  else if (!refusedInputs.has(key)) {
    // Keys of terminals that have ended are not removed one by one.
    if (refusedInputs.size >= MAX_TERMINALS) refusedInputs.clear();
    refusedInputs.add(key);
    const { code, message } = result.error;
    push(socket, jsonFrame({ type: 'input_refused', key, code, message } satisfies HostMessage));
  }
}

function push(socket: Socket, bytes: Buffer): void {
  if (socket.writableLength > MAX_UNSENT_BYTES) socket.destroy();
  else if (!socket.destroyed) socket.write(bytes);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function listen(server: Server, path: string): Promise<void> {
  await rm(path, { force: true });
  await new Promise<void>((done, reject) => {
    server.once('error', reject);
    server.listen(path, done);
  });
  await chmod(path, 0o600);
}
