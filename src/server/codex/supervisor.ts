/** Keeps one Codex running: initialize, watch, restart with back-off, give up with a breaker; whoever asks waits meanwhile. */
import { InitializeResult } from '../../contract/codex.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { CodexStatus } from '../../contract/ui-event.ts';
import type { Dialect } from '../../core/codex/normalize.ts';
import type { Signal } from '../../core/codex/signal.ts';
import type { Clock, Timer } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { isSameProcess } from '../../node/process-identity.ts';
import type { CodexBinary } from './binary.ts';
import type { CodexControl, CodexReplies } from './codex-control.ts';
import type { RequestOptions } from './connection.ts';
import type { CodexProcesses, LaunchPlan } from './launch.ts';
import { createCodexOpener, type Live, type Opened } from './open-codex.ts';

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

const INITIALIZE_TIMEOUT_MS = 15_000;
const READY_TIMEOUT_MS = 20_000;
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 16_000;
/** A Codex that dies this often in a minute will not get better by itself. */
const BREAKER_DEATHS = 5;
const BREAKER_WINDOW_MS = 60_000;

export function createCodexLink(options: CodexLinkOptions): CodexLink {
  const { clock, log } = options;
  let plan = options.plan();
  const transportKind = options.binary.canListen ? options.transport : 'stdio';
  let phase: CodexStatus['state'] = 'stopped';
  let message: string | null = null;
  let live: Live | null = null;
  let deaths: number[] = [];
  let restartTimer: Timer | null = null;
  let isWanted = false;
  /** An attempt under way: whoever stops Codex must wait for it, or it would come up behind our back. */
  let opening: Promise<unknown> | null = null;
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
  });
  const openAny = () => (transportKind === 'unix' ? opener.openUnix(plan) : opener.openStdio(plan));

  const open = (way: () => Promise<Result<Opened>>): Promise<Result<null>> => {
    const attempted = startAndInitialize(way).finally(() => {
      opening = null;
    });
    opening = attempted;
    return attempted;
  };

  const startAndInitialize = async (way: () => Promise<Result<Opened>>): Promise<Result<null>> => {
    plan = options.plan();
    enter('starting');
    const opened = await way();
    if (!opened.ok) return opened;
    const { made, isAdopted } = opened.value;
    live = made;
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
      await opener.end(made, plan);
      return answer.ok ? fail('codex_unavailable', 'Codex gave an unreadable answer to initialize') : answer;
    }
    made.connection.notify('initialized');
    version = /\/(\d+\.\d+\.\d+\S*)/.exec(result.data.userAgent)?.[1] ?? version;
    log.info({ epoch: made.epoch, version, isAdopted, transport: transportKind }, 'codex is ready');
    enter('ready');
    options.onReady(isAdopted);
    return ok(null);
  };

  /** The connection is gone. A process that lives (it drops slow readers) is taken up again; a dead one is mourned and replaced. */
  const lose = async (made: Live, reason: string) => {
    live = null;
    const { record } = made;
    // Only the same process: one that replaces it must first be known to have lost what ran in the old one.
    if (record !== null && isSameProcess(record)) {
      const again = await open(() => opener.adopt(record));
      if (again.ok) return;
    }
    const process = await opener.processOf(made);
    const exit = process?.exit() ?? reason;
    const words = (await process?.lastLines(3)) ?? [];
    log.warn({ exit, words }, 'codex is gone');
    options.onGone(`Codex stopped (${exit}). The conversation is saved; the next message starts Codex again.`);
    die(exit);
  };

  const die = (why: string) => {
    const now = clock.monotonicMs();
    deaths = [...deaths.filter((at) => now - at < BREAKER_WINDOW_MS), now];
    if (!isWanted) return;
    if (deaths.length >= BREAKER_DEATHS) {
      enter(
        'failed',
        `Codex stopped ${deaths.length} times within a minute (last: ${why}). Start it again when the cause is mended.`,
      );
      return;
    }
    const delayMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (deaths.length - 1));
    enter('restarting', `Codex stopped (${why}). Restarting in ${delayMs / 1000} s.`);
    restartTimer = clock.setTimer(delayMs, () => void attempt());
  };

  const attempt = async (): Promise<Result<null>> => {
    const opened = await open(openAny);
    if (!opened.ok && isWanted) {
      log.warn({ code: opened.error.code, message: opened.error.message }, 'codex did not start');
      die(opened.error.message);
    }
    return opened;
  };

  const whenReady = async (): Promise<Result<Live>> => {
    if (phase === 'starting' || phase === 'restarting') {
      await new Promise<void>((done) => {
        const timer = clock.setTimer(READY_TIMEOUT_MS, done);
        waiters.add(() => {
          timer.cancel();
          done();
        });
      });
    }
    if (phase === 'ready' && live !== null) return ok(live);
    return fail('codex_unavailable', message ?? 'Codex is not running: start it first');
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
      if (phase === 'starting') {
        const ready = await whenReady();
        return ready.ok ? ok(null) : ready;
      }
      deaths = [];
      isWanted = true;
      return attempt();
    },
    async stop() {
      isWanted = false;
      restartTimer?.cancel();
      await opening;
      const was = live;
      live = null;
      if (was !== null) {
        was.connection.settleAll('stopped');
        await opener.end(was, plan);
        options.onGone('Codex was stopped.');
      }
      enter('stopped');
    },
    async restart() {
      if (!isWanted) return ok(null);
      restartTimer?.cancel();
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
      await opening;
      const was = live;
      live = null;
      was?.connection.settleAll('the server stops');
      if (was !== null && was.record === null) await opener.end(was, plan);
      else was?.transport?.close();
    },
  };
}
