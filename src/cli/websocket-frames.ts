/** The few parts of RFC 6455 a client needs: bytes → messages, and masked frames out. Node 20 has no WebSocket client of its own. */
import { randomBytes } from 'node:crypto';

export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

type Message =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'ping'; readonly payload: Buffer }
  /** 1005: the other side gave no code. 1002, 1009: it broke the protocol, or sent too much. */
  | { readonly type: 'close'; readonly code: number; readonly reason: string };

export interface MessageReader {
  push(chunk: Buffer): readonly Message[];
}

/** Far more than the server ever puts into one frame; beyond it something is wrong, and memory is not for it. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

interface Header {
  readonly isFinal: boolean;
  readonly opcode: number;
  readonly headerBytes: number;
  readonly payloadBytes: number;
  readonly isLegal: boolean;
}

export function createMessageReader(): MessageReader {
  let chunks: Buffer[] = [];
  let size = 0;
  /** Bytes without which no progress is possible: chunks are joined only once they are there. */
  let needed = 2;
  let fragments: Buffer[] = [];
  let isClosed = false;

  const receive = (header: Header, payload: Buffer): Message | null => {
    switch (header.opcode) {
      case OPCODES.ping:
        return { type: 'ping', payload };
      case OPCODES.close:
        return readClose(payload);
      case OPCODES.text:
      case OPCODES.continuation: {
        fragments.push(payload);
        if (!header.isFinal) return null;
        const text = Buffer.concat(fragments).toString('utf8');
        fragments = [];
        return { type: 'text', text };
      }
      default:
        return null;
    }
  };

  const violation = (header: Header): Message | null => {
    const isContinuation = header.opcode === OPCODES.continuation;
    if (!header.isLegal || (header.opcode < 8 && isContinuation !== fragments.length > 0))
      return { type: 'close', code: 1002, reason: 'protocol error' };
    const total = header.payloadBytes + fragments.reduce((sum, one) => sum + one.length, 0);
    return total > MAX_MESSAGE_BYTES ? { type: 'close', code: 1009, reason: 'too large' } : null;
  };

  return {
    push(chunk) {
      chunks.push(chunk);
      size += chunk.length;
      const messages: Message[] = [];
      if (isClosed || size < needed) return messages;
      let rest = Buffer.concat(chunks);
      for (;;) {
        const header = readHeader(rest);
        if (header === null) break;
        const end = header.headerBytes + header.payloadBytes;
        const wrong = violation(header);
        if (wrong === null && rest.length < end) break;
        const message = wrong ?? receive(header, rest.subarray(header.headerBytes, end));
        rest = rest.subarray(end);
        if (message !== null) messages.push(message);
        isClosed = message?.type === 'close';
        if (isClosed) break;
      }
      const header = readHeader(rest);
      needed = header === null ? rest.length + 1 : header.headerBytes + header.payloadBytes;
      chunks = [rest];
      size = rest.length;
      return messages;
    },
  };
}

/** Null until the whole header is there. */
function readHeader(bytes: Buffer): Header | null {
  if (bytes.length < 2) return null;
  const first = bytes.readUInt8(0);
  const second = bytes.readUInt8(1);
  const short = second & 0x7f;
  const headerBytes = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (bytes.length < headerBytes) return null;
  const payloadBytes = short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short;
  const opcode = first & 0x0f;
  const isFinal = (first & 0x80) !== 0;
  const isControl = opcode >= 8;
  // No extension was agreed on, and a server does not mask.
  const isLegal = (first & 0x70) === 0 && (second & 0x80) === 0 && (!isControl || (isFinal && payloadBytes <= 125));
  return { isFinal, opcode, headerBytes, payloadBytes, isLegal };
}

function readClose(payload: Buffer): Message {
  if (payload.length < 2) return { type: 'close', code: 1005, reason: '' };
  return { type: 'close', code: payload.readUInt16BE(0), reason: payload.toString('utf8', 2) };
}

export function encodeFrame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head.writeUInt8(0x80 | opcode, 0);
  head.writeUInt8(0x80 | (length < 126 ? length : length < 65_536 ? 126 : 127), 1);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  const mask = randomBytes(4);
  const masked = Buffer.from(payload);
  for (let at = 0; at < length; at += 1) masked[at] = (masked[at] ?? 0) ^ (mask[at % 4] ?? 0);
  return Buffer.concat([head, mask, masked]);
}
