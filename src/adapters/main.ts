/** The process of one queue adapter: connects to broker and server, and again for as long as it runs. */
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { AdapterCredential, AdapterStatus, AdapterType } from '../contract/adapter.ts';
import type { EventAck } from '../contract/external-event.ts';
import { type Failure, fail, ok, type Result } from '../contract/result.ts';
import { retryDelayMs } from '../core/adapters/answer-broker.ts';
import { type Clock, systemClock } from '../node/clock.ts';
import { acquireInstanceLock } from '../node/instance-lock.ts';
import { adapterDir, adapterRejectedPath } from '../node/places.ts';
import { startTimeOf } from '../node/process-identity.ts';
import { forwardBatch } from './forward.ts';
import { inBatches } from './in-batches.ts';
import { describeBrokerError, openQueue } from './open-queue.ts';
import type { Queue, Taken } from './queue.ts';
import { createRejectedFile, type RejectedFile } from './rejected-file.ts';
import { postEvents, readCredential } from './server-link.ts';
import { createStatusFile, type StatusFile } from './status-file.ts';

export interface AdapterOptions {
  readonly home: string;
  readonly name: string;
  readonly type: AdapterType;
  readonly env: NodeJS.ProcessEnv;
  /** Ends it. */
  readonly stop: AbortSignal;
  /** A line for the log. */
  readonly say: (line: string) => void;
}

/** One body of at most 16 MiB; so many share one sync of the server. */
const BATCH = { maxItems: 128, maxWeight: 2 * 1024 * 1024, weightOf: ({ body }: Taken) => body.length };
const WAITS_MS = 5_000;
/** A connection that lasted so long was a good one. */
const STEADY_MS = 10_000;

/** Resolves when it was stopped; fails at once where there is nothing to run. */
export async function runAdapter(options: AdapterOptions): Promise<Result<null>> {
  const { home, name, type, stop } = options;
  const credential = await readCredential(home, name);
  if (credential === null)
    return fail(
      'not_found',
      `there is no adapter ${name}: add it to [[external_events.adapters]] in config.toml and start the server, which gives it its credential`,
    );
  if (credential.entry.type !== type)
    return fail('invalid_request', `${name} is an adapter for ${credential.entry.type}, not for ${type}`);
  const lock = await acquireInstanceLock(adapterDir(home, name));
  if (!lock.ok)
    return fail('conflict', `the adapter ${name} runs already: \`signalbox adapter status ${name}\` shows its process`);
  const clock = systemClock;
  const homeId = createHash('sha256')
    .update(await realpath(home))
    .digest('hex')
    .slice(0, 8);
  const status = createStatusFile(home, firstStatus(credential, clock), clock);
  const rejected = createRejectedFile(adapterRejectedPath(home, name), clock);
  const adapter = createAdapter({ ...options, clock, homeId, status, rejected, credential });
  await adapter.run();
  status.change({ state: 'stopped' });
  await status.close();
  await lock.release();
  return stop.aborted ? ok(null) : fail('internal', 'the adapter ended by itself');
}

function firstStatus({ name, entry }: AdapterCredential, clock: Clock): AdapterStatus {
  return {
    name,
    type: entry.type,
    pid: process.pid,
    start_time: startTimeOf(process.pid),
    state: 'connecting',
    broker: null,
    delivery: 'at least once',
    provenance: 'none',
    taken: 0,
    duplicates: 0,
    refused: 0,
    deferred: 0,
    waits: null,
    last_error: null,
    last_event_at: null,
    updated_at: new Date(clock.now()).toISOString(),
  };
}

interface Parts extends AdapterOptions {
  readonly clock: Clock;
  readonly homeId: string;
  readonly status: StatusFile;
  readonly rejected: RejectedFile;
  readonly credential: AdapterCredential;
}

function createAdapter(parts: Parts): { run(): Promise<void> } {
  const { home, name, stop, clock, status, say } = parts;
  let { credential } = parts;

  const noteError = (from: 'broker' | 'server' | 'message', { code, message }: Failure): void => {
    const before = status.current().last_error;
    // A retry that fails as before is not worth a line.
    if (before?.message !== message || before.from !== from) say(`${from}: ${message}`);
    status.change({ last_error: { at: new Date(clock.now()).toISOString(), from, code, message } });
  };
  const pause = (attempt: number, { code }: Failure): Promise<void> =>
    clock.sleep(retryDelayMs(attempt, code === 'unauthorized', Math.random()), stop);

  /** A server that was started again has another token, perhaps another address, perhaps another entry. */
  const readAgain = async (): Promise<'same' | 'other token' | 'other entry'> => {
    const found = await readCredential(home, name);
    if (found === null || isDeepStrictEqual(found, credential)) return 'same';
    const isOther = !isDeepStrictEqual(found.entry, credential.entry);
    credential = found;
    return isOther ? 'other entry' : 'other token';
  };

  /** Tries until the server answers. Null: the adapter stops, or its entry is another one now. */
  const publish = async (queue: Queue, events: readonly unknown[]): Promise<readonly EventAck[] | null> => {
    for (let attempt = 0; !stop.aborted; attempt += 1) {
      const answer = await postEvents(credential, events, queue.provenance, stop);
      if (answer.ok) {
        if (attempt > 0) say('server: answers again');
        status.change({ state: 'running' });
        return answer.value;
      }
      if (stop.aborted) return null;
      const found = await readAgain();
      if (found === 'other entry') return null;
      if (found === 'other token') continue;
      noteError('server', answer.error);
      status.change({ state: 'waiting' });
      await pause(attempt, answer.error);
    }
    return null;
  };

  const note = (outcome: Parameters<Parameters<typeof forwardBatch>[1]['note']>[0], { subject }: Taken): void => {
    if (outcome.kind === 'done') {
      status.count(outcome.isDuplicate ? 'duplicates' : 'taken');
      status.change({ last_event_at: new Date(clock.now()).toISOString() });
      return;
    }
    status.count(outcome.kind === 'refuse' ? 'refused' : 'deferred');
    noteError('message', { code: 'invalid_event', message: `${subject}: ${outcome.reason}` });
  };

  const watchWaits = (queue: Queue): { cancel(): void } => {
    let timer = clock.setTimer(0, look);
    let isOver = false;
    function look(): void {
      // A broker that does not say what waits is not asked twice as often.
      void queue
        .waits()
        .then(
          (waits) => status.change({ waits }),
          () => undefined,
        )
        .finally(() => {
          if (!isOver) timer = clock.setTimer(WAITS_MS, look);
        });
    }
    return {
      cancel() {
        isOver = true;
        timer.cancel();
      },
    };
  };

  /** Until the broker is lost, the adapter stops, or its entry changes. */
  const forward = async (queue: Queue): Promise<void> => {
    const { entry } = credential;
    const ports = {
      entry,
      publish: (events: readonly unknown[]) => publish(queue, events),
      rejected: parts.rejected,
      now: clock.now,
      note,
    };
    const closing = (): void => void queue.close().catch(() => undefined);
    stop.addEventListener('abort', closing);
    const waits = watchWaits(queue);
    try {
      for await (const batch of inBatches(queue.take(), BATCH)) {
        const isOn = await forwardBatch(batch, ports);
        if (!isOn) return;
      }
    } finally {
      waits.cancel();
      stop.removeEventListener('abort', closing);
      await queue.close().catch(() => undefined);
    }
  };

  const runOnce = async (): Promise<Result<null>> => {
    const opened = await openQueue(credential.entry, parts.env, parts.homeId);
    if (!opened.ok) return opened;
    const { broker, provenance, delivery } = opened.value;
    status.change({ state: 'running', broker, provenance, delivery });
    say(`broker: connected${broker === null ? '' : ` to ${broker}`}; ${delivery}`);
    try {
      await forward(opened.value);
      return ok(null);
    } catch (error) {
      return describeBrokerError(error, null);
    }
  };

  return {
    async run() {
      for (let attempt = 0; !stop.aborted; attempt += 1) {
        const startedMs = clock.monotonicMs();
        const ran = await runOnce();
        if (stop.aborted) return;
        // A broker that takes the connection and ends it at once is not asked again at once.
        if (clock.monotonicMs() - startedMs > STEADY_MS) attempt = 0;
        if (ran.ok) continue;
        noteError('broker', ran.error);
        status.change({ state: 'connecting', waits: null });
        await pause(attempt, ran.error);
        await readAgain();
      }
    },
  };
}
