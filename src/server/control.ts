/**
 * `run/control.sock`: where the command line asks for a login link, which is worth more than the API token, and where a person at a
 * terminal confirms what a token asked for or lets a new browser in.
 *
 * The token lies in a file that an agent's command may read, so it is not asked for. Instead the client shows which process
 * it is, by taking a name we choose (only a process itself can change its name), and `core/access/classify-peer.ts` judges that
 * process: only one that is shown not to be an agent's gets a link. A sandboxed command fails before that: it has neither our socket
 * nor our process numbers.
 *
 * What this does not stop: a command that runs outside every sandbox as the same user and attacks on purpose. It can put code into
 * another process of the user (ptrace, shell start-up files), have a service manager start it, or read the browser's own files. No
 * local server can keep such a process out. Every refusal is logged.
 */
import { randomBytes } from 'node:crypto';
import { chmod, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import type { Result } from '../contract/result.ts';
import type { Peer } from '../core/access/classify-peer.ts';
import type { LinkMaker } from '../core/access/login-confirmation.ts';
import { isRecord } from '../core/text/is-record.ts';
import { EMPTY_LINES, type Line, type LineState, pushBytes } from '../core/text/lines.ts';
import { parseJson } from '../core/text/parse-json.ts';
import { environmentOf, type ProcessFacts, readProcess } from '../node/ancestry.ts';
import { ensurePrivateDir } from '../node/atomic-file.ts';
import type { Logger } from '../node/logger.ts';
import { fitSocketPath } from '../node/socket-path.ts';

export interface ControlOptions {
  /** `run/control.sock`; a path too long for a socket is replaced as `fitSocketPath` says. */
  readonly path: string;
  /** A fresh one-time link; `mustConfirm`: a browser is open, where the login has to be allowed. */
  mintLogin(maker: LinkMaker): { readonly url: string; readonly mustConfirm: boolean };
  /** A person at this terminal confirms what a token asked for; false when nothing of that id waits. */
  confirm?(id: string): boolean;
  /** Lets the new browser with this code in, after the milliseconds it answers. `unauthorized`: the password is missing or wrong. */
  allowLogin?(code: string, password: string | null): Promise<Result<number>>;
  /** Who the process is. */
  peerOf(pid: number): Promise<Peer>;
  /** Whether the process runs in a terminal of a person's own. */
  hasOwnTerminal(pid: number): Promise<boolean>;
  readonly log: Logger;
  /** How long a client may say nothing. */
  readonly idleMs?: number;
}

export interface Control {
  readonly path: string;
  stop(): Promise<void>;
}

/** Requests are a few dozen bytes. */
const MAX_LINE_BYTES = 4 * 1024;
/** People open one link at a time. */
const MAX_CONNECTIONS = 16;
const IDLE_MS = 5_000;
/** What Codex, our pty host and Framework Shells put into the environment of what they run; a command that detached itself still has it, unless it hid it. */
const AGENT_VARIABLES = [
  'CODEX_THREAD_ID',
  'CODEX_SANDBOX',
  'CODEX_SANDBOX_NETWORK_DISABLED',
  'SIGNALBOX_TERMINAL',
  'FRAMEWORK_SHELLS_SHELL',
];

export async function startControl(options: ControlOptions): Promise<Control> {
  const path = await fitSocketPath(options.path);
  await ensurePrivateDir(dirname(path));
  // Whoever holds the home's lock is the only server here: a file of that name is left over.
  await rm(path, { force: true });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    if (sockets.size > MAX_CONNECTIONS) refuse(socket, 'too many connections', options.log);
    else serve(socket, options);
  });
  await listen(server, path);
  await chmod(path, 0o600);
  return {
    path,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
      await rm(path, { force: true });
    },
  };
}

type Wish =
  | { readonly ask: 'login' }
  | { readonly ask: 'confirm'; readonly id: string }
  | { readonly ask: 'allow_login'; readonly code: string; readonly password: string | null };

/** hello: nothing was said. asked: our nonce is out. proving: the client has named itself. done: nothing more is read. */
type Stage =
  | { readonly at: 'hello' }
  | { readonly at: 'asked'; readonly nonce: string; readonly wish: Wish }
  | { readonly at: 'proving'; readonly nonce: string; readonly wish: Wish; readonly pid: number }
  | { readonly at: 'done' };

function serve(socket: Socket, options: ControlOptions): void {
  let lines: LineState = EMPTY_LINES;
  let stage: Stage = { at: 'hello' };
  socket.setTimeout(options.idleMs ?? IDLE_MS, () => refuse(socket, 'nothing was said for too long', options.log));
  socket.on('data', (chunk) => {
    const step = pushBytes(lines, chunk, MAX_LINE_BYTES);
    lines = step.state;
    for (const line of step.lines) stage = receive(socket, stage, line, options);
    if (stage.at === 'proving') {
      void decide(socket, stage, options);
      stage = { at: 'done' };
    }
    if (stage.at !== 'done' && lines.size > MAX_LINE_BYTES) {
      stage = refuse(socket, 'a line is too long', options.log);
    }
  });
}

function receive(socket: Socket, stage: Stage, line: Line, options: ControlOptions): Stage {
  if (stage.at === 'done' || stage.at === 'proving') return stage;
  const request = 'text' in line ? parse(line.text) : null;
  if (stage.at === 'hello') {
    const wish = wishOf(request);
    if (wish === null) return refuse(socket, 'expected {"ask":"login"}', options.log);
    const nonce = newNonce();
    socket.write(`${JSON.stringify({ prove: nonce })}\n`);
    return { at: 'asked', nonce, wish };
  }
  const pid = request?.pid;
  if (typeof pid !== 'number') return refuse(socket, 'expected {"pid":N}', options.log);
  return { ...stage, at: 'proving', pid };
}

async function decide(
  socket: Socket,
  stage: Extract<Stage, { at: 'proving' }>,
  options: ControlOptions,
): Promise<void> {
  const { pid, nonce, wish } = stage;
  const objection = await objectionTo(pid, nonce, options);
  if (objection !== null) {
    refuse(socket, objection, options.log, pid);
    return;
  }
  const isAtTerminal = await options.hasOwnTerminal(pid);
  switch (wish.ask) {
    case 'login': {
      options.log.info({ client_pid: pid, is_at_terminal: isAtTerminal }, 'a login link was made for the command line');
      const { url, mustConfirm } = options.mintLogin(isAtTerminal ? 'terminal' : 'program');
      conclude(socket, { login_url: url, must_confirm: mustConfirm });
      return;
    }
    case 'confirm':
      if (options.confirm?.(wish.id) === true) conclude(socket, { confirmed: wish.id });
      else refuse(socket, 'nothing waits for this confirmation any more', options.log, pid);
      return;
    case 'allow_login': {
      if (!isAtTerminal) {
        refuse(socket, NO_TERMINAL, options.log, pid);
        return;
      }
      const allowed = await options.allowLogin?.(wish.code, wish.password);
      if (allowed?.ok === true) {
        options.log.warn({ client_pid: pid, in_ms: allowed.value }, 'a new browser was let in at a terminal');
        conclude(socket, { opens_in_ms: allowed.value });
      } else if (allowed?.error.code === 'unauthorized') conclude(socket, { needs_password: allowed.error.message });
      else refuse(socket, allowed?.error.message ?? 'this server lets no browser in', options.log, pid);
      return;
    }
    default:
      wish satisfies never;
  }
}

const NO_TERMINAL =
  'this needs a terminal of your own: a script, a service or `ssh host command` has none. Run it in a terminal window';

/** Fits in a Linux process name, which holds 15 bytes; 60 random bits, guessed once per connection. */
const newNonce = (): string => randomBytes(8).toString('hex').slice(0, 15);

/** Why process `pid` may not have a link; null when it may. */
async function objectionTo(pid: number, nonce: string, { peerOf }: ControlOptions): Promise<string | null> {
  if (!shows(readProcess(pid), nonce)) return 'that process does not show the name it was given';
  const { kind } = await peerOf(pid);
  const environment = environmentOf(pid);
  if (kind === 'unknown') return UNKNOWN;
  if (kind !== 'person' || AGENT_VARIABLES.some((name) => environment.has(name))) {
    return 'agents may not make login links';
  }
  // Looked at twice: in between, another process could have got the number.
  return shows(readProcess(pid), nonce) ? null : 'that process has gone';
}

const UNKNOWN =
  'nothing shows that this is not a command of an agent: the terminal or script it runs in was started after the server. ' +
  'Run `signalbox open` in a terminal that is older than the server, or in a new login (ssh, another desktop window)';

function shows(facts: ProcessFacts | null, nonce: string): boolean {
  return facts !== null && facts.uid === process.getuid?.() && facts.name === nonce;
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  const value = parseJson(text);
  return isRecord(value) ? value : null;
}

function wishOf(request: Readonly<Record<string, unknown>> | null): Wish | null {
  if (request?.ask === 'login') return { ask: 'login' };
  if (request?.ask === 'confirm' && typeof request.id === 'string') return { ask: 'confirm', id: request.id };
  if (request?.ask !== 'allow_login' || typeof request.code !== 'string') return null;
  return {
    ask: 'allow_login',
    code: request.code,
    password: typeof request.password === 'string' ? request.password : null,
  };
}

function refuse(socket: Socket, reason: string, log: Logger, pid?: number): Stage {
  log.warn({ reason, ...(pid !== undefined && { client_pid: pid }) }, 'a request on the control socket was refused');
  return conclude(socket, { error: reason });
}

/** A peer that does not close its side must not keep ours, nor make us read on. */
function conclude(socket: Socket, message: Record<string, unknown>): Stage {
  socket.removeAllListeners('timeout');
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  socket.end(`${JSON.stringify(message)}\n`, () => socket.destroy());
  return { at: 'done' };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
