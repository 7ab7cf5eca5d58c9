/** One look at whether a shell is well: its process, its port, or what a command says. */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import type { Health } from '../../contract/shellspec.ts';
import type { Clock } from '../../node/clock.ts';
import { isSameProcess, type ProcessIdentity } from '../../node/process-identity.ts';

export interface Patient {
  readonly identity: ProcessIdentity;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export function isWell(health: Health, patient: Patient, clock: Clock): Promise<boolean> {
  switch (health.check) {
    case 'process':
      return Promise.resolve(isSameProcess(patient.identity));
    case 'port':
      return answers(Number(health.port), health.host, health.timeout_ms, clock);
    case 'command':
      return succeeds(health.command, patient, health.timeout_ms, clock);
    default:
      return health satisfies never;
  }
}

function answers(port: number, host: string, timeoutMs: number, clock: Clock): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ port, host });
    const finish = (isUp: boolean) => {
      timer.cancel();
      socket.destroy();
      done(isUp);
    };
    const timer = clock.setTimer(timeoutMs, () => finish(false));
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}

function succeeds(command: readonly string[], patient: Patient, timeoutMs: number, clock: Clock): Promise<boolean> {
  const [program = '', ...args] = command;
  return new Promise((done) => {
    const child = spawn(program, args, { cwd: patient.cwd, env: patient.env, stdio: 'ignore' });
    const timer = clock.setTimer(timeoutMs, () => child.kill('SIGKILL'));
    const finish = (isUp: boolean) => {
      timer.cancel();
      done(isUp);
    };
    child.once('error', () => finish(false));
    child.once('exit', (code) => finish(code === 0));
  });
}
