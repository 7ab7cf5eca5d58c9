/** The server of model answers, over HTTP. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { createGates } from './gates.ts';
import { isJsonObject, type JsonObject, type ModelEvent } from './model-event.ts';
import { type ResponsesServer, type ResponsesServerOptions, startResponsesServer } from './responses-server.ts';

const open: ResponsesServer[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function start(
  respond: ResponsesServerOptions['respond'] | ModelEvent[],
  options: Partial<ResponsesServerOptions> = {},
) {
  const server = await startResponsesServer({ ...options, respond: Array.isArray(respond) ? () => respond : respond });
  open.push(server);
  const post = (body: string | Uint8Array = '{}', headers: Record<string, string> = {}) =>
    fetch(`${server.url}/responses`, { method: 'POST', body, headers });
  return { ...server, post };
}

const events = (text: string): JsonObject[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data)).filter(isJsonObject);

async function streamOf(...given: ModelEvent[]): Promise<JsonObject[]> {
  const { post } = await start(given);
  return events(await (await post()).text());
}

const types = (sent: readonly JsonObject[]): unknown[] => sent.map(({ type }) => type);

describe('the stream', () => {
  test('of a message', async () => {
    const sent = await streamOf(
      { say: 'a😀b', chunk: 2, id: 'm', phase: 'commentary' },
      { usage: { input: 7, output: 2 } },
    );
    const item = { type: 'message', role: 'assistant', id: 'm', phase: 'commentary' };
    const at = { item_id: 'm', content_index: 0, output_index: 0 };
    expect(sent.slice(1)).toEqual([
      { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
      { type: 'response.output_text.delta', ...at, delta: 'a😀' },
      { type: 'response.output_text.delta', ...at, delta: 'b' },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { ...item, status: 'completed', content: [{ type: 'output_text', text: 'a😀b', annotations: [] }] },
      },
      {
        type: 'response.completed',
        response: {
          id: expect.stringMatching(/^resp_/),
          usage: {
            input_tokens: 7,
            input_tokens_details: { cached_tokens: 0 },
            output_tokens: 2,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: 9,
          },
        },
      },
    ]);
  });

  test('of everything else', async () => {
    const sent = await streamOf(
      { think: ['one', 'two'], rawReasoning: 'raw' },
      { call: 'f', namespace: 'n', args: { a: 1 }, callId: 'c1' },
      { custom: 'apply_patch', input: 'patch', callId: 'c2', isStreamed: true },
      { webSearch: 'q' },
      { rawItem: { type: 'x' } },
      { rawEvent: { type: 'response.odd' } },
      { rawText: 'data: {"type":"written"}\n\n' },
    );
    const done = sent.filter(({ type }) => type === 'response.output_item.done');
    expect(done.map(({ output_index }) => output_index)).toEqual([0, 1, 2, 3, 4]);
    expect(done.map(({ item }) => item)).toMatchObject([
      { type: 'reasoning', summary: [{ text: 'one' }, { text: 'two' }], content: [{ text: 'raw' }] },
      { type: 'function_call', name: 'f', namespace: 'n', call_id: 'c1', arguments: '{"a":1}' },
      { type: 'custom_tool_call', name: 'apply_patch', call_id: 'c2', input: 'patch' },
      { type: 'web_search_call', action: { query: 'q' } },
      { type: 'x' },
    ]);
    expect(types(sent).slice(-3)).toEqual(['response.odd', 'written', 'response.completed']);
  });

  test.each<[ModelEvent, string]>([
    [{ fail: { code: 'c', message: 'm' } }, 'response.failed'],
    [{ incomplete: 'max_output_tokens' }, 'response.incomplete'],
    [{ cut: 'stream' }, 'response.created'],
  ])('ends with %j', async (event, type) => {
    expect(types(await streamOf(event, { say: 'never' })).at(-1)).toBe(type);
  });

  test('can be cut with the connection', async () => {
    const { post } = await start([{ say: 'half' }, { cut: 'connection' }]);
    await expect((await post()).text()).rejects.toThrow();
  });

  test('reports a source that breaks', async () => {
    const { post } = await start(async function* () {
      yield { say: 'a' };
      throw new Error('broken');
    });
    expect(events(await (await post()).text()).at(-1)).toMatchObject({ response: { error: { message: 'broken' } } });
  });

  test('has ids that never repeat', async () => {
    const { post } = await start([{ say: 'a' }]);
    const ids = async () => events(await (await post()).text()).map(({ item_id }) => item_id);
    expect(await ids()).not.toEqual(await ids());
  });
});

test('a gate holds the stream, and a reader who leaves frees the source', async () => {
  const gates = createGates();
  let finish = (_: string) => {};
  const finished = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const { post, url } = await start(
    async function* () {
      try {
        yield { say: 'a' };
        yield { gate: 'g' };
        yield { say: 'b' };
        yield { gate: 'never' };
      } finally {
        finish('source closed');
      }
    },
    { gates },
  );
  expect(url).toContain('/v1');
  const reader = (await post()).body?.getReader();
  let seen = '';
  const readUntil = async (text: string) => {
    while (!seen.includes(text)) seen += new TextDecoder().decode((await reader?.read())?.value);
  };
  await readUntil('"delta":"a"');
  expect(seen).not.toContain('"delta":"b"');
  gates.release('g');
  await readUntil('"delta":"b"');
  await reader?.cancel();
  expect(await finished).toBe('source closed');
});

test('a flood is made no faster than it is read', async () => {
  let made = 0;
  const { port } = await start(async function* () {
    for (; made < 30_000; made++) yield { rawEvent: { type: 'flood', text: 'x'.repeat(1000) } };
  });
  const asked = request({ port, host: '127.0.0.1', path: '/v1/responses', method: 'POST' });
  asked.end('{}');
  const [response]: IncomingMessage[] = await once(asked, 'response');
  let bytes = 0;
  let mostAhead = 0;
  for await (const part of response ?? []) {
    bytes += part.length;
    mostAhead = Math.max(mostAhead, made * 1000 - bytes);
  }
  expect(made).toBe(30_000);
  expect(bytes).toBeGreaterThan(30_000_000);
  // What the kernel buffers on both sides; all of it would be 30 million.
  expect(mostAhead).toBeLessThan(15_000_000);
});

describe('the door', () => {
  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('takes a body in %s', async (encoding, compress) => {
    const { post } = await start(({ body }) => [{ say: String(body.word) }]);
    const text = await (await post(compress('{"word":"packed"}'), { 'content-encoding': encoding })).text();
    expect(text).toContain('packed');
  });

  test.each<[string, Record<string, string>, number]>([
    ['not json', {}, 400],
    ['[]', {}, 400],
    ['', {}, 400],
    ['{}', { 'content-encoding': 'gzip' }, 400],
    ['{}', { 'content-encoding': 'compress' }, 415],
    ['{}', { origin: 'http://example.com' }, 403],
  ])('refuses %j with %j: %i', async (body, headers, status) => {
    const { post } = await start([]);
    expect((await post(body, headers)).status).toBe(status);
  });

  test('asks for the bearer', async () => {
    const { post, url } = await start([], { bearer: 'secret' });
    expect((await post()).status).toBe(401);
    expect((await post('{}', { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await post('{}', { authorization: 'Bearer secret' })).status).toBe(200);
    expect((await fetch(`${url}/models`)).status).toBe(401);
  });

  test('knows two routes', async () => {
    const { url } = await start([]);
    expect(await (await fetch(`${url}/models`)).json()).toEqual({ object: 'list', data: [], models: [] });
    expect((await fetch(`${url}/responses`)).status).toBe(404);
  });

  test('passes on a plain answer, and an error as 500', async () => {
    const plain = await start(() => ({ status: 429, body: { a: 1 }, headers: { 'retry-after': '1' } }));
    const answer = await plain.post();
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([429, '1', { a: 1 }]);
    const broken = await start(() => {
      throw new Error('no');
    });
    expect((await broken.post()).status).toBe(500);
  });
});
