/** JSON-RPC over a transport: each request gets exactly one answer, whatever dies; everything else goes out as signals. */
import type { RpcId } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { type Frame, NO_LABEL, parseFrame, type RpcError } from '../../core/codex/frame.ts';
import { type Dialect, normalize } from '../../core/codex/normalize.ts';
import { renderLine, withoutSecret } from '../../core/codex/render-line.ts';
import type { Signal } from '../../core/codex/signal.ts';
import type { RpcReply } from '../../core/conversations/thread-state.ts';
import type { Line } from '../../core/text/lines.ts';
import type { Clock, Timer } from '../../node/clock.ts';
import type { Transport } from './transport.ts';

export interface RequestOptions {
  readonly timeoutMs?: number;
  /** Called in line order, before any later line is read: for what must be known before the next notification. */
  readonly onResult?: (result: unknown) => void;
}

export interface Connection {
  readonly dialect: () => Dialect;
  request(method: string, params: Record<string, unknown>, options?: RequestOptions): Promise<Result<unknown>>;
  notify(method: string): void;
  reply(id: RpcId, body: RpcReply): void;
  receive(line: Line): void;
  /** Every outstanding request fails now. */
  settleAll(reason: string): void;
}

export interface ConnectionOptions {
  readonly transport: () => Transport | null;
  readonly epoch: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onSignal: (signal: Signal) => void;
  /** A request got no answer in time. */
  readonly onSilence: (method: string, waitedMs: number) => void;
  /** Something was received after `onSilence`. */
  readonly onHeard: () => void;
  /** Raw lines without secrets, for the debug ring. */
  readonly onRaw: (direction: 'in' | 'out', line: string) => void;
}

/** Codex answers 200 at once and loses some of 2,000. */
const MAX_IN_FLIGHT = 100;
/** More waiting than this means that something is wrong on our side. */
const MAX_WAITING = 2_000;
const DEFAULT_TIMEOUT_MS = 30_000;
const OVERLOADED = -32_001;
const MAX_OVERLOAD_RETRIES = 6;

interface Waiting {
  readonly method: string;
  readonly line: string;
  readonly id: number;
  readonly timer: Timer;
  readonly settle: (result: Result<unknown>) => void;
  readonly onResult: ((result: unknown) => void) | undefined;
  tries: number;
}

export function createConnection(options: ConnectionOptions): Connection {
  const { clock } = options;
  const inFlight = new Map<number, Waiting>();
  const queued: Waiting[] = [];
  let dialect: Dialect = { epoch: options.epoch, hasItems: false };
  let label = NO_LABEL;
  let nextId = 1;
  let isSilent = false;

  const write = (line: string) => {
    options.onRaw('out', withoutSecret(line));
    options.transport()?.send(line);
  };

  const pump = () => {
    while (inFlight.size < MAX_IN_FLIGHT) {
      const next = queued.shift();
      if (next === undefined) return;
      inFlight.set(next.id, next);
      write(next.line);
    }
  };

  const finish = (waiting: Waiting, result: Result<unknown>) => {
    waiting.timer.cancel();
    inFlight.delete(waiting.id);
    if (result.ok) waiting.onResult?.(result.value);
    waiting.settle(result);
    pump();
  };

  const retryLater = (waiting: Waiting) => {
    waiting.tries += 1;
    inFlight.delete(waiting.id);
    const delayMs = 50 * 2 ** waiting.tries * (0.5 + options.random());
    clock.setTimer(delayMs, () => {
      queued.push(waiting);
      pump();
    });
  };

  const settleError = (waiting: Waiting, error: RpcError) => {
    if (error.code === OVERLOADED && waiting.tries < MAX_OVERLOAD_RETRIES) retryLater(waiting);
    else
      finish(
        waiting,
        fail('codex_error', error.message, { method: waiting.method, rpc_code: error.code, data: error.data }),
      );
  };

  const dispatch = (frame: Frame) => {
    if (frame.kind === 'response' || frame.kind === 'error') {
      const waiting = typeof frame.id === 'number' ? inFlight.get(frame.id) : undefined;
      if (waiting === undefined) return;
      if (frame.kind === 'error') settleError(waiting, frame.error);
      else finish(waiting, ok(frame.result));
      return;
    }
    const step = normalize(dialect, frame);
    dialect = step.dialect;
    for (const signal of step.signals) options.onSignal(signal);
  };

  return {
    dialect: () => dialect,
    request(method, params, { timeoutMs = DEFAULT_TIMEOUT_MS, onResult } = {}) {
      const transport = options.transport();
      if (transport === null) return Promise.resolve(fail('codex_unavailable', 'Codex is not running'));
      if (queued.length >= MAX_WAITING)
        return Promise.resolve(fail('codex_unavailable', 'too many requests wait for Codex'));
      const id = nextId++;
      const line = renderLine({ method, id, params });
      if (Buffer.byteLength(line) > transport.maxSendBytes) {
        const limit = `${Math.floor(transport.maxSendBytes / 1024 / 1024)} MiB`;
        return Promise.resolve(fail('too_large', `Codex takes at most ${limit} in one request`));
      }
      return new Promise((settle) => {
        const timer = clock.setTimer(timeoutMs, () => {
          const at = queued.indexOf(waiting);
          if (at >= 0) queued.splice(at, 1);
          isSilent = true;
          options.onSilence(method, timeoutMs);
          finish(waiting, fail('codex_timeout', `Codex did not answer ${method} within ${timeoutMs / 1000} s`));
        });
        const waiting: Waiting = { method, line, id, timer, settle, onResult, tries: 0 };
        queued.push(waiting);
        pump();
      });
    },
    notify: (method) => write(renderLine({ method })),
    reply: (id, body) => write(renderLine({ id, ...body })),
    receive(line) {
      if (isSilent) {
        isSilent = false;
        options.onHeard();
      }
      if ('oversize' in line) {
        options.onSignal({ type: 'noise', text: `a line of ${line.oversize} bytes was dropped` });
        return;
      }
      options.onRaw('in', line.text);
      const step = parseFrame(label, line.text);
      label = step.state;
      if (step.frame !== null) dispatch(step.frame);
    },
    settleAll(reason) {
      for (const waiting of [...inFlight.values(), ...queued.splice(0)]) {
        waiting.timer.cancel();
        waiting.settle(fail('codex_unavailable', `Codex stopped before it answered ${waiting.method}: ${reason}`));
      }
      inFlight.clear();
    },
  };
}
