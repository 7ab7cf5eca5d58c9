/** The backends that need nothing but the system: `pipe` and `proc`. */
import { closeSync } from 'node:fs';
import { fail, ok } from '../../contract/result.ts';
import type { Clock } from '../../node/clock.ts';
import type { ShellBackend } from './ports.ts';
import { startProcess, watchForeign } from './start-process.ts';

/** stdin is ours; the process ends with us, since nobody could talk to it any more. */
export const pipeBackend: ShellBackend = {
  async start(order) {
    const fd = order.log.openForWriting();
    const started = await startProcess(order, order.command, ['pipe', order.isTalking ? 'pipe' : fd, fd]).finally(() =>
      closeSync(fd),
    );
    if (!started.ok) return started;
    const { child, identity, ended } = started.value;
    const { stdin, stdout } = child;
    if (stdin === null) return fail('internal', 'a pipe without its end');
    // The process may die between two writes; its exit says so, the broken pipe adds nothing.
    stdin.on('error', () => undefined);
    return ok({
      identity,
      ended,
      write(data) {
        stdin.write(data);
        return true;
      },
      pipe: stdout === null ? null : { stdin, stdout },
      letGo: () => undefined,
    });
  },
  adopt: async () => null,
};

/** On its own: it writes to its log by itself, and goes on when we are gone. */
export function createProcBackend(clock: Clock): ShellBackend {
  return {
    async start(order) {
      const fd = order.log.openForWriting();
      const started = await startProcess(order, order.command, ['ignore', fd, fd]).finally(() => closeSync(fd));
      if (!started.ok) return started;
      const { child, identity, ended } = started.value;
      child.unref();
      return ok({ identity, ended, write: () => false, pipe: null, letGo: () => undefined });
    },
    async adopt({ pid, start_time }) {
      if (pid === null || start_time === null) return null;
      const identity = { pid, start_time };
      const { ended, letGo } = watchForeign(identity, clock);
      return { identity, ended, write: () => false, pipe: null, letGo };
    },
  };
}
