/** Codex as a shell: started from `shellspec/app-server.yaml`, ended and found again by Framework Shells. */
import { resolve } from 'node:path';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { CodexControl } from '../codex/codex-control.ts';
import { argsOf, type CodexProcess, type CodexProcesses, codexEnvironment } from '../codex/launch.ts';
import type { LazyShells } from '../shells/lazy-shells.ts';
import type { Shell } from '../shells/shell.ts';
import { describeEnd } from '../shells/start-process.ts';

/** Beside the bundled command, and beside the sources. */
const SPEC_FILE = resolve(import.meta.dirname, '../../shellspec/app-server.yaml');
const refOf = (name: string): string => `${SPEC_FILE}#${name}`;
const LISTENING = 'app_server';
const PIPED = 'app_server_stdio';
/** What a failed Codex prints after the words that say why. */
const BACKTRACE = /^(Stack backtrace:|\s*\d+: )/;
/** Enough for the last words of any Codex. */
const TAIL_BYTES = 64 * 1024;

export interface CodexShells extends CodexProcesses {
  /** The shell that Codex last ran in; null before its first start. */
  shellId(): string | null;
}

export function createCodexProcesses(lazy: LazyShells): CodexShells {
  let shellId: string | null = null;
  const noted = (shell: Shell | undefined): CodexProcess | null => {
    if (shell === undefined) return null;
    shellId = shell.id;
    return processOf(shell);
  };
  return {
    shellId: () => shellId,
    async start(plan, way) {
      const shells = await lazy.open();
      if (!shells.ok) return shells;
      const up = await shells.value.up({
        file: SPEC_FILE,
        shell: way === 'pipe' ? PIPED : LISTENING,
        cwd: plan.codexHome,
        ctx: {
          CODEX: plan.binary,
          CODEX_HOME: plan.codexHome,
          ARGS: argsOf(plan),
          ...(way !== 'pipe' && { SOCKET: way.socket }),
        },
        extras: { env: codexEnvironment(plan), isTalking: way === 'pipe' },
        isOwn: true,
        // Nothing of ours goes into the agent's environment but the token of its tools.
        isMarked: false,
      });
      if (!up.ok) return up;
      const shell = up.value[0]?.shell;
      const process = noted(shell);
      return process === null ? notStarted(shell) : ok(process);
    },
    async running() {
      const shells = await lazy.open();
      if (!shells.ok) return null;
      return noted(shells.value.findByRef(refOf(LISTENING)));
    },
  };
}

/** A person who ends Codex from the list of shells does what the Stop and Start of the server do. */
export async function ownCodex(
  lazy: LazyShells,
  link: Pick<CodexControl, 'stop' | 'restart' | 'start' | 'status'>,
): Promise<void> {
  const shells = await lazy.open();
  if (!shells.ok) return;
  const restart = () => (['stopped', 'failed'].includes(link.status().state) ? link.start() : link.restart());
  for (const name of [LISTENING, PIPED]) shells.value.own(refOf(name), { stop: link.stop, restart });
}

async function notStarted(shell: Shell | undefined): Promise<Result<never>> {
  return fail('codex_unavailable', `Codex did not start: ${shell?.record().exit?.reason ?? 'it ended at once'}`);
}

function processOf(shell: Shell): CodexProcess | null {
  const { pid, start_time, log_start } = shell.record();
  if (pid === null || start_time === null) return null;
  let exit: string | null = null;
  const ended = shell.ended().then((how) => {
    const text = how === null ? 'ended' : describeEnd(how);
    exit = text;
    return text;
  });
  const pipe = shell.pipe();
  return {
    identity: { pid, start_time },
    exit: () => exit,
    end: () => shell.stop(),
    async lastLines(count) {
      const page = await shell.log.tail(count, TAIL_BYTES);
      const text = page.offset >= log_start ? page.text : (await shell.log.read(log_start, TAIL_BYTES)).text;
      const lines = text
        .replace(/\x1b\[[0-9;]*m/g, '')
        .trim()
        .split('\n');
      return lines.filter((line) => line !== '' && !BACKTRACE.test(line)).slice(-count);
    },
    pipe: pipe === null ? null : { ...pipe, ended },
  };
}
