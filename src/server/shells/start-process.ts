/** Starting a process in a session of its own, with failures that say what is missing; and watching one that is not our child. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { constants as osConstants } from 'node:os';
import { fail, ok, type Result } from '../../contract/result.ts';
import { errorCode } from '../../node/atomic-file.ts';
import type { Clock } from '../../node/clock.ts';
import { isSameProcess, type ProcessIdentity, startTimeOf } from '../../node/process-identity.ts';
import type { Ended, StartOrder } from './ports.ts';

export interface StartedProcess {
  readonly child: ChildProcess;
  readonly identity: ProcessIdentity;
  readonly ended: Promise<Ended>;
}

/** A process nobody waits for can only be looked at; its end shows within this time. */
const LOOK_MS = 250;

export async function startProcess(
  order: Pick<StartOrder, 'cwd' | 'env'>,
  command: readonly string[],
  stdio: StdioOptions,
): Promise<Result<StartedProcess>> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd: order.cwd, env: order.env, detached: true, stdio });
  const ended = new Promise<Ended>((done) => child.once('exit', (code, signal) => done({ code, signal })));
  const failure = await new Promise<unknown>((done) => {
    child.once('spawn', () => done(null));
    child.once('error', done);
  });
  if (failure !== null) return explain(program, failure);
  child.on('error', () => undefined);
  const pid = child.pid ?? 0;
  // One that has ended already has no start time any more; its exit is on its way.
  return ok({ child, identity: { pid, start_time: startTimeOf(pid) ?? '' }, ended });
}

function explain(program: string, cause: unknown): Result<never> {
  const code = errorCode(cause);
  const details = { program, cause: code };
  if (code === 'ENOENT')
    return fail('not_found', `the program ${program} is not there: install it, or correct \`command\``, details);
  if (code === 'EACCES') return fail('forbidden', `${program} may not be run: is it executable?`, details);
  if (code === 'E2BIG') return fail('too_large', `the command and environment of ${program} are too long`, details);
  return fail('internal', `${program} was not started: ${cause instanceof Error ? cause.message : code}`, details);
}

/** Resolves when the process is gone, without saying how: only its parent is told. */
export function watchForeign(
  identity: ProcessIdentity,
  clock: Clock,
): { readonly ended: Promise<Ended>; letGo(): void } {
  const stop = new AbortController();
  const ended = (async (): Promise<Ended> => {
    while (isSameProcess(identity)) {
      await clock.sleep(LOOK_MS, stop.signal);
      if (stop.signal.aborted) return new Promise<Ended>(() => undefined);
    }
    return { code: null, signal: null };
  })();
  return { ended, letGo: () => stop.abort() };
}

/** `exit 1`, `killed by SIGKILL`, or that nobody saw it. */
export function describeEnd({ code, signal }: Ended): string {
  if (signal !== null) return `killed by ${signal}`;
  if (code === null) return 'ended; how is not known, since it was not our child';
  const viaShell = Object.entries(osConstants.signals).find(([, number]) => code === 128 + number)?.[0];
  return viaShell === undefined ? `exit ${code}` : `exit ${code} (${viaShell})`;
}
