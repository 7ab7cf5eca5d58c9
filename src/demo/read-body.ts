/** Reads the body of a request to the model as a JSON object, whichever way it is compressed, within a size limit. */
import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { isJsonObject, type JsonObject } from './model-event.ts';

/** Codex sends images inline, and resends the whole conversation each time; 64 MiB is above all it was seen to send. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

type BodyRead =
  | { readonly ok: true; readonly body: JsonObject; readonly text: string }
  | { readonly ok: false; readonly status: 400 | 413 | 415; readonly reason: string };

type Inflate = (input: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

export async function readBody(request: IncomingMessage): Promise<BodyRead> {
  const received = await receive(request);
  if (received === 'too large') return refuse(413, `the body is over ${MAX_BODY_BYTES} bytes`);
  if (received === 'aborted') return refuse(400, 'the body was cut short');

  const encoding = request.headers['content-encoding'] ?? 'identity';
  const inflate = DECODERS.get(encoding);
  if (inflate === undefined) return refuse(415, `content-encoding ${encoding} is not supported`);
  let text: string;
  try {
    text = (await inflate(received, { maxOutputLength: MAX_BODY_BYTES })).toString('utf8');
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    return isTooLarge ? refuse(413, 'the unpacked body is too large') : refuse(400, `the body is not ${encoding}`);
  }
  return parse(text);
}

function parse(text: string): BodyRead {
  try {
    const body: unknown = JSON.parse(text);
    return isJsonObject(body) ? { ok: true, body, text } : refuse(400, 'the body is not a JSON object');
  } catch {
    return refuse(400, 'the body is not JSON');
  }
}

function refuse(status: 400 | 413 | 415, reason: string): BodyRead {
  return { ok: false, status, reason };
}

async function receive(request: IncomingMessage): Promise<Buffer | 'too large' | 'aborted'> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of request) {
      bytes += part.length;
      // What is over the limit is read and dropped: closing early would lose the answer.
      if (bytes <= MAX_BODY_BYTES) parts.push(part);
      else parts.length = 0;
    }
  } catch {
    return 'aborted';
  }
  return bytes > MAX_BODY_BYTES ? 'too large' : Buffer.concat(parts);
}

const DECODERS: ReadonlyMap<string, Inflate> = new Map<string, Inflate>([
  ['identity', async (input) => input],
  ['gzip', promisify<Buffer, { maxOutputLength: number }, Buffer>(zlib.gunzip)],
  ['deflate', promisify<Buffer, { maxOutputLength: number }, Buffer>(zlib.inflate)],
  ['br', promisify<Buffer, { maxOutputLength: number }, Buffer>(zlib.brotliDecompress)],
  ...zstdDecoder(),
]);

/** Node has zstd from 22.15 on; the types of Node 20 do not know it. */
function zstdDecoder(): [string, Inflate][] {
  const decompress: unknown = Reflect.get(zlib, 'zstdDecompress');
  if (typeof decompress !== 'function') return [];
  const inflate: Inflate = (input, options) =>
    new Promise((resolve, reject) => {
      decompress(input, options, (error: Error | null, output: Buffer) => (error ? reject(error) : resolve(output)));
    });
  return [['zstd', inflate]];
}
