/** Plays one answer to one HTTP response: renders, waits where the script says so, and never runs ahead of the reader. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Gates } from './gates.ts';
import type { ModelEvent, TokenUsage } from './model-event.ts';
import { createResponseRenderer } from './sse.ts';

interface Performance {
  readonly response: ServerResponse;
  readonly events: Iterable<ModelEvent> | AsyncIterable<ModelEvent>;
  /** Aborted when the client is gone or the server closes; then the stream stops where it is. */
  readonly signal: AbortSignal;
  readonly gates: Gates;
  readonly seed: string;
  readonly inputChars: number;
}

export async function performStream(performance: Performance): Promise<void> {
  const { response, signal } = performance;
  try {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    await play(performance);
  } catch (error) {
    if (!signal.aborted) throw error;
    response.destroy();
  }
}

async function play({ response, events, signal, gates, seed, inputChars }: Performance): Promise<void> {
  const renderer = createResponseRenderer({ seed, inputChars });
  let usage: TokenUsage = {};
  const write = async (text: string): Promise<void> => {
    signal.throwIfAborted();
    if (!response.write(text)) await once(response, 'drain', { signal });
  };
  const end = (text: string): void => {
    response.end(text);
  };

  await write(renderer.start());
  try {
    for await (const event of untilAborted(events, signal)) {
      if ('sleepMs' in event) await delay(event.sleepMs, undefined, { signal });
      else if ('gate' in event) await gates.wait(event.gate, signal);
      else if ('usage' in event) usage = { ...usage, ...event.usage };
      else if ('fail' in event) return end(renderer.failed(event.fail));
      else if ('incomplete' in event) return end(renderer.incomplete(event.incomplete));
      else if ('cut' in event) return await cut(response, event.cut);
      else {
        for (const step of renderer.render(event)) {
          if ('text' in step) await write(step.text);
          else await delay(step.pauseMs, undefined, { signal });
        }
      }
    }
  } catch (error) {
    if (signal.aborted) throw error;
    const message = error instanceof Error ? error.message : String(error);
    return end(renderer.failed({ code: 'server_error', message }));
  }
  end(renderer.completed(usage));
}

/** A broken connection first delivers what was written: the tests are about what comes after it. */
async function cut(response: ServerResponse, how: 'connection' | 'stream'): Promise<void> {
  if (how === 'stream') {
    response.end();
    return;
  }
  await new Promise<void>((resolve) => {
    if (response.socket === null) return resolve();
    response.socket.end(resolve);
  });
  response.destroy();
}

/** Iterates, but does not wait for a source that hangs after the reader is gone; the source is told to finish. */
async function* untilAborted<Item>(
  source: Iterable<Item> | AsyncIterable<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => undefined);
  let isFinished = false;
  try {
    while (true) {
      signal.throwIfAborted();
      const next = await Promise.race([iterator.next(), aborted]);
      isFinished = next.done === true;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    if (!isFinished) Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
