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
import { BYTES_FRAME, createFrameReader, type Frame, jsonFrame, readBytesFrame } from '../../node/frames.ts';
import { isProof, newNonce, proofOf } from '../../node/mutual-proof.ts';
import type { HostAddress } from './host-launcher.ts';

export type HostEvent = Exclude<HostMessage, { type: 'answer' | 'refused' }>;

export interface HostClient {
  request<R extends HostRequest>(request: R): Promise<Result<HostAnswers[R['do']]>>;
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

export async function connectHost(address: HostAddress, ports: HostClientPorts): Promise<Result<HostClient>> {
  const socket = await open(address.socket);
  if (socket === null) return fail('not_running', 'the pty host does not answer');
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
    async request<R extends HostRequest>(request: R): Promise<Result<HostAnswers[R['do']]>> {
      if (!isOpen) return fail('not_running', 'the pty host has ended');
      const id = nextId++;
      const answer = await new Promise<Result<unknown>>((done) => {
        waiting.set(id, (answered) => {
          if (answered.ok) ports.onTerminals?.(terminalsIn(request, answered.value));
          done(answered);
        });
        socket.write(jsonFrame({ id, ...request }));
      });
      if (!answer.ok) return answer;
      return readAnswer(request, answer.value);
    },
    send(request: HostOneWay): void {
      if (isOpen) socket.write(jsonFrame({ id: ONE_WAY_ID, ...request }));
    },
    close: (): void => void socket.destroy(),
  };
  const proved = await prove(client, address.secret);
  if (!proved.ok) {
    client.close();
    return proved;
  }
  const hello = await client.request({ do: 'hello' });
  if (!hello.ok) return hello;
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
  if (!challenged.ok) return challenged.error.code === 'not_running' ? challenged : NOT_PROVED;
  const nonces = { server, host: challenged.value.nonce };
  if (!isProof(challenged.value.proof, secret, 'host', nonces)) return NOT_PROVED;
  return client.request({ do: 'enter', proof: proofOf(secret, 'server', nonces) });
}

const NOT_PROVED = fail(
  'forbidden',
  'the pty host that runs does not know the key in run/pty-host.key: end it (its process is in run/pty-host.json), and terminals start anew',
);

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
