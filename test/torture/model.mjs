/**
 * The model of the crash rig: a Responses-API server on loopback. It answers by the directives in the last user message and keeps, for
 * each thread, the input of the newest request: what Codex's history held when the model was asked last.
 */
import { createServer } from 'node:http';

/** `{slow:30}` streams with a pause of so many ms; `{ask}` runs a command first; `{hold:x}` waits until gate x is opened. */
const DIRECTIVE = /\{(slow|ask|hold)(?::([\w-]+))?\}/g;

/** The unique texts the rig plants in messages, events, posts and commands. */
const MARKER = /\[[a-z]-[0-9a-z]+-\d+\]/g;

export async function startModel() {
  /** Per thread: its newest input, and for each marker the most often it occurred in one request. */
  const threads = new Map();
  const gates = new Map();
  let count = 0;
  let open = 0;

  const gateOf = (name) => {
    if (!gates.has(name)) {
      let open;
      const opened = new Promise((done) => {
        open = done;
      });
      gates.set(name, { opened, open });
    }
    return gates.get(name);
  };

  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('error', () => undefined);
    request.on('end', () => {
      if (request.method !== 'POST' || !/\/responses$/.test(request.url ?? '')) {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('{"models":[]}');
        return;
      }
      const body = JSON.parse(Buffer.concat(parts).toString('utf8'));
      const thread = threadOf(request.headers, body);
      count += 1;
      const input = Array.isArray(body.input) ? body.input : [];
      const told = threads.get(thread)?.told ?? new Map();
      for (const [marker, times] of countMarkers(input)) told.set(marker, Math.max(times, told.get(marker) ?? 0));
      threads.set(thread, { input, told });
      open += 1;
      response.once('close', () => {
        open -= 1;
      });
      answer(response, input, count, gateOf).catch(() => response.destroy());
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();

  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests: () => count,
    /** Requests that are being answered. */
    open: () => open,
    textOf,
    /** The newest input Codex sent for a thread; empty if the model was never asked. */
    inputOf: (thread) => threads.get(thread)?.input ?? [],
    toldIn: (thread) => Object.fromEntries(threads.get(thread)?.told ?? []),
    /** Threads of a round that is over are not needed again. */
    forget: (thread) => threads.delete(thread),
    release: (name) => gateOf(name).open(),
    releaseAll: () => {
      for (const gate of gates.values()) gate.open();
      gates.clear();
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}

/** Codex names its thread in a header; its name changed over the versions. */
function threadOf(headers, body) {
  return String(
    headers['thread-id'] ??
      headers['session-id'] ??
      headers.session_id ??
      headers.conversation_id ??
      body.prompt_cache_key ??
      '',
  );
}

async function answer(response, input, n, gateOf) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  let isGone = false;
  response.on('close', () => {
    isGone = true;
  });
  const send = (event) => {
    if (!isGone) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  };
  const { text, isAfterTool } = lastWords(input);
  const wanted = new Map([...text.matchAll(DIRECTIVE)].map(([, name, value]) => [name, value]));
  send({ type: 'response.created', response: { id: `resp_${n}` } });
  if (wanted.has('hold')) await Promise.race([gateOf(wanted.get('hold')).opened, closed(response)]);
  if (wanted.has('ask') && !isAfterTool) {
    const call = { type: 'function_call', id: `fc_${n}`, call_id: `call_${n}`, name: 'exec_command' };
    const args = JSON.stringify({ cmd: 'true', login: false });
    send({ type: 'response.output_item.added', output_index: 0, item: { ...call, arguments: '' } });
    send({
      type: 'response.output_item.done',
      output_index: 0,
      item: { ...call, arguments: args, status: 'completed' },
    });
  } else {
    await speak(send, n, Number(wanted.get('slow') ?? 0));
  }
  send({
    type: 'response.completed',
    response: {
      id: `resp_${n}`,
      usage: {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 10,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 110,
      },
    },
  });
  response.end();
}

async function speak(send, n, pauseMs) {
  const message = { type: 'message', role: 'assistant', id: `msg_${n}` };
  send({
    type: 'response.output_item.added',
    output_index: 0,
    item: { ...message, status: 'in_progress', content: [] },
  });
  for (const word of ['under', 'stood']) {
    send({ type: 'response.output_text.delta', item_id: message.id, output_index: 0, content_index: 0, delta: word });
    if (pauseMs > 0) await new Promise((done) => setTimeout(done, pauseMs));
  }
  const content = [{ type: 'output_text', text: 'understood', annotations: [] }];
  send({ type: 'response.output_item.done', output_index: 0, item: { ...message, status: 'completed', content } });
}

const closed = (response) => new Promise((done) => response.once('close', done));

/** The text of the newest user message, and whether a tool has answered since. */
function lastWords(input) {
  let isAfterTool = false;
  for (const item of input.toReversed()) {
    if (item.type === 'function_call_output') isAfterTool = true;
    if (item.role !== 'user') continue;
    const text = textOf(item);
    // Codex's own fragments begin with a tag; people's words in the rig never do.
    if (!text.startsWith('<') && !text.startsWith('# AGENTS')) return { text, isAfterTool };
  }
  return { text: '', isAfterTool };
}

function countMarkers(input) {
  const counts = new Map();
  for (const item of input)
    for (const [marker] of textOf(item).matchAll(MARKER)) counts.set(marker, (counts.get(marker) ?? 0) + 1);
  return counts;
}

/** Every text of an input item, whatever its type. */
function textOf(item) {
  if (typeof item.output === 'string') return item.output;
  const parts = Array.isArray(item.content) ? item.content : Array.isArray(item.output) ? item.output : [];
  return parts.map((part) => part.text ?? '').join('\n');
}
