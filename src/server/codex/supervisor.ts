/** Keeps one Codex running: initialize, watch, restart with back-off, give up with a breaker; whoever asks waits meanwhile. */
import { InitializeResult } from '../../contract/codex.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { CodexStatus } from '../../contract/ui-event.ts';
import {
  describeEndOf,
  describeGivenUp,
  describePipe,
  describeRetry,
  describeSilence,
  readableLines,
} from '../../core/codex/describe-trouble.ts';
import type { Dialect } from '../../core/codex/normalize.ts';
import type { Signal } from '../../core/codex/signal.ts';
import type { Clock, Timer } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { isSameProcess } from '../../node/process-identity.ts';
import type { CodexBinary } from './binary.ts';
import type { CodexControl, CodexReplies } from './codex-control.ts';
import type { RequestOptions } from './connection.ts';
import type { CodexProcesses, LaunchPlan } from './launch.ts';
import { createCodexOpener, type Live, type Opened, SOCKET_FOLDER_TAKEN } from './open-codex.ts';

export interface CodexLink extends CodexControl, CodexReplies {
  dialect(): Dialect;
  /** Waits for a Codex that is starting; fails at once when it is stopped or given up. */
  request(method: string, params: Record<string, unknown>, options?: RequestOptions): Promise<Result<unknown>>;
}

export interface CodexLinkOptions {
  /** Of Signalbox: Codex tells it to the model's provider. */
  readonly version: string;
  readonly binary: CodexBinary;
  readonly transport: 'unix' | 'stdio';
  readonly processes: CodexProcesses;
  /** Asked at every start: a login changes it. */
  readonly plan: () => LaunchPlan;
  /** Whether the Codex of that plan talks to the demo model. */
  readonly isDemo: () => boolean;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newEpoch: () => string;
  readonly log: Logger;
  readonly onSignal: (signal: Signal) => void;
  readonly onStatus: (status: CodexStatus) => void;
  /** `isAdopted`: the process was already running, and may have done things we did not hear of. */
  readonly onReady: (isAdopted: boolean) => void;
  readonly onGone: (reason: string) => void;
  readonly onRaw: (direction: 'in' | 'out', line: string) => void;
}

/** A Codex that works answers within 100 ms; a loaded machine may take seconds. */
const INITIALIZE_TIMEOUT_MS = 10_000;
/** How long a request waits for a Codex that is started for the first time, or again after it worked. */
const FIRST_START_MS = 5_000;
/** How long a request waits for a Codex whose last start failed, or that has been starting for a while. */
const RETRY_WAIT_MS = 2_000;
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 16_000;
/** A Codex that dies this often in a minute will not get better by itself. */
const BREAKER_DEATHS = 5;
const BREAKER_WINDOW_MS = 60_000;

export function createCodexLink(options: CodexLinkOptions): CodexLink {
  const { clock, log } = options;
  let plan = options.plan();
  let transportKind = options.binary.canListen ? options.transport : 'stdio';
  let pipeCause: 'too_old' | 'folder_taken' = 'too_old';
  let phase: CodexStatus['state'] = 'stopped';
  let message: string | null = null;
  let live: Live | null = null;
  let deaths: number[] = [];
  let restartTimer: Timer | null = null;
  let isWanted = false;
  /** An attempt under way: whoever stops Codex aborts it and waits for it, or it would come up behind our back. */
  let opening: {
    readonly done: Promise<Result<null>>;
    readonly abort: AbortController;
    /** When a start that goes well is over. */
    dueMs: number;
  } | null = null;
  /** Attempts in a row that did not get Codex ready. */
  let failedStarts = 0;
  let reconnects: number[] = [];
  let version = options.binary.version;
  const waiters = new Set<() => void>();

  const status = (): CodexStatus => ({
    state: phase,
    version,
    transport: transportKind,
    epoch: live?.epoch ?? null,
    pid: live?.record?.pid ?? live?.process?.identity.pid ?? null,
    message,
    demo: options.isDemo(),
  });

  const enter = (next: CodexStatus['state'], text: string | null = null) => {
    phase = next;
    message = text;
    options.onStatus(status());
    if (next === 'ready' || next === 'failed' || next === 'stopped') {
      for (const wake of waiters) wake();
      waiters.clear();
    }
  };

  const opener = createCodexOpener({
    ...options,
    onClose: (closed, reason) => {
      if (live === closed && isWanted) void lose(closed, reason);
    },
    onProgress(text) {
      if (phase === 'starting') enter('starting', text);
    },
    onSilence(silent, method, waitedMs) {
      if (live === silent && phase === 'ready') enter('ready', describeSilence(status().pid, method, waitedMs));
    },
    onHeard(heard) {
      if (live === heard && phase === 'ready') enter('ready');
    },
  });
  const openAny = async (signal: AbortSignal): Promise<Result<Opened>> => {
    if (transportKind === 'stdio') return opener.openStdio(plan);
    const opened = await opener.openUnix(plan, signal);
    if (opened.ok || opened.error.details?.reason !== SOCKET_FOLDER_TAKEN || signal.aborted) return opened;
    // Another user can make that folder at any time; this must not keep Codex from starting.
    log.warn({ message: opened.error.message }, 'codex is run over a pipe');
    transportKind = 'stdio';
    pipeCause = 'folder_taken';
    return opener.openStdio(plan);
  };

  const open = (way: (signal: AbortSignal) => Promise<Result<Opened>>): Promise<Result<null>> => {
    const abort = new AbortController();
    const late = clock.setTimer(FIRST_START_MS, () => {
      const waited = `Codex has been starting for ${FIRST_START_MS / 1000} s and has not answered yet.`;
      if (phase === 'starting')
        enter('starting', message ?? `${waited} It is given more time, then it is started again.`);
    });
    const done = startAndInitialize(way, abort.signal).finally(() => {
      late.cancel();
      opening = null;
    });
    opening = { done, abort, dueMs: clock.monotonicMs() + FIRST_START_MS };
    return done;
  };

  const startAndInitialize = async (
    way: (signal: AbortSignal) => Promise<Result<Opened>>,
    signal: AbortSignal,
  ): Promise<Result<null>> => {
    plan = options.plan();
    enter('starting');
    const opened = await way(signal);
    if (!opened.ok) return opened;
    const { made, isAdopted } = opened.value;
    live = made;
    // What takes long is over: a Codex that works answers at once from here on.
    if (opening !== null) opening.dueMs = Math.min(opening.dueMs, clock.monotonicMs() + RETRY_WAIT_MS);
    signal.addEventListener('abort', () => made.connection.settleAll('stopped'));
    if (signal.aborted) made.connection.settleAll('stopped');
    const answer = await made.connection.request(
      'initialize',
      {
        clientInfo: { name: 'signalbox', title: 'Signalbox', version: options.version },
        capabilities: {
          experimentalApi: true,
          requestAttestation: false,
          // Every request is shown to a person, also one that only a person may answer.
          requiredHumanApproval: true,
          optOutNotificationMethods: ['remoteControl/status/changed'],
        },
      },
      { timeoutMs: INITIALIZE_TIMEOUT_MS },
    );
    const result = answer.ok ? InitializeResult.safeParse(answer.value) : null;
    if (result === null || !result.success) {
      live = null;
      const process = await opener.processOf(made);
      const words = (await process?.lastLines(3)) ?? [];
      await opener.end(made, plan);
      const why = answer.ok ? 'its answer to initialize cannot be read' : answer.error.message;
      return fail('codex_unavailable', describeEndOf(why, words));
    }
    failedStarts = 0;
    made.connection.notify('initialized');
    version = /\/(\d+\.\d+\.\d+\S*)/.exec(result.data.userAgent)?.[1] ?? version;
    log.info({ epoch: made.epoch, version, isAdopted, transport: transportKind }, 'codex is ready');
    enter('ready');
    if (transportKind !== options.transport) options.onSignal(pipeWarning(describePipe(version, pipeCause)));
    options.onReady(isAdopted);
    return ok(null);
  };

  /** The connection is gone. A process that lives (it drops slow readers) is taken up again; a dead one is mourned and replaced. */
  const lose = async (made: Live, reason: string) => {
    live = null;
    const { record } = made;
    reconnects = [...reconnects.filter((at) => clock.monotonicMs() - at < BREAKER_WINDOW_MS), clock.monotonicMs()];
    const isSteady = reconnects.length < BREAKER_DEATHS;
    // Only the same process: one that replaces it must first be known to have lost what ran in the old one.
    if (record !== null && isSameProcess(record) && isSteady) {
      const again = await open((signal) => opener.adopt(record, signal));
      if (again.ok || !isWanted) return;
    }
    const process = await opener.processOf(made);
    const exit = process?.exit() ?? reason;
    const words = readableLines((await process?.lastLines(3)) ?? []);
    if (!isSteady) await opener.end(made, plan);
    log.warn({ exit, words }, 'codex is gone');
    options.onGone(`Codex stopped (${exit}). The conversation is saved; the next message starts Codex again.`);
    die(isSteady ? exit : `it closed its connection ${reconnects.length} times within a minute`, true);
  };

  const die = (why: string, wasReady: boolean) => {
    const now = clock.monotonicMs();
    deaths = [...deaths.filter((at) => now - at < BREAKER_WINDOW_MS), now];
    if (!wasReady) failedStarts += 1;
    if (!isWanted) return;
    // Starts that take long are spread over more than a minute, so they are counted by themselves.
    const count = Math.max(deaths.length, failedStarts);
    const tries = { count, limit: BREAKER_DEATHS, wasReady, why };
    if (count >= BREAKER_DEATHS) return enter('failed', describeGivenUp(tries));
    const delayMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (count - 1));
    enter('restarting', describeRetry(tries, delayMs));
    restartTimer = clock.setTimer(delayMs, () => void attempt());
  };

  const attempt = async (): Promise<Result<null>> => {
    const opened = await open(openAny);
    if (!opened.ok && isWanted) {
      log.warn({ code: opened.error.code, message: opened.error.message }, 'codex did not start');
      die(opened.error.message, false);
    }
    return opened;
  };

  /** Long enough for a start that goes well, so that a message right after the start is sent; short when something is wrong. */
  const patienceMs = (): number => {
    if (failedStarts > 0) return RETRY_WAIT_MS;
    return Math.max(RETRY_WAIT_MS, opening === null ? FIRST_START_MS : opening.dueMs - clock.monotonicMs());
  };

  const whenReady = async (): Promise<Result<Live>> => {
    if (phase === 'starting' || phase === 'restarting') {
      await new Promise<void>((done) => {
        const wake = () => {
          timer.cancel();
          waiters.delete(wake);
          done();
        };
        const timer = clock.setTimer(patienceMs(), wake);
        waiters.add(wake);
      });
    }
    if (phase === 'ready' && live !== null) return ok(live);
    const isStarting = phase === 'starting' || phase === 'restarting';
    const what = isStarting ? 'Codex is starting: try again in a moment' : 'Codex is not running: start it first';
    return fail('codex_unavailable', message ?? what);
  };

  /** True if there was an attempt under way. */
  const abortOpening = async (): Promise<boolean> => {
    const was = opening;
    was?.abort.abort();
    await was?.done;
    return was !== null;
  };

  return {
    status,
    dialect: () => live?.connection.dialect() ?? { epoch: '', hasItems: true },
    async request(method, params, requestOptions) {
      const ready = await whenReady();
      return ready.ok ? ready.value.connection.request(method, params, requestOptions) : ready;
    },
    reply(epoch, id, body) {
      if (live === null || live.transport === null) return fail('codex_unavailable', 'Codex is not running');
      if (live.epoch !== epoch) return fail('stale', 'the Codex that asked is gone');
      live.connection.reply(id, body);
      return ok(null);
    },
    async start() {
      restartTimer?.cancel();
      if (phase === 'ready') return ok(null);
      if (phase === 'starting' && opening !== null) return opening.done;
      deaths = [];
      failedStarts = 0;
      reconnects = [];
      isWanted = true;
      return attempt();
    },
    async stop() {
      isWanted = false;
      restartTimer?.cancel();
      const wasOpening = await abortOpening();
      const was = live;
      live = null;
      was?.connection.settleAll('stopped');
      if (was !== null) await opener.end(was, plan);
      else if (wasOpening) await opener.endKnown(plan);
      if (was !== null || wasOpening) options.onGone('Codex was stopped.');
      enter('stopped');
    },
    async restart() {
      if (!isWanted) return ok(null);
      restartTimer?.cancel();
      await abortOpening();
      const was = live;
      live = null;
      enter('starting');
      if (was !== null) {
        was.connection.settleAll('it is started again');
        await opener.end(was, plan);
        options.onGone('Codex was started again.');
      }
      return attempt();
    },
    async detach() {
      isWanted = false;
      restartTimer?.cancel();
      await abortOpening();
      const was = live;
      live = null;
      was?.connection.settleAll('the server stops');
      if (was !== null && was.record === null) await opener.end(was, plan);
      else was?.transport?.close();
    },
  };
}

/** Told with each Codex process, and shown once. */
function pipeWarning(text: string): Signal {
  return { type: 'warning', threadId: null, code: 'transport', text };
}
