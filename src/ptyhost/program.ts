/** A program of Framework Shells in a PTY: its bytes go to its log and nowhere else. No marks, no blocks, no screen. */
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import type { HostProgram, HostRequest, RunProgram } from '../contract/pty-host.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { startTimeOf } from '../node/process-identity.ts';
import { inputDropped, type Pty, spawnPty } from './pty.ts';
import { closing } from './shell-start.ts';

export interface HostedProgram {
  readonly facts: HostProgram;
  act(request: HostRequest): Result<null>;
}

const LOG_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;

export function openProgram(
  request: RunProgram,
  onExit: (exitCode: number | null, signal: string | null) => void,
): HostedProgram {
  const [file = '', ...args] = request.command;
  // Appending: the server rotates the log by punching holes into it, which such a writer does not notice.
  const log = openSync(request.log, LOG_FLAGS, 0o600);
  let pty: Pty;
  try {
    pty = spawnPty({
      command: closing([file, ...args]),
      cwd: request.cwd,
      env: { ...request.env, PWD: request.cwd },
      cols: request.cols,
      rows: request.rows,
      onBytes: (bytes) => append(log, bytes),
      onExit(exitCode, signal) {
        closeSync(log);
        onExit(exitCode, signal);
      },
    });
  } catch (error) {
    closeSync(log);
    throw error;
  }
  return {
    // One that has ended already has no start time any more; its exit is on its way.
    facts: { key: request.key, pid: pty.pid, start_time: startTimeOf(pty.pid) ?? '' },
    act(asked) {
      if (asked.do === 'input') return pty.write(asked.data) ? ok(null) : inputDropped();
      if (asked.do === 'resize') pty.resize(asked.cols, asked.rows);
      else return fail('invalid_request', 'this is a program with a log, not a terminal with blocks');
      return ok(null);
    },
  };
}

/** A full disk costs the log some bytes; the program must not stand still for it. */
function append(fd: number, bytes: Buffer): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
  } catch {
    // Nobody could be told but through the same disk.
  }
}
