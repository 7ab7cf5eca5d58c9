/** Checkpoints, undo and linked work trees, tied to the conversations whose files they keep. */
import { join } from 'node:path';
import type { ConversationId } from '../../contract/ids.ts';
import type { Clock } from '../../node/clock.ts';
import { createGit } from '../../node/git.ts';
import type { Logger } from '../../node/logger.ts';
import { type Changes, createChanges } from '../changes/changes.ts';
import { createWorktrees, type Worktrees } from '../changes/worktrees.ts';
import type { LifecycleBus } from '../conversations/lifecycle-bus.ts';
import type { Registry } from '../conversations/registry.ts';
import type { Hub } from '../hub/hub.ts';
import { killPointOf } from './kill-point.ts';

interface ChangesOptions {
  readonly home: string;
  readonly ownFolders: readonly string[];
  readonly registry: Registry;
  readonly lifecycle: LifecycleBus;
  readonly hub: Pick<Hub, 'publish'>;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface ChangesStack {
  readonly changes: Changes;
  readonly worktrees: Worktrees;
}

export async function composeChanges(options: ChangesOptions): Promise<ChangesStack> {
  const { home, ownFolders, registry, lifecycle, hub, clock, log } = options;
  const at = killPointOf(process.env.SIGNALBOX_KILL_AT);
  const tell = (id: ConversationId, of: 'checkpoints' | 'files') => {
    const after = registry.peek(id)?.session.publishedSeq();
    // A conversation that a page follows is loaded.
    if (after !== undefined) hub.publish(id, { type: 'changes', conversation_id: id, after, of });
  };
  const git = createGit(process.env);
  const isBusy = (id: ConversationId) => (registry.peek(id)?.session.state().turn ?? null) !== null;
  const folder = join(home, 'changes');
  const changes = await createChanges({
    folder,
    git,
    ownFolders,
    cwdOf: (id) => registry.metaOf(id)?.cwd ?? null,
    isBusy,
    onCheckpoints: (id) => tell(id, 'checkpoints'),
    onFiles: (id) => tell(id, 'files'),
    at: (point) => at('after', point),
    clock,
    log,
  });
  lifecycle.subscribe((id, event) => {
    changes.note(id, event);
    // Also where not every folder can be watched, and where nobody looks yet.
    if (event.type === 'turn_ended') tell(id, 'files');
  });
  const worktrees = createWorktrees({
    git,
    folder,
    keep: changes.keep,
    ownFolders,
    conversations: () => registry.metas().map(({ conversation_id: id, cwd }) => ({ id, cwd })),
    isBusy,
    now: clock.now,
  });
  return { changes, worktrees };
}
