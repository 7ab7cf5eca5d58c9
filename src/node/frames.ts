/** Frames on a byte stream: four bytes of length, one of kind, the rest. For the socket between the server and the pty host. */

/** JSON in both directions; bytes of a PTY from the host, with the viewer they are for and their offset. */
export const JSON_FRAME = 0;
export const BYTES_FRAME = 1;

/** A screen of 1,000 lines with colors, or a paste, with room; more is not ours. */
const MAX_FRAME_BYTES = 32 * 1024 * 1024;
const HEADER_BYTES = 5;
const BYTES_HEADER = 12;

export interface Frame {
  readonly kind: number;
  readonly body: Buffer;
}

export function jsonFrame(message: unknown): Buffer {
  const text = JSON.stringify(message);
  const size = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + size);
  frame.writeUInt32BE(size, 0);
  frame.writeUInt8(JSON_FRAME, 4);
  frame.write(text, HEADER_BYTES);
  return frame;
}

/** Only the head: the bytes themselves follow without being copied. */
export function bytesFrameHead(viewer: number, offset: number, size: number): Buffer {
  const head = Buffer.allocUnsafe(HEADER_BYTES + BYTES_HEADER);
  head.writeUInt32BE(BYTES_HEADER + size, 0);
  head.writeUInt8(BYTES_FRAME, 4);
  head.writeUInt32BE(viewer, 5);
  head.writeBigUInt64BE(BigInt(offset), 9);
  return head;
}

export function readBytesFrame(body: Buffer): { viewer: number; offset: number; bytes: Buffer } {
  return {
    viewer: body.readUInt32BE(0),
    offset: Number(body.readBigUInt64BE(4)),
    bytes: body.subarray(BYTES_HEADER),
  };
}

/** Feeds chunks, gets whole frames; throws on a length that cannot be, since nothing after it can be read. */
export function createFrameReader(onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  let wanted = HEADER_BYTES;

  const join = (): Buffer => {
    const all = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
    parts = [all];
    return all;
  };

  return (chunk) => {
    parts.push(chunk);
    size += chunk.length;
    while (size >= wanted) {
      const all = join();
      const length = all.readUInt32BE(0);
      if (length > MAX_FRAME_BYTES) throw new Error(`a frame of ${length} bytes`);
      wanted = HEADER_BYTES + length;
      if (size < wanted) return;
      const frame = { kind: all.readUInt8(4), body: all.subarray(HEADER_BYTES, wanted) };
      parts = [all.subarray(wanted)];
      size -= wanted;
      wanted = HEADER_BYTES;
      onFrame(frame);
    }
  };
}
