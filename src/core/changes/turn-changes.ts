/** What a turn's row says about the files: whether the turn changed any, whether that was undone, and which checkpoint a button undoes. Pure. */
import type { Checkpoint, UndoStep } from '../../contract/changes.ts';

export interface TurnChanges {
  readonly checkpoint: Checkpoint;
  /** restored: a restore to this turn is the newest thing that was done with it. */
  readonly state: 'in_place' | 'undone' | 'restored';
  /** The checkpoint that the button of the row undoes: the turn itself, or the undo or restore that is in force. */
  readonly target: Checkpoint;
}

/** Null for a turn without a finished checkpoint, and for a turn that changed no file. */
export function changesOfTurn(checkpoints: readonly Checkpoint[], turnId: string): TurnChanges | null {
  const checkpoint = checkpoints.findLast((one) => one.kind === 'turn' && one.turn_id === turnId);
  const after = checkpoint?.after ?? null;
  if (checkpoint === undefined || after === null || after.tree === checkpoint.before.tree) return null;
  const newest = newestOf(checkpoints, checkpoint);
  if (newest === undefined) return { checkpoint, state: 'in_place', target: checkpoint };
  const { last, count } = chainOf(checkpoints, newest);
  // Every second undo of a chain takes the one before it back.
  if (count % 2 === 0) return { checkpoint, state: 'in_place', target: checkpoint };
  return { checkpoint, state: newest.kind === 'restore' ? 'restored' : 'undone', target: last };
}

/** The newest finished undo or restore of a checkpoint. An unfinished one is still being written, or failed. */
function newestOf(checkpoints: readonly Checkpoint[], { id }: Checkpoint): Checkpoint | undefined {
  return checkpoints.findLast(({ of, after }) => of === id && after !== null);
}

/** Follows the undo of an undo to its end. Each step is newer than the one before, so the chain ends. */
function chainOf(checkpoints: readonly Checkpoint[], first: Checkpoint): { last: Checkpoint; count: number } {
  let [last, count] = [first, 1];
  for (let next = newestOf(checkpoints, last); next !== undefined; next = newestOf(checkpoints, last)) {
    last = next;
    count += 1;
  }
  return { last, count };
}

/** Files of a plan, by what happens to them; `already` needs no word. */
export function sortSteps(steps: readonly UndoStep[]) {
  const of = (...actions: readonly UndoStep['action'][]) => steps.filter(({ action }) => actions.includes(action));
  return { conflicts: of('conflict'), written: of('restore', 'both'), notKept: of('not_kept') };
}
