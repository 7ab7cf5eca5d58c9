/** The pty host as a shell: started from `shellspec/pty-host.yaml` by Framework Shells. */
import { resolve } from 'node:path';
import { fail, ok } from '../../contract/result.ts';
import { isSameProcess } from '../../node/process-identity.ts';
import type { LazyShells } from '../shells/lazy-shells.ts';
import type { StartHost } from '../terminal/host-launcher.ts';

/** Beside the bundled command, and beside the sources. */
const SPEC_FILE = resolve(import.meta.dirname, '../../shellspec/pty-host.yaml');
/** Of the bundled command. */
const PROGRAM = resolve(import.meta.dirname, 'pty-host.js');
const TAIL_BYTES = 16 * 1024;

export function createHostStarter(lazy: LazyShells): StartHost {
  return async ({ socket, recordPath, keyPath, env }) => {
    const shells = await lazy.open();
    if (!shells.ok) return shells;
    const up = await shells.value.up({
      file: SPEC_FILE,
      shell: 'pty_host',
      ctx: { NODE: process.execPath, PROGRAM, SOCKET: socket, RECORD: recordPath, KEY: keyPath },
      extras: { env, isTalking: false },
      isOwn: true,
      // Terminals are people's own: what they start in them is not ours to find and end.
      isMarked: false,
    });
    if (!up.ok) return up;
    const shell = up.value[0]?.shell;
    if (shell === undefined) return fail('internal', 'the pty host is not in its shellspec');
    const { pid, start_time } = shell.record();
    return ok({
      isRunning: () => pid !== null && start_time !== null && isSameProcess({ pid, start_time }),
      end: () => shell.stop(),
      async lastLines(count) {
        const { log_start } = shell.record();
        const page = await shell.log.read(log_start, TAIL_BYTES);
        return page.text.trim().split('\n').slice(-count);
      },
    });
  };
}
