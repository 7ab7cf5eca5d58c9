/** `--thread`: which thread is meant. Never guessed: by the option, by a variable, or by the Codex whose command we are. */
import type { Command } from 'commander';
import { nonEmpty } from '../node/places.ts';

/** Ours first, which somebody set on purpose or the shared terminal did; Codex names the thread whose command runs. */
const VARIABLES = ['SIGNALBOX_THREAD', 'CODEX_THREAD_ID'] as const;

interface WithThread {
  readonly thread: string;
}

export function withThread(command: Command): Command {
  return command.option('--thread <thread>', "a thread's id, or what names its conversation (SIGNALBOX_THREAD)");
}

/** The options with the thread they mean; without one the command line is wrong. */
export function namedThread<T extends object>(
  command: Command,
  env: NodeJS.ProcessEnv,
  options: T & Partial<WithThread>,
): T & WithThread {
  // An empty one is a variable of a script that was not set: it does not mean another thread.
  const given = options.thread === undefined ? VARIABLES.map((name) => env[name]) : [options.thread];
  const named = given.map((one) => nonEmpty(one?.trim()));
  const thread = named.find((one) => one !== undefined);
  if (thread !== undefined) return { ...options, thread };
  return command.error(
    'error: --thread is needed, or SIGNALBOX_THREAD: an id or label that `signalbox events list` shows',
  );
}
