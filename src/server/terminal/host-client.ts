/** The server's end of the socket to the pty host: requests with answers, events, bytes for viewers. */
import { connect, type Socket } from 'node:net';
import {
  HOST_ANSWERS,
  HOST_PROTOCOL,
  type HostAnswers,
  HostMessage,
  type HostOneWay,
  type HostRequest,
  type HostTerminal,
  ONE_WAY_ID,
} from '../../contract/pty-host.ts';
import { ERROR_CODES, type ErrorCode, fail, ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../node/clock.ts';
import { BYTES_FRAME, createFrameReader, type Frame, jsonFrame, readBytesFrame } from '../../node/frames.ts';
import { isProof, newNonce, proofOf } from '../../node/mutual-proof.ts';
import type { HostAddress } from './host-launcher.ts';

export type HostEvent = Exclude<HostMessage, { type: 'answer' | 'refused' }>;

export interface HostClient {
  /** Fails with `no_answer` after a limit: the host may be stopped (SIGSTOP), or its disk may hang. */
  request<R extends HostRequest>(request: R, limitMs?: number): Promise<Result<HostAnswers[R['do']]>>;
  /** One-way: the host sends no answer, so that a key costs one frame. */
  send(request: HostOneWay): void;
  /** The additions to the protocol that the host knows. */
  readonly revision: number;
  close(): void;
}

export interface HostClientPorts {
  readonly onEvent: (event: HostEvent) => void;
  /** An answer gave the state of terminals. Called when it arrives, before the events behind it. */
  readonly onTerminals?: (terminals: readonly HostTerminal[]) => void;
  readonly onBytes: (viewer: number, offset: number, bytes: Buffer) => void;
  readonly onClose: () => void;
}

/** The host answers from memory within milliseconds; a machine with far too much to do was seen to stall for 5 s. */
const ANSWER_MS = 10_000;
/** Requests for which the host itself waits: `exec` for the shell to begin, `close` for what runs in a terminal to end. */
const LONG_ANSWER_MS = { exec: 15_000, close: 15_000, retire: 15_000 } as const;
/** More than a person types or pastes while a host is stopped; beyond it input is dropped instead of kept in memory. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;

export async function connectHost(
  address: HostAddress,
  ports: HostClientPorts,
  clock: Clock,
): Promise<Result<HostClient>> {
  const socket = await open(address.socket);
  if (socket === null) return fail('not_running', 'the pty host does not answer');
  const silent = silentHost(address.pid);
  const waiting = new Map<number, (answer: Result<unknown>) => void>();
  let nextId = ONE_WAY_ID + 1;
  let isOpen = true;

  const settle = (message: HostMessage) => {
    if (message.type !== 'answer' && message.type !== 'refused') return ports.onEvent(message);
    const done = waiting.get(message.re);
    waiting.delete(message.re);
    if (message.type === 'answer') done?.(ok(message.value));
    else done?.(fail(codeOf(message.code), message.message));
  };
  const receive = (frame: Frame) => {
    if (frame.kind === BYTES_FRAME) {
      const { viewer, offset, bytes } = readBytesFrame(frame.body);
      ports.onBytes(viewer, offset, bytes);
      return;
    }
    const message = HostMessage.safeParse(JSON.parse(frame.body.toString('utf8')));
    if (message.success) settle(message.data);
  };
  const read = createFrameReader(receive);
  socket.on('data', (chunk) => {
    try {
      read(chunk);
    } catch {
      socket.destroy();
    }
  });
  socket.on('error', () => socket.destroy());
  socket.once('close', () => {
    isOpen = false;
    for (const done of waiting.values()) done(fail('not_running', 'the pty host has ended'));
    waiting.clear();
    ports.onClose();
  });

  const client = {
    async request<R extends HostRequest>(request: R, limitMs?: number): Promise<Result<HostAnswers[R['do']]>> {
      if (!isOpen) return fail('not_running', 'the pty host has ended');
      if (socket.writableLength > MAX_UNSENT_BYTES) return silent;
      const id = nextId++;
      const answer = await new Promise<Result<unknown>>((done) => {
        const limit = clock.setTimer(limitMs ?? limitOf(request), () => {
          waiting.delete(id);
          done(silent);
        });
        waiting.set(id, (answered) => {
          limit.cancel();
          if (answered.ok) ports.onTerminals?.(terminalsIn(request, answered.value));
          done(answered);
        });
        socket.write(jsonFrame({ id, ...request }));
      });
      if (!answer.ok) return answer;
      return readAnswer(request, answer.value);
    },
    send(request: HostOneWay): void {
      if (isOpen && socket.writableLength <= MAX_UNSENT_BYTES) socket.write(jsonFrame({ id: ONE_WAY_ID, ...request }));
    },
    close: (): void => void socket.destroy(),
  };
  const proved = await prove(client, address.secret);
  if (!proved.ok) {
    client.close();
    return proved;
  }
  const hello = await client.request({ do: 'hello' });
  if (!hello.ok) {
    client.close();
    return hello;
  }
  if (hello.value.protocol !== HOST_PROTOCOL) {
    client.close();
    return fail('conflict', 'a pty host of another version runs: end its shells, then it goes too');
  }
  return ok({ ...client, revision: hello.value.revision });
}

/** Both sides prove the secret, the host first: nothing is typed into a socket that somebody else put there. */
async function prove(client: Pick<HostClient, 'request'>, secret: Buffer | null): Promise<Result<null>> {
  if (secret === null) return ok(null);
  const server = newNonce();
  const challenged = await client.request({ do: 'challenge', nonce: server });
  if (!challenged.ok) return UNHEARD.has(challenged.error.code) ? challenged : NOT_PROVED;
  const nonces = { server, host: challenged.value.nonce };
  if (!isProof(challenged.value.proof, secret, 'host', nonces)) return NOT_PROVED;
  return client.request({ do: 'enter', proof: proofOf(secret, 'server', nonces) });
}

const NOT_PROVED = fail(
  'forbidden',
  'the pty host that runs does not know the key in run/pty-host.key: end it (its process is in run/pty-host.json), and terminals start anew',
);

/** The host did not refuse: it said nothing. */
const UNHEARD: ReadonlySet<ErrorCode> = new Set(['not_running', 'no_answer']);

function silentHost(pid: number): Result<never> {
  return fail(
    'no_answer',
    `The pty host (process ${pid}), which owns the terminals, does not answer. Its terminals and what runs in them are kept. ` +
      `If it was stopped, let it go on with \`kill -CONT ${pid}\`. To end it with all its terminals: \`signalbox shells stop pty_host\`; ` +
      'the next command then starts a new one.',
    { pid },
  );
}

const limitOf = (request: HostRequest): number =>
  request.do === 'exec' || request.do === 'close' || request.do === 'retire' ? LONG_ANSWER_MS[request.do] : ANSWER_MS;

/** The terminals whose state an answer holds. */
function terminalsIn(request: HostRequest, value: unknown): readonly HostTerminal[] {
  if (request.do === 'list') return HOST_ANSWERS.list.safeParse(value).data ?? [];
  const opened = request.do === 'open' ? HOST_ANSWERS.open.safeParse(value).data : undefined;
  return opened === undefined ? [] : [opened];
}

function readAnswer<R extends HostRequest>(request: R, value: unknown): Result<HostAnswers[R['do']]>;
function readAnswer(request: HostRequest, value: unknown): Result<unknown> {
  const answer = HOST_ANSWERS[request.do].safeParse(value);
  return answer.success ? ok(answer.data) : fail('internal', 'the pty host gave an answer of another shape');
}

function codeOf(code: string): ErrorCode {
  const found = Object.keys(ERROR_CODES).find((one) => one === code);
  return isErrorCode(found) ? found : 'internal';
}

function isErrorCode(code: string | undefined): code is ErrorCode {
  return code !== undefined && code in ERROR_CODES;
}

function open(path: string): Promise<Socket | null> {
  return new Promise((done) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      done(socket);
    });
    socket.once('error', () => done(null));
  });
}
