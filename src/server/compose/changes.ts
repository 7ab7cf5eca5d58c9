/** Checkpoints and undo, tied to the conversations whose files they keep. */
import { join } from 'node:path';
import type { Clock } from '../../node/clock.ts';
import { createGit } from '../../node/git.ts';
import type { Logger } from '../../node/logger.ts';
import { type Changes, createChanges } from '../changes/changes.ts';
import type { LifecycleBus } from '../conversations/lifecycle-bus.ts';
import type { Registry } from '../conversations/registry.ts';
import { killPointOf } from './kill-point.ts';

interface ChangesOptions {
  readonly home: string;
  readonly registry: Registry;
  readonly lifecycle: LifecycleBus;
  readonly clock: Clock;
  readonly log: Logger;
}

export async function composeChanges({ home, registry, lifecycle, clock, log }: ChangesOptions): Promise<Changes> {
  const at = killPointOf(process.env.SIGNALBOX_KILL_AT);
  const changes = await createChanges({
    folder: join(home, 'changes'),
    git: createGit(process.env),
    cwdOf: (id) => registry.metaOf(id)?.cwd ?? null,
    isBusy: (id) => (registry.peek(id)?.session.state().turn ?? null) !== null,
    at: (point) => at('after', point),
    clock,
    log,
  });
  lifecycle.subscribe((id, event) => changes.note(id, event));
  return changes;
}
