/** Those who wait for a message: woken the moment one that fits is on disk. */
import type { BoardMatch, BoardMessage } from '../../contract/board.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { fitsMatch } from '../../core/board/match.ts';
import type { Clock } from '../../node/clock.ts';

export interface AwaitRequest {
  /** The newest message now, when absent. */
  readonly after?: number | undefined;
  readonly match?: BoardMatch | undefined;
  readonly timeoutMs: number;
  /** Ends the wait when the caller has gone. */
  readonly signal?: AbortSignal | undefined;
  /** The conversation that waits: what it is told here it need not be told as an event. */
  readonly holder?: string | undefined;
}

export interface Awaited {
  readonly messages: readonly BoardMessage[];
  readonly timedOut: boolean;
  readonly after: number;
}

export interface Waiters {
  wait(request: AwaitRequest): Promise<Result<Awaited>>;
  /** Tells everybody who waits for it; answers the conversations among them. */
  wake(message: BoardMessage): ReadonlySet<string>;
  count(): number;
  /** Ends every wait as if its time were over. */
  stop(): void;
}

interface Waiter {
  readonly match: BoardMatch;
  readonly holder: string | undefined;
  readonly hear: (message: BoardMessage) => void;
  readonly end: () => void;
}

/** Scripts and agents of one person; beyond it something starts waits and forgets them. */
const MAX_WAITERS = 500;
const MAX_ANSWERS = 100;

export function createWaiters(options: {
  readonly clock: Clock;
  readonly lastNum: () => number;
  /** Messages after a number that fit, oldest first. */
  readonly find: (after: number, match: BoardMatch, limit: number) => Promise<readonly BoardMessage[]>;
}): Waiters {
  const waiters = new Set<Waiter>();

  return {
    async wait({ after: from, match = {}, timeoutMs, signal, holder }) {
      if (waiters.size >= MAX_WAITERS) return fail('rate_limited', `${MAX_WAITERS} are waiting already`);
      const after = from ?? options.lastNum();
      const heard: BoardMessage[] = [];
      let end = () => {};
      const ended = new Promise<void>((done) => {
        end = done;
      });
      const waiter: Waiter = {
        match,
        holder,
        hear(message) {
          if (message.num > after) heard.push(message);
          if (heard.length > 0) end();
        },
        end,
      };
      // Listening first: what comes while the past is looked through is not missed.
      waiters.add(waiter);
      const timer = options.clock.setTimer(timeoutMs, end);
      signal?.addEventListener('abort', end);
      try {
        const past = await options.find(after, match, MAX_ANSWERS);
        if (past.length === 0 && heard.length === 0 && signal?.aborted !== true) await ended;
        const all = new Map([...past, ...heard].map((message) => [message.num, message]));
        const messages = [...all.values()].sort((a, b) => a.num - b.num).slice(0, MAX_ANSWERS);
        return ok({ messages, timedOut: messages.length === 0, after: messages.at(-1)?.num ?? after });
      } finally {
        timer.cancel();
        signal?.removeEventListener('abort', end);
        waiters.delete(waiter);
      }
    },
    wake(message) {
      const holders = new Set<string>();
      for (const waiter of waiters) {
        if (!fitsMatch(message, waiter.match)) continue;
        if (waiter.holder !== undefined) holders.add(waiter.holder);
        waiter.hear(message);
      }
      return holders;
    },
    count: () => waiters.size,
    stop() {
      for (const waiter of waiters) waiter.end();
    },
  };
}
