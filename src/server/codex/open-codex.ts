/** One Codex and our connection to it: adopted or started, over a socket or a pipe, and ended again. */
import { existsSync } from 'node:fs';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { CodexRecord } from '../../contract/run-files.ts';
import { describeEndOf, describeReplaced, isSocketFolderTaken } from '../../core/codex/describe-trouble.ts';
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
  /** What takes long while Codex is opened, in words for a person. */
  readonly onProgress: (text: string) => void;
  readonly onSilence: (live: Live, method: string, waitedMs: number) => void;
  readonly onHeard: (live: Live) => void;
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
  openUnix(plan: LaunchPlan, signal: AbortSignal): Promise<Result<Opened>>;
  openStdio(plan: LaunchPlan): Promise<Result<Opened>>;
  /** The connection comes first: what Framework Shells knows of the process is asked when it is needed. */
  adopt(known: CodexRecord, signal: AbortSignal): Promise<Result<Opened>>;
  /** Null when nobody knows more of it than its record. */
  processOf(live: Live): Promise<CodexProcess | null>;
  end(live: Live, plan: LaunchPlan): Promise<void>;
  /** Ends the Codex that the record names, if it still runs; for one that we never got a connection to. */
  endKnown(plan: LaunchPlan): Promise<void>;
}

/** For its socket to be there and to answer. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Cheap while the socket file is not there, and everything waits for it. */
const CONNECT_RETRY_MS = 3;
/** A socket that was there and refused us: it may be about to listen, or something else answers there. */
const REFUSED_RETRY_MS = 100;
const STOP_GRACE_MS = 1_500;
/** Codex prints a stack of a dozen lines behind its error. */
const LAST_LINES = 40;
/** What a banner can hold. */
const SHOWN_LINES = 5;
/** In `details.reason` of a failed start. */
export const SOCKET_FOLDER_TAKEN = 'socket_folder_taken';

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
        onSilence: (method, waitedMs) => options.onSilence(made, method, waitedMs),
        onHeard: () => options.onHeard(made),
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
  const connectWhenUp = async (made: Live, record: CodexRecord, signal: AbortSignal): Promise<Result<Transport>> => {
    const deadline = clock.monotonicMs() + CONNECT_TIMEOUT_MS;
    const how = { clock, signal };
    let hadSocket = false;
    // The first try is in vain, and loads what the next one needs while Codex starts.
    let connected = await connectUnix(record.socket, eventsOf(made), how);
    while (!connected.ok && !signal.aborted && clock.monotonicMs() < deadline && isSameProcess(record)) {
      await clock.sleep(hadSocket ? REFUSED_RETRY_MS : CONNECT_RETRY_MS, signal);
      // Trying costs far more than looking, and Codex needs the processor now.
      if (!existsSync(record.socket)) continue;
      hadSocket = true;
      connected = await connectUnix(record.socket, eventsOf(made), how);
    }
    if (connected.ok || hadSocket) return connected;
    const waited = `${CONNECT_TIMEOUT_MS / 1000} s`;
    return fail(
      'codex_unavailable',
      isSameProcess(record) ? `it opened no socket within ${waited}` : 'it ended at once',
    );
  };

  const adopt = async (known: CodexRecord, signal: AbortSignal): Promise<Result<Opened>> => {
    const made = createLive(known.epoch);
    made.record = known;
    const connected = await connectUnix(known.socket, eventsOf(made), { clock, signal });
    if (!connected.ok) return connected;
    made.transport = connected.value;
    return ok({ made, isAdopted: true });
  };

  const launch = async (plan: LaunchPlan, signal: AbortSignal): Promise<Result<Opened>> => {
    const made = createLive(options.newEpoch());
    const socket = await freshSocket(plan.runDir);
    const started = await options.processes.start(plan, { socket });
    if (!started.ok) return fail('codex_unavailable', started.error.message);
    const process = started.value;
    const record = await rememberCodex(plan, { ...process.identity, epoch: made.epoch, socket });
    made.record = record;
    made.process = process;
    const connected = await connectWhenUp(made, record, signal);
    if (!connected.ok) {
      // Looked at before we end it: then the exit is of its own making.
      const hasEnded = !isSameProcess(record);
      await process.end();
      const why = (hasEnded ? process.exit() : null) ?? connected.error.message;
      const lines = await process.lastLines(LAST_LINES);
      const details = isSocketFolderTaken(lines) ? { reason: SOCKET_FOLDER_TAKEN } : undefined;
      return fail('codex_unavailable', describeEndOf(why, lines.slice(-SHOWN_LINES)), details);
    }
    made.transport = connected.value;
    return ok({ made, isAdopted: false });
  };

  const openUnix = async (plan: LaunchPlan, signal: AbortSignal): Promise<Result<Opened>> => {
    const known = readCodexRecord(plan.runDir);
    if (known !== null && known.launch === launchKey(plan)) {
      const adopted = await adopt(known, signal);
      if (adopted.ok) return adopted;
      if (signal.aborted) return fail('codex_unavailable', 'Codex was stopped while it started');
      options.onProgress(describeReplaced(known.pid, adopted.error.message));
    }
    await (await options.processes.running())?.end();
    // One that Framework Shells does not know: its records were lost, or have another secret.
    if (known !== null) await terminate(known.pid, { start_time: known.start_time, graceMs: STOP_GRACE_MS });
    return launch(plan, signal);
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

  const endKnown = async (plan: LaunchPlan) => {
    const record = readCodexRecord(plan.runDir);
    if (record === null) return;
    const known = createLive(record.epoch);
    known.record = record;
    await end(known, plan);
  };

  return { openUnix, openStdio, adopt, processOf, end, endKnown };
}
