/** Turns of Codex's history that were made by another program: which of them are new here, and how they are told. Pure. */
import { OTHER_PROGRAM, programOfTrigger } from '../codex/program-name.ts';
import type { TurnRecord } from '../codex/signal.ts';

/** Turns newer than the newest known one, newest first; null if the known one is not among them. */
export function newerTurns(
  newestFirst: readonly TurnRecord[],
  isKnown: (turnId: string) => boolean,
): readonly TurnRecord[] | null {
  const at = newestFirst.findIndex((one) => isKnown(one.turnId));
  return at < 0 ? null : newestFirst.slice(0, at);
}

/**
 * Codex lists a turn that another process runs as interrupted, without a duration. While another process has the thread open, the newest
 * turn of that kind goes on.
 */
export function asHeld(newestFirst: readonly TurnRecord[], isHeld: boolean): readonly TurnRecord[] {
  return newestFirst.map((turn, at) =>
    isHeld && at === 0 && turn.status === 'interrupted' && turn.durationMs === null
      ? { ...turn, status: 'running' }
      : turn,
  );
}

/** Messages without an id of ours say in which program they were said. */
export function markFrom(
  turn: TurnRecord,
  triggers: ReadonlyMap<string, string>,
  holderName: string | null,
): TurnRecord {
  const named = programOfTrigger(triggers.get(turn.turnId) ?? null);
  const from = named === OTHER_PROGRAM ? (holderName ?? named) : named;
  const items = turn.items.map((item) => (item.kind === 'user' && item.clientId === null ? { ...item, from } : item));
  return { ...turn, items };
}
