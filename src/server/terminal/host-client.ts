/** The server's end of the socket to the pty host: requests with answers, events, bytes for viewers. */
import { connect, type Socket } from 'node:net';
import {
  HOST_ANSWERS,
  HOST_PROTOCOL,
  type HostAnswers,
  HostMessage,
  type HostRequest,
} from '../../contract/pty-host.ts';
import { ERROR_CODES, type ErrorCode, fail, ok, type Result } from '../../contract/result.ts';
import { BYTES_FRAME, createFrameReader, type Frame, jsonFrame, readBytesFrame } from '../../node/frames.ts';

export type HostEvent = Extract<HostMessage, { type: 'block' | 'state' | 'exit' | 'view' | 'program_exit' }>;

export interface HostClient {
  request<R extends HostRequest>(request: R): Promise<Result<HostAnswers[R['do']]>>;
  /** For what needs no answer. */
  send(request: HostRequest): void;
  close(): void;
}

export interface HostClientPorts {
  readonly onEvent: (event: HostEvent) => void;
  readonly onBytes: (viewer: number, offset: number, bytes: Buffer) => void;
  readonly onClose: () => void;
}

export async function connectHost(path: string, ports: HostClientPorts): Promise<Result<HostClient>> {
  const socket = await open(path);
  if (socket === null) return fail('not_running', 'the pty host does not answer');
  const waiting = new Map<number, (answer: Result<unknown>) => void>();
  let nextId = 1;
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

  const client: HostClient = {
    async request<R extends HostRequest>(request: R): Promise<Result<HostAnswers[R['do']]>> {
      if (!isOpen) return fail('not_running', 'the pty host has ended');
      const id = nextId++;
      const answer = await new Promise<Result<unknown>>((done) => {
        waiting.set(id, done);
        socket.write(jsonFrame({ id, ...request }));
      });
      if (!answer.ok) return answer;
      return readAnswer(request, answer.value);
    },
    send(request) {
      if (isOpen) socket.write(jsonFrame({ id: 0, ...request }));
    },
    close: () => socket.destroy(),
  };
  const hello = await client.request({ do: 'hello' });
  if (!hello.ok) return hello;
  if (hello.value.protocol !== HOST_PROTOCOL) {
    client.close();
    return fail('conflict', 'a pty host of another version runs: end its shells, then it goes too');
  }
  return ok(client);
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
