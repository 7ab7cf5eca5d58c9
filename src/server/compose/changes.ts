/** Checkpoints, undo and linked work trees, tied to the conversations whose files they keep. */
import { join } from 'node:path';
import type { ConversationId } from '../../contract/ids.ts';
import type { Clock } from '../../node/clock.ts';
import { createGit } from '../../node/git.ts';
import type { Logger } from '../../node/logger.ts';
import type { RunAsPerson } from '../../node/person-program.ts';
import { type Changes, createChanges } from '../changes/changes.ts';
import { createShip, type Ship, type ShipOptions } from '../changes/ship.ts';
import { openWorktreeRecords } from '../changes/worktree-records.ts';
import { createWorktrees, type Worktrees } from '../changes/worktrees.ts';
import type { LifecycleBus } from '../conversations/lifecycle-bus.ts';
import type { Registry } from '../conversations/registry.ts';
import type { Transcripts } from '../conversations/transcripts.ts';
import type { Hub } from '../hub/hub.ts';
import { killPointOf } from './kill-point.ts';

interface ChangesOptions {
  readonly home: string;
  readonly ownFolders: readonly string[];
  readonly registry: Registry;
  readonly transcripts: Pick<Transcripts, 'open'>;
  /** What people decided about the programs of repositories. */
  readonly programs: ShipOptions['trust'];
  readonly runAsPerson: RunAsPerson;
  readonly onRequest: ShipOptions['onRequest'];
  readonly lifecycle: LifecycleBus;
  readonly hub: Pick<Hub, 'publish'>;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface ChangesStack {
  readonly changes: Changes;
  readonly worktrees: Worktrees;
  readonly ship: Ship;
}

export async function composeChanges(options: ChangesOptions): Promise<ChangesStack> {
  const { home, ownFolders, registry, transcripts, programs, runAsPerson, onRequest } = options;
  const { lifecycle, hub, clock, log } = options;
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
  const conversations = () => registry.metas().map(({ conversation_id: id, cwd }) => ({ id, cwd }));
  const shared = {
    git,
    folder,
    keep: changes.keep,
    place: changes.place,
    ownFolders,
    conversations,
    isBusy,
    now: clock.now,
  };
  const records = await openWorktreeRecords(folder);
  const worktrees = createWorktrees({ ...shared, records, at: (point) => at('after', point) });
  const ship = createShip({
    ...shared,
    runAsPerson,
    onRequest,
    cwdOf: (id) => registry.metaOf(id)?.cwd ?? null,
    trust: programs,
    wordsOf: (id) => wordsOf(registry, transcripts, id),
    onFiles: (id) => tell(id, 'files'),
    clock,
  });
  return { changes, worktrees, ship };
}

/** Entries of a long turn; older ones are about other work. */
const MAX_ENTRIES = 200;

/** What a message about the work of a conversation can say: its last answer, its plan, its name. */
async function wordsOf(
  registry: Registry,
  transcripts: Pick<Transcripts, 'open'>,
  id: ConversationId,
): ReturnType<ShipOptions['wordsOf']> {
  const transcript = await transcripts.open(id);
  const entries = (await transcript?.lastEntries(MAX_ENTRIES)) ?? [];
  const answer = entries.findLast((entry) => entry.role === 'assistant');
  const plan = entries.findLast((entry) => entry.role === 'plan');
  return {
    answer: answer?.role === 'assistant' ? answer.text : null,
    plan: plan?.role === 'plan' ? plan.steps : [],
    label: registry.metaOf(id)?.label ?? null,
  };
}
