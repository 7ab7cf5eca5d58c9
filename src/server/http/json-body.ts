/** Bodies and frames of strangers as JSON: bounded in size and depth, with no key that could reach a prototype. */
import { type Failure, fail, ok, type Result } from '../../contract/result.ts';
import { isTooDeep } from '../../core/text/json-depth.ts';

/** Room for anything but messages with images and batches of events, which say so in their row. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** Deeper than any shape of ours by far; recursion over it stays harmless. */
const MAX_DEPTH = 32;
const TOO_DEEP: Failure = {
  code: 'invalid_request',
  message: `this JSON is nested more than ${MAX_DEPTH} deep`,
};
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor']);

/** Stops reading at the first byte too many. */
export async function readBody(
  stream: ReadableStream<Uint8Array> | null,
  limits: { readonly declaredBytes: string | undefined; readonly maxBytes: number },
): Promise<Result<string>> {
  const { declaredBytes, maxBytes } = limits;
  const tooLarge = fail('too_large', `the body may have at most ${maxBytes} bytes`, { max_bytes: maxBytes });
  if (declaredBytes !== undefined && Number(declaredBytes) > maxBytes) return tooLarge;
  if (stream === null) return ok('');
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    const reader = stream.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      bytes += read.value.byteLength;
      if (bytes > maxBytes) return tooLarge;
      chunks.push(read.value);
    }
  } catch {
    return fail('invalid_request', 'the body broke off');
  }
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    return fail('invalid_request', 'the body is not UTF-8');
  }
}

/** For a handler with a parser of its own. A request without a body is returned as it is. */
export async function boundRequest(request: Request): Promise<Request | Failure> {
  if (request.method !== 'POST') return request;
  const declaredBytes = request.headers.get('content-length') ?? undefined;
  const text = await readBody(request.body, { declaredBytes, maxBytes: MAX_BODY_BYTES });
  if (!text.ok) return text.error;
  if (isTooDeep(text.value)) return TOO_DEEP;
  const { url, method, headers, signal } = request;
  return new Request(url, { method, headers, signal, body: text.value });
}

export function decodeJson(text: string): Result<unknown> {
  if (isTooDeep(text)) return { ok: false, error: TOO_DEEP };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail('invalid_request', 'this is not JSON');
  }
  const flaw = findFlaw(value);
  return flaw === null ? ok(value) : fail('invalid_request', flaw);
}

/** With a stack of its own: what is looked for is exactly what would overflow the other one. */
function findFlaw(value: unknown): string | null {
  const left: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth === MAX_DEPTH) return TOO_DEEP.message;
    if (!Array.isArray(next.value)) {
      const key = Object.keys(next.value).find((one) => FORBIDDEN_KEYS.has(one));
      if (key !== undefined) return `the key ${key} is not allowed`;
    }
    for (const child of Object.values(next.value)) {
      if (typeof child === 'object' && child !== null) left.push({ value: child, depth: next.depth + 1 });
    }
  }
  return null;
}
