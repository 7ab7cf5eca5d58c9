/** `run --thread ID -- cmd…`: runs any command as it is, and tells a thread that it began and how it ended. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import type { Severity } from '../contract/external-event.ts';
import { type Failure, fail, type Result } from '../contract/result.ts';
import { printableLine } from '../core/text/printable.ts';
import { systemClock as clock } from '../node/clock.ts';
import { connect } from './client.ts';
import { pickThread } from './events.ts';
import { type Output, styled } from './output.ts';

export interface RunOptions {
  readonly thread: string;
  readonly source: string;
  readonly title?: string;
}

/** As shells say it. */
const EXIT_NOT_FOUND = 127;
const EXIT_NOT_EXECUTABLE = 126;
const SIGNAL_BASE = 128;
/** A server that is being started again is waited for; the command must not be held up for longer. */
const TELL_MS = 10_000;
const RETRY_MS = 500;
/** What another try may mend. */
const PASSING = new Set<Failure['code']>(['not_running', 'rate_limited', 'codex_unavailable']);

interface Ending {
  readonly code: number;
  readonly words: string;
}

interface Telling {
  readonly what: 'started' | 'done';
  readonly severity: Severity;
  readonly title: string;
  readonly summary: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The command's exit code is ours: what goes wrong with the telling is said on stderr, once, and neither delays nor changes anything. */
export async function runCommand(
  out: Output,
  home: string,
  argv: readonly string[],
  options: RunOptions,
): Promise<number> {
  const line = argv.join(' ');
  const name = options.title ?? printableLine(line, 80);
  const tell = createTeller(home, argv, options);
  const startedMs = clock.monotonicMs();
  const begun = tell({ what: 'started', severity: 'info', title: `${name} started`, summary: line, facts: {} });
  const ending = await perform(argv);
  const seconds = ((clock.monotonicMs() - startedMs) / 1000).toFixed(1);
  const isGood = ending.code === 0;
  const done: Telling = {
    what: 'done',
    severity: isGood ? 'info' : 'error',
    title: `${name} ${isGood ? 'passed' : 'failed'}`,
    summary: `${line}: ${ending.words} after ${seconds} s`,
    facts: { exit_code: ending.code, seconds: Number(seconds) },
  };
  const late = clock.sleep(TELL_MS).then(() => fail('not_running', 'the server does not answer'));
  const told = await Promise.race([tellAll(begun, () => tell(done)), late]);
  if (!told.ok) out.say(styled('yellow', 'signalbox: '), `the thread was not told: ${told.error.message}`);
  return ending.code;
}

/** Who was told the beginning is told the end, also by a server that was started again in between; nobody else is waited for. */
async function tellAll(
  begun: Promise<Result<unknown>>,
  tellEnd: () => Promise<Result<unknown>>,
): Promise<Result<unknown>> {
  const first = await begun;
  for (let told = await tellEnd(); ; told = await tellEnd()) {
    // An answer that was lost on its way.
    if (told.ok || told.error.code === 'duplicate_event') return first;
    if (!first.ok || !PASSING.has(told.error.code)) return told;
    await clock.sleep(RETRY_MS);
  }
}

function createTeller(home: string, argv: readonly string[], options: RunOptions) {
  const runId = `run_${randomUUID()}`;
  return async ({ what, severity, title, summary, facts }: Telling): Promise<Result<unknown>> => {
    const client = connect(home);
    const thread = client.ok ? await pickThread(client.value, options.thread) : client;
    if (!client.ok || !thread.ok) return thread;
    return client.value.call('publishEvent', {
      schema_version: 1,
      event_id: `${runId}_${what}`,
      time_unix_ms: clock.now(),
      type: 'build.status',
      severity,
      source: { name: options.source, run_id: runId },
      routing: { thread_id: thread.value, correlation_id: runId },
      title,
      summary,
      payload: {
        command: argv,
        cwd: process.cwd(),
        status: what === 'started' ? 'started' : 'completed',
        ...facts,
      },
    });
  };
}

/** A terminal sends these to the command by itself; twice would be once too often. We stay to tell how it ended. */
const OF_TERMINAL: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];
const PASSED_ON: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP'];

function perform(argv: readonly string[]): Promise<Ending> {
  const [command = '', ...args] = argv;
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: 'inherit' });
    const isInTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY === true);
    const pass = (signal: NodeJS.Signals) => void child.kill(signal);
    const ignore = () => undefined;
    const heard = [...PASSED_ON, ...OF_TERMINAL].map((signal) => {
      const listener = isInTerminal && OF_TERMINAL.includes(signal) ? ignore : pass;
      process.on(signal, listener);
      return () => process.off(signal, listener);
    });
    const finish = (ending: Ending) => {
      for (const stop of heard) stop();
      done(ending);
    };
    child.once('error', (error: NodeJS.ErrnoException) => {
      const code = error.code === 'ENOENT' ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
      process.stderr.write(`signalbox: ${command}: ${error.code === 'ENOENT' ? 'command not found' : error.message}\n`);
      finish({ code, words: 'could not be started' });
    });
    child.once('exit', (code, signal) => {
      if (signal !== null) finish({ code: SIGNAL_BASE + constants.signals[signal], words: `ended by ${signal}` });
      else finish({ code: code ?? 1, words: code === 0 ? 'succeeded' : `failed with exit code ${code}` });
    });
  });
}
