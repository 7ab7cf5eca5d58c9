/** Codex in the simulated world of the outbox: what it takes, when it keeps it, and what it says of it. */
import type { Give } from '../core/outbox/state.ts';
import type { Books, SimulatedCodex } from './outbox-laws.ts';

export const newCodex = (): SimulatedCodex => ({
  isAlive: true,
  history: [],
  unkept: [],
  turn: null,
  signals: [],
  turns: 0,
  deaths: 0,
});

/** The turn that got the request; null when Codex refuses it. */
export function takeGiven(
  codex: SimulatedCodex,
  books: Books,
  given: Exclude<Give, { kind: 'interrupt' }>,
): string | null {
  switch (given.kind) {
    case 'inject':
      codex.history.push({ id: given.id, turnId: '', kind: 'inject', events: given.events });
      return '';
    case 'steer':
      if (codex.turn !== given.turnId) return null;
      codex.unkept.push({ id: given.id, turnId: given.turnId, kind: 'steer' });
      return given.turnId;
    case 'turn':
      if (codex.turn !== null) {
        // A foreign turn that nobody here could know of yet.
        if (!codex.turn.startsWith('foreign')) books.broken.push(`${given.id}: a turn became a steer`);
        codex.unkept.push({ id: given.id, turnId: codex.turn, kind: 'turn' });
        return codex.turn;
      }
      codex.turns += 1;
      codex.turn = `turn${codex.turns}`;
      codex.unkept.push({ id: given.id, turnId: codex.turn, kind: 'turn' });
      return codex.turn;
    default:
      return given satisfies never;
  }
}

/** A turn that no message of the outbox began; null when Codex is away or runs another one. */
export function beginTurn(codex: SimulatedCodex, by: 'foreign' | 'own'): string | null {
  if (!codex.isAlive || codex.turn !== null) return null;
  codex.turns += 1;
  codex.turn = `${by}${codex.turns}`;
  return codex.turn;
}

/** Writes to its history what it said yes to, and repeats it. */
export function keepAll(codex: SimulatedCodex): void {
  for (const one of codex.unkept) {
    codex.history.push(one);
    codex.signals.push({ type: 'echoed', id: one.id, turnId: one.turnId, itemId: 'item' });
  }
  codex.unkept = [];
}

export function endTurn(codex: SimulatedCodex, status: 'completed' | 'interrupted'): void {
  if (codex.turn === null) return;
  keepAll(codex);
  codex.signals.push({ type: 'turn_ended', turnId: codex.turn, status });
  codex.turn = null;
}

/** Codex is killed; `isKeeping`: between the write to its history and the echo. Returns the turn that ran. */
export function die(codex: SimulatedCodex, isKeeping: boolean): string | null {
  const { turn } = codex;
  if (isKeeping) codex.history.push(...codex.unkept);
  codex.isAlive = false;
  codex.deaths += 1;
  codex.unkept = [];
  codex.turn = null;
  return turn;
}
