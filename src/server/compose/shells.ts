/** Framework Shells with the pty host, which is a shell and the backend of others at once. */
import type { Clock } from '../../node/clock.ts';
import type { LimitMark } from '../../node/limit-mark.ts';
import type { Logger } from '../../node/logger.ts';
import { createLazyShells, type LazyShells } from '../shells/lazy-shells.ts';
import { createHostLauncher, type HostLauncher } from '../terminal/host-launcher.ts';
import { createHostStarter } from './pty-host-shells.ts';
import { createPtyBackend } from './pty-programs.ts';

interface ShellStackOptions {
  readonly home: string;
  readonly runDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly mayCreateSecret: boolean;
  readonly limitMark: LimitMark | null;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface ShellStack {
  readonly shells: LazyShells;
  readonly hostLauncher: HostLauncher;
}

export function composeShells(options: ShellStackOptions): ShellStack {
  const { runDir, env, clock } = options;
  const shells = createLazyShells(options);
  const hostLauncher = createHostLauncher({ runDir, env, startHost: createHostStarter(shells), clock });
  shells.addPtyBackend(createPtyBackend({ launcher: hostLauncher, clock }));
  return { shells, hostLauncher };
}
