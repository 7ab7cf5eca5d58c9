/** One Codex and our connection to it: adopted or started, over a socket or a pipe, and ended again. */
import { existsSync } from 'node:fs';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { CodexRecord } from '../../contract/run-files.ts';
import type { Signal } from '../../core/codex/signal.ts';
import type { Clock } from '../../node/clock.ts';
import { isSameProcess, terminate } from '../../node/process-identity.ts';
import { type Connection, createConnection } from './connection.ts';
import {
  type CodexProcess,
  type CodexProcesses,
  forgetCodex,
  freshSocket,
  type LaunchPlan,
  launchKey,
  readCodexRecord,
  rememberCodex,
} from './launch.ts';
import { attachStdio } from './stdio.ts';
import type { Transport } from './transport.ts';
import { connectUnix } from './unix.ts';

export interface OpenerOptions {
  readonly processes: CodexProcesses;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newEpoch: () => string;
  readonly onSignal: (signal: Signal) => void;
  readonly onRaw: (direction: 'in' | 'out', line: string) => void;
  /** The connection has gone, by whosever will. */
  readonly onClose: (live: Live, reason: string) => void;
}

export interface Live {
  readonly epoch: string;
  readonly connection: Connection;
  transport: Transport | null;
  record: CodexRecord | null;
  process: CodexProcess | null;
}

export interface Opened {
  readonly made: Live;
  readonly isAdopted: boolean;
}

export interface CodexOpener {
  /** The one that runs, when it was started by this plan; else a new one, after the end of any other. */
  openUnix(plan: LaunchPlan): Promise<Result<Opened>>;
  openStdio(plan: LaunchPlan): Promise<Result<Opened>>;
  /** The connection comes first: what Framework Shells knows of the process is asked when it is needed. */
  adopt(known: CodexRecord): Promise<Result<Opened>>;
  /** Null when nobody knows more of it than its record. */
  processOf(live: Live): Promise<CodexProcess | null>;
  end(live: Live, plan: LaunchPlan): Promise<void>;
}

/** For its socket to be there. */
const CONNECT_TIMEOUT_MS = 15_000;
/** Cheap while the socket file is not there, and everything waits for it. */
const CONNECT_RETRY_MS = 3;
const STOP_GRACE_MS = 1_500;

export function createCodexOpener(options: OpenerOptions): CodexOpener {
  const { clock } = options;

  const createLive = (epoch: string): Live => {
    const made: Live = {
      epoch,
      transport: null,
      record: null,
      process: null,
      connection: createConnection({
        transport: () => made.transport,
        epoch,
        clock,
        random: options.random,
        onSignal: options.onSignal,
        onRaw: options.onRaw,
      }),
    };
    return made;
  };

  const eventsOf = (made: Live) => ({
    onLine: made.connection.receive,
    onClose: (reason: string) => {
      made.transport = null;
      made.connection.settleAll(reason);
      options.onClose(made, reason);
    },
  });

  /** The socket appears a moment after the process. */
  const connectWhenUp = async (made: Live, record: CodexRecord): Promise<Result<Transport>> => {
    const deadline = clock.monotonicMs() + CONNECT_TIMEOUT_MS;
    // The first try is in vain, and loads what the next one needs while Codex starts.
    let connected = await connectUnix(record.socket, eventsOf(made));
    while (!connected.ok && clock.monotonicMs() < deadline && isSameProcess(record)) {
      await clock.sleep(CONNECT_RETRY_MS);
      // Trying costs far more than looking, and Codex needs the processor now.
      if (existsSync(record.socket)) connected = await connectUnix(record.socket, eventsOf(made));
    }
    return connected;
  };

  const adopt = async (known: CodexRecord): Promise<Result<Opened>> => {
    const made = createLive(known.epoch);
    made.record = known;
    const connected = await connectUnix(known.socket, eventsOf(made));
    if (!connected.ok) return connected;
    made.transport = connected.value;
    return ok({ made, isAdopted: true });
  };

  const launch = async (plan: LaunchPlan): Promise<Result<Opened>> => {
    const made = createLive(options.newEpoch());
    const socket = await freshSocket(plan.runDir);
    const started = await options.processes.start(plan, { socket });
    if (!started.ok) return fail('codex_unavailable', started.error.message);
    const process = started.value;
    const record = await rememberCodex(plan, { ...process.identity, epoch: made.epoch, socket });
    made.record = record;
    made.process = process;
    const connected = await connectWhenUp(made, record);
    if (!connected.ok) {
      await process.end();
      const words = (await process.lastLines(5)).join('\n') || connected.error.message;
      return fail('codex_unavailable', `Codex did not start: ${words}`);
    }
    made.transport = connected.value;
    return ok({ made, isAdopted: false });
  };

  const openUnix = async (plan: LaunchPlan): Promise<Result<Opened>> => {
    const known = readCodexRecord(plan.runDir);
    if (known !== null && known.launch === launchKey(plan)) {
      const adopted = await adopt(known);
      if (adopted.ok) return adopted;
    }
    await (await options.processes.running())?.end();
    // One that Framework Shells does not know: its records were lost, or have another secret.
    if (known !== null) await terminate(known.pid, { start_time: known.start_time, graceMs: STOP_GRACE_MS });
    return launch(plan);
  };

  const openStdio = async (plan: LaunchPlan): Promise<Result<Opened>> => {
    const made = createLive(options.newEpoch());
    const started = await options.processes.start(plan, 'pipe');
    if (!started.ok) return fail('codex_unavailable', started.error.message);
    const { pipe } = started.value;
    if (pipe === null) return fail('codex_unavailable', 'Codex was started without a pipe');
    made.process = started.value;
    made.transport = attachStdio(pipe, eventsOf(made));
    return ok({ made, isAdopted: false });
  };

  const processOf = async (made: Live): Promise<CodexProcess | null> => {
    if (made.process !== null || made.record === null) return made.process;
    const running = await options.processes.running();
    return running?.identity.pid === made.record.pid ? running : null;
  };

  const end = async (made: Live, plan: LaunchPlan) => {
    const { record } = made;
    made.transport?.close();
    made.transport = null;
    const process = await processOf(made);
    await process?.end();
    if (record === null) return;
    if (process === null) await terminate(record.pid, { start_time: record.start_time, graceMs: STOP_GRACE_MS });
    await forgetCodex(plan.runDir);
  };

  return { openUnix, openStdio, adopt, processOf, end };
}
