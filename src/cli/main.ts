#!/usr/bin/env node
/** The `signalbox` program. */
import { printable } from '../core/text/printable.ts';
import { runProgram } from './program.ts';

/** A reader that went away (`| head`) is no error of ours, and there is nobody left to tell. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

const { env, stdin, stdout, stderr } = process;
try {
  const [, command = '', ...args] = process.argv;
  process.exitCode = await runProgram(args, { command, env, stdin, stdout, stderr });
} catch (error) {
  stderr.write(
    `signalbox: this is a bug: ${printable(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`,
  );
  process.exitCode = 1;
}
// What a command left behind (a kept-alive connection, a stopped server's timer) must not keep the process.
if (stdout.writableLength === 0) process.exit();
stdout.once('drain', () => process.exit());
