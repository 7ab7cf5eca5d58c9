/** A `Failure` as an HTTP answer: through a framework, through Node's response, or straight onto a socket. */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Failure, type FailureBody, httpStatusOf } from '../../contract/result.ts';
import { SECURITY_HEADERS } from './guard.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function renderRefusal(failure: Failure): Answer {
  const { code, message, details } = failure;
  const body: FailureBody = { ok: false, code, message, ...(details !== undefined && { details }) };
  const status = httpStatusOf(code);
  return {
    status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      // What is left of a body too large is not worth reading, so the connection cannot be used again.
      ...(status === 413 && { Connection: 'close' }),
      // Who has no credential does not keep a connection either. A page whose proof has ended asks again at once.
      ...(code === 'unauthorized' && { Connection: 'close' }),
      ...(status === 401 && { 'WWW-Authenticate': 'Bearer realm="signalbox"' }),
    },
    body: JSON.stringify(body),
  };
}

/** For a connection that has no response object: a refused upgrade, or bytes that are not HTTP. Its end is not waited for. */
export function answerSocket(socket: Duplex, answer: Answer): void {
  const headers = {
    ...SECURITY_HEADERS,
    ...answer.headers,
    'Content-Length': `${Buffer.byteLength(answer.body)}`,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}\r\n${lines.join('')}\r\n${answer.body}`);
}

export function refuseSocket(socket: Duplex, failure: Failure): void {
  answerSocket(socket, renderRefusal(failure));
}
