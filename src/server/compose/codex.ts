/** The link to Codex. What Codex does is emitted on a bus that exists before the link, so that its subscribers may be built on the link. */
import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { CodexStatus } from '../../contract/ui-event.ts';
import type { CodexOperations } from '../../core/codex/operations.ts';
import type { Signal } from '../../core/codex/signal.ts';
import type { OwnFolders } from '../../core/conversations/describe-exposure.ts';
import { type Bus, createBus } from '../../node/bus.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { configFile } from '../../node/places.ts';
import type { CodexBinary } from '../codex/binary.ts';
import { createHolderLookup } from '../codex/holder.ts';
import type { CodexProcesses } from '../codex/launch.ts';
import { createOperations } from '../codex/operations.ts';
import { createProtection } from '../codex/protection.ts';
import { type CodexLink, createCodexLink } from '../codex/supervisor.ts';
import type { RawTap } from '../debug-ring.ts';
import type { Launcher } from './launch-plan.ts';

export type CodexEvent =
  | { readonly type: 'signal'; readonly signal: Signal }
  | { readonly type: 'status'; readonly status: CodexStatus }
  /** `isAdopted`: the process was already running, and may have done things we did not hear of. */
  | { readonly type: 'ready'; readonly isAdopted: boolean }
  | { readonly type: 'gone'; readonly reason: string };

export interface CodexOptions {
  readonly version: string;
  readonly binary: CodexBinary;
  readonly transport: 'unix' | 'stdio';
  readonly processes: CodexProcesses;
  readonly launcher: Launcher;
  readonly home: string;
  readonly codexHome: string;
  readonly debug: RawTap;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface CodexStack {
  readonly link: CodexLink;
  readonly codex: CodexOperations;
  readonly codexEvents: Bus<CodexEvent>;
}

export function composeCodex(options: CodexOptions): CodexStack {
  const { version, binary, transport, processes, launcher, debug, clock, log } = options;
  const codexEvents = createBus<CodexEvent>((error) => log.error({ error }, 'what Codex did was not taken in'));
  const link = createCodexLink({
    version,
    binary,
    transport,
    processes,
    plan: launcher.plan,
    isDemo: launcher.isDemo,
    clock,
    random: Math.random,
    newEpoch: () => `ep_${randomBytes(8).toString('hex')}`,
    log,
    onSignal: (signal) => codexEvents.emit({ type: 'signal', signal }),
    onStatus: (status) => codexEvents.emit({ type: 'status', status }),
    onReady: (isAdopted) => codexEvents.emit({ type: 'ready', isAdopted }),
    onGone: (reason) => codexEvents.emit({ type: 'gone', reason }),
    onRaw: debug.note,
  });
  const holderOf = createHolderLookup({ codexHome: options.codexHome, ownPid: () => link.status().pid });
  const protection = createProtection(link, ownFolders(options), () => link.status().version);
  return { link, codex: createOperations(link, protection, holderOf), codexEvents };
}

/** Without symbolic links: the sandbox protects the folder itself, and not one of its names. */
export function ownFolders({ home, codexHome }: Pick<CodexOptions, 'home' | 'codexHome'>): OwnFolders {
  return {
    home: realpathSync(home),
    codexHome: realpathSync(codexHome),
    configDir: realParent(dirname(configFile(process.env))),
  };
}

/** Also of a folder that does not exist yet. */
function realParent(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(realParent(dirname(path)), basename(path));
  }
}
