/**
 * The model of our tests: answers the real Codex from a script, records what Codex sent, and can be held at a gate. For
 * tests only.
 */
import { createGates } from '../demo/gates.ts';
import type { Answer, ModelEvent } from '../demo/model-event.ts';
import { lastUserText } from '../demo/model-request.ts';
import { type ModelRequest, type ResponsesServer, startResponsesServer } from '../demo/responses-server.ts';

export type { ModelEvent } from '../demo/model-event.ts';

/** Each given condition must hold; strings are regular expressions. */
interface ReplyMatch {
  /** Against the user's last words. */
  readonly text?: string | RegExp;
  /** Against the request as JSON text. */
  readonly body?: string | RegExp;
  readonly model?: string | RegExp;
  /** Ordinal of the request since the start or the last `reset`. */
  readonly n?: number;
}

/** `{ events }`, or `{ status, body }` for a plain HTTP answer. */
export type Reply = Answer & {
  /** A string or expression alone is matched against the user's last words; absent, it fits anything. */
  readonly match?: string | RegExp | ReplyMatch;
  /** How often it may be used; `true` for always. Once, when absent. */
  readonly repeat?: true | number;
};

export interface RecordedRequest extends ModelRequest {
  readonly userText: string;
}

interface ScriptedModelOptions {
  readonly script?: readonly Reply[];
  /** Obey `<<model [Reply, …]>>` in the user's message; on unless turned off. */
  readonly directives?: boolean;
  readonly bearer?: string;
}

export interface ScriptedModel extends ResponsesServer {
  readonly requests: readonly RecordedRequest[];
  /** Replies that were not used up. */
  readonly pending: number;
  /** Resolves with the first request that fits, also one already received; rejects when the model closes. */
  waitForRequest(fits?: (request: RecordedRequest) => boolean): Promise<RecordedRequest>;
  push(...replies: readonly Reply[]): void;
  /** Opens a gate for those who wait and those who come. */
  release(gate: string): void;
  /** Forgets replies, requests and open gates; streams that run go on. */
  reset(): void;
}

interface Waiter {
  readonly fits: (request: RecordedRequest) => boolean;
  readonly resolve: (request: RecordedRequest) => void;
  readonly reject: (reason: Error) => void;
}

/** A reply and how many uses it has left. */
interface Queued {
  readonly reply: Reply;
  left: number;
}

export async function startScriptedModel(options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const gates = createGates();
  const waiters = new Set<Waiter>();
  let queue = (options.script ?? []).map(enqueue);
  let requests: RecordedRequest[] = [];

  const server = await startResponsesServer({
    gates,
    directives: options.directives ?? true,
    ...(options.bearer === undefined ? {} : { bearer: options.bearer }),
    observe: (received) => {
      const request = { ...received, n: requests.length, userText: lastUserText(received.body) };
      requests.push(request);
      for (const waiter of waiters) {
        if (!waiter.fits(request)) continue;
        waiters.delete(waiter);
        waiter.resolve(request);
      }
    },
    respond: (received) => {
      const request = requests.findLast(({ body }) => body === received.body);
      const queued = request && queue.find(({ reply }) => isMatch(reply.match, request));
      if (queued === undefined) return sayBack(lastUserText(received.body));
      queued.left -= 1;
      if (queued.left <= 0) queue = queue.filter((other) => other !== queued);
      return 'status' in queued.reply ? queued.reply : queued.reply.events;
    },
  });

  return {
    url: server.url,
    port: server.port,
    get requests() {
      return requests;
    },
    get pending() {
      return queue.length;
    },
    waitForRequest: (fits = () => true) => {
      const known = requests.find(fits);
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((resolve, reject) => waiters.add({ fits, resolve, reject }));
    },
    push: (...replies) => {
      queue.push(...replies.map(enqueue));
    },
    release: gates.release,
    reset: () => {
      queue = [];
      requests = [];
      gates.reset();
    },
    close: () => {
      for (const waiter of waiters) waiter.reject(new Error('the scripted model closed before such a request came'));
      waiters.clear();
      return server.close();
    },
  };
}

function enqueue(reply: Reply): Queued {
  return { reply, left: reply.repeat === true ? Number.POSITIVE_INFINITY : (reply.repeat ?? 1) };
}

function isMatch(match: Reply['match'], request: RecordedRequest): boolean {
  if (match === undefined) return true;
  if (typeof match === 'string' || match instanceof RegExp) return isFound(match, request.userText);
  if (match.n !== undefined && match.n !== request.n) return false;
  return (
    isFound(match.text, request.userText) &&
    isFound(match.body, request.rawBody) &&
    isFound(match.model, String(request.body.model ?? ''))
  );
}

function isFound(pattern: string | RegExp | undefined, text: string): boolean {
  return pattern === undefined || new RegExp(pattern, typeof pattern === 'string' ? 's' : undefined).test(text);
}

function sayBack(userText: string): ModelEvent[] {
  return [{ say: `scripted: ${userText}` }];
}
