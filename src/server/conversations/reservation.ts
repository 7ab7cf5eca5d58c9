/**
 * Reserves a conversation's thread for a review, a compaction or a shell command of ours, from before the request until the turn that Codex
 * makes of it has ended. Codex takes a message that arrives meanwhile for a steer of that turn and does not answer it. Also reserves the
 * thread while it is moved, copied or cut: Codex answers a message that arrives meanwhile that it does not find the thread.
 */
import type { Clock, Timer } from '../../node/clock.ts';
import type { SessionDecision } from './session.ts';

export interface Reservation {
  isHeld(): boolean;
  /** Reserves the thread for a change of it that makes no turn, such as an archive or a fork, as long as the change runs. */
  hold<T>(change: () => Promise<T>): Promise<T>;
  /** Whether a review, a compaction or a shell command has the thread. */
  hasTurn(): boolean;
  /** Runs the request. A failed request, or one that began inside a running turn, keeps nothing reserved. */
  during<T extends { readonly ok: boolean }>(request: () => Promise<T>): Promise<T>;
  /** Hears turns begin and end. */
  see(event: SessionDecision): void;
  /** Codex was replaced: no turn of a request to the old one is going to end. */
  release(): void;
}

/** A request that Codex took and made no turn of, longer than Codex needs to begin one on a busy machine. */
const NO_TURN_MS = 10_000;

/** `hasRun`: a turn began since. `isAnswered`: Codex took the request, so a turn that runs now is the request's own or includes it. */
interface Held {
  readonly hasRun: boolean;
  readonly isAnswered: boolean;
}

export function createReservation(options: {
  readonly clock: Clock;
  readonly isTurnRunning: () => boolean;
  readonly onChange: () => void;
}): Reservation {
  let held: Held | null = null;
  let timer: Timer | null = null;
  /** Changes that run now. */
  let holds = 0;

  const set = (next: Held | null): void => {
    const isChanged = (held === null) !== (next === null);
    held = next;
    if (held === null) timer?.cancel();
    if (isChanged) options.onChange();
  };
  const answered = (): void => {
    if (held !== null) held = { ...held, isAnswered: true };
    releaseIfOver();
  };
  const releaseIfOver = (): void => {
    if (held?.isAnswered && held.hasRun && !options.isTurnRunning()) set(null);
  };

  return {
    isHeld: () => held !== null || holds > 0,
    hasTurn: () => held !== null,
    async hold(change) {
      holds += 1;
      options.onChange();
      try {
        return await change();
      } finally {
        holds -= 1;
        options.onChange();
      }
    },
    async during(request) {
      if (options.isTurnRunning() || held !== null) return request();
      set({ hasRun: false, isAnswered: false });
      const outcome = await request().catch((error: unknown) => {
        set(null);
        throw error;
      });
      if (!outcome.ok) set(null);
      answered();
      timer = options.clock.setTimer(NO_TURN_MS, () => {
        if (held !== null && !held.hasRun) set(null);
      });
      return outcome;
    },
    see(event) {
      if (held === null) return;
      if (event.type === 'turn_started') held = { ...held, hasRun: true };
      if (event.type === 'turn_ended') releaseIfOver();
    },
    release: () => set(null),
  };
}
