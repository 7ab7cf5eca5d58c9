/** `run --thread ID -- cmd…`: runs any command as it is, and tells a thread that it began and how it ended. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import type { Severity } from '../contract/external-event.ts';
import { systemClock as clock } from '../node/clock.ts';
import { connect } from './client.ts';
import { pickThread } from './events.ts';
import { type Output, styled } from './output.ts';
import { printableLine } from './printable.ts';

export interface RunOptions {
  readonly thread: string;
  readonly source: string;
  readonly title?: string;
}

/** As shells say it. */
const EXIT_NOT_FOUND = 127;
const EXIT_NOT_EXECUTABLE = 126;
const SIGNAL_BASE = 128;

interface Ending {
  readonly code: number;
  readonly words: string;
}

/** The command's exit code is ours: what goes wrong with the telling is said on stderr and changes nothing. */
export async function runCommand(
  out: Output,
  home: string,
  argv: readonly string[],
  options: RunOptions,
): Promise<number> {
  const line = argv.join(' ');
  const name = options.title ?? printableLine(line, 80);
  const runId = `run_${randomUUID()}`;
  const client = connect(home);
  const thread = client.ok ? await pickThread(client.value, options.thread) : client;
  const tell = async (what: 'started' | 'done', severity: Severity, title: string, summary: string, more: object) => {
    const told =
      client.ok && thread.ok
        ? await client.value.call('publishEvent', {
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
              ...more,
            },
          })
        : thread;
    if (!told.ok) out.say(styled('yellow', 'signalbox: '), `the thread was not told: ${told.error.message}`);
  };

  const startedMs = clock.monotonicMs();
  const started = tell('started', 'info', `${name} started`, line, {});
  const ending = await perform(argv);
  await started;
  const seconds = ((clock.monotonicMs() - startedMs) / 1000).toFixed(1);
  const isGood = ending.code === 0;
  const summary = `${line}: ${ending.words} after ${seconds} s`;
  const result = { exit_code: ending.code, seconds: Number(seconds) };
  await tell('done', isGood ? 'info' : 'error', `${name} ${isGood ? 'passed' : 'failed'}`, summary, result);
  return ending.code;
}

function perform(argv: readonly string[]): Promise<Ending> {
  const [command = '', ...args] = argv;
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: 'inherit' });
    // Ctrl-C reaches the command by itself; we stay to tell how it ended.
    const pass = (signal: NodeJS.Signals) => void child.kill(signal);
    const ignore = () => undefined;
    process.on('SIGINT', ignore);
    process.on('SIGTERM', pass);
    process.on('SIGHUP', pass);
    const finish = (ending: Ending) => {
      process.off('SIGINT', ignore);
      process.off('SIGTERM', pass);
      process.off('SIGHUP', pass);
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
