/**
 * The wire form of a model's answer: server-sent events of the Responses API, as text. Pure and lazy, so that a flood of
 * deltas is made only as fast as it is read. Knows nothing of HTTP.
 */
import { Buffer } from 'node:buffer';
import type { JsonObject, OutputEvent, TokenUsage } from './model-event.ts';

/** Either text for the wire or a pause before the next text. */
type WireStep = { readonly text: string } | { readonly pauseMs: number };

interface ResponseRenderer {
  start(): string;
  render(event: OutputEvent): Iterable<WireStep>;
  completed(usage?: TokenUsage): string;
  failed(error: { readonly code: string; readonly message: string }): string;
  incomplete(reason: string): string;
}

type EventOf<Key extends PropertyKey> = Extract<OutputEvent, Readonly<Record<Key, unknown>>>;

const DEFAULT_CHUNK = 6;
/** The rule of thumb for English text; only the context meter depends on it. */
const CHARS_PER_TOKEN = 4;

/** `seed` must differ between responses: Codex and its clients take item ids as unique. */
export function createResponseRenderer(options: { seed: string; inputChars: number }): ResponseRenderer {
  const responseId = `resp_${options.seed}`;
  let made = 0;
  let outputIndex = 0;
  let outputChars = 0;
  const makeId = (prefix: string): string => `${prefix}_${options.seed}_${made++}`;

  const step = (event: JsonObject): WireStep => ({ text: renderSse(event) });
  const added = (item: JsonObject): WireStep =>
    step({ type: 'response.output_item.added', output_index: outputIndex, item });
  const done = (item: JsonObject): WireStep =>
    step({ type: 'response.output_item.done', output_index: outputIndex++, item });

  function* deltas(
    text: string,
    options: { readonly chunk?: number; readonly delayMs?: number },
    event: JsonObject,
  ): Generator<WireStep> {
    for (const delta of splitText(text, options.chunk ?? DEFAULT_CHUNK)) {
      outputChars += delta.length;
      yield step({ ...event, output_index: outputIndex, delta });
      if (options.delayMs !== undefined && options.delayMs > 0) yield { pauseMs: options.delayMs };
    }
  }

  function* say(event: EventOf<'say'>): Generator<WireStep> {
    const id = event.id ?? makeId('msg');
    const item = {
      type: 'message',
      role: 'assistant',
      id,
      ...(event.phase === undefined ? {} : { phase: event.phase }),
    };
    yield added({ ...item, status: 'in_progress', content: [] });
    yield* deltas(event.say, event, { type: 'response.output_text.delta', item_id: id, content_index: 0 });
    const content = [{ type: 'output_text', text: event.say, annotations: [] }];
    yield done({ ...item, status: 'completed', content });
  }

  function* think(event: EventOf<'think'>): Generator<WireStep> {
    const item_id = event.id ?? makeId('rs');
    const parts = typeof event.think === 'string' ? [event.think] : event.think;
    yield added({ type: 'reasoning', id: item_id, summary: [] });
    for (const [summary_index, text] of parts.entries()) {
      const at = { item_id, output_index: outputIndex, summary_index };
      const part = { type: 'summary_text', text: '' };
      yield step({ type: 'response.reasoning_summary_part.added', ...at, part });
      yield* deltas(text, event, { type: 'response.reasoning_summary_text.delta', item_id, summary_index });
      yield step({ type: 'response.reasoning_summary_text.done', ...at, text });
    }
    const raw = event.rawReasoning;
    if (raw !== undefined) {
      yield* deltas(raw, event, { type: 'response.reasoning_text.delta', item_id, content_index: 0 });
    }
    yield done({
      type: 'reasoning',
      id: item_id,
      summary: parts.map((text) => ({ type: 'summary_text', text })),
      ...(raw === undefined ? {} : { content: [{ type: 'reasoning_text', text: raw }] }),
      // Codex asks for it and sends it back; nobody reads it.
      encrypted_content: Buffer.from(parts.join('\n')).toString('base64'),
    });
  }

  function* call(event: EventOf<'call'>): Generator<WireStep> {
    const args = typeof event.args === 'string' ? event.args : JSON.stringify(event.args ?? {});
    const item = { type: 'function_call', ...calledAs(event, event.call, 'fc') };
    outputChars += args.length;
    yield added({ ...item, arguments: '' });
    yield done({ ...item, status: 'completed', arguments: args });
  }

  function* custom(event: EventOf<'custom'>): Generator<WireStep> {
    const item = { type: 'custom_tool_call', ...calledAs(event, event.custom, 'ctc') };
    if (event.isStreamed === true) {
      yield added({ ...item, status: 'in_progress', input: '' });
      const at = { item_id: item.id, call_id: item.call_id };
      yield* deltas(event.input, event, { type: 'response.custom_tool_call_input.delta', ...at });
    }
    yield done({ ...item, status: 'completed', input: event.input });
  }

  function calledAs(event: { namespace?: string; callId?: string; id?: string }, name: string, prefix: string) {
    const namespace = event.namespace === undefined ? {} : { namespace: event.namespace };
    return { id: event.id ?? makeId(prefix), call_id: event.callId ?? makeId('call'), name, ...namespace };
  }

  function* webSearch(event: EventOf<'webSearch'>): Generator<WireStep> {
    const item = { type: 'web_search_call', id: event.id ?? makeId('ws') };
    yield added({ ...item, status: 'in_progress' });
    yield done({ ...item, status: 'completed', action: { type: 'search', query: event.webSearch } });
  }

  function render(event: OutputEvent): Iterable<WireStep> {
    if ('say' in event) return say(event);
    if ('think' in event) return think(event);
    if ('call' in event) return call(event);
    if ('custom' in event) return custom(event);
    if ('webSearch' in event) return webSearch(event);
    if ('rawItem' in event) return [done(event.rawItem)];
    if ('rawEvent' in event) return [step(event.rawEvent)];
    if ('rawText' in event) return [{ text: event.rawText }];
    return event satisfies never;
  }

  const close = (type: string, rest: JsonObject): string => renderSse({ type, response: { id: responseId, ...rest } });
  return {
    start: () => close('response.created', {}),
    render,
    completed: (usage = {}) => {
      const input = usage.input ?? Math.ceil(options.inputChars / CHARS_PER_TOKEN);
      const output = usage.output ?? Math.ceil(outputChars / CHARS_PER_TOKEN);
      return close('response.completed', {
        usage: {
          input_tokens: input,
          input_tokens_details: { cached_tokens: usage.cached ?? 0 },
          output_tokens: output,
          output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
          total_tokens: input + output,
        },
      });
    },
    failed: (error) => close('response.failed', { error }),
    incomplete: (reason) => close('response.incomplete', { incomplete_details: { reason } }),
  };
}

function renderSse(event: JsonObject): string {
  return `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** By code points, so that no delta ends in half a character. */
function* splitText(text: string, chunk: number): Generator<string> {
  const size = Math.max(1, chunk);
  let part = '';
  let points = 0;
  for (const point of text) {
    part += point;
    if (++points < size) continue;
    yield part;
    part = '';
    points = 0;
  }
  if (part !== '') yield part;
}
