/** Holds a shell up while a viewer cannot keep up, and lets it go on as soon as all can. */
import type { Clock, Timer } from '../node/clock.ts';

export interface Hold {
  begin(): void;
  /** Somebody caught up, or left. */
  recheck(): void;
  /** The shell is over. */
  end(): void;
}

export interface HoldPorts {
  hold(isHeld: boolean): void;
  isFull(): boolean;
  readonly clock: Clock;
}

/** Looked at again this often: one that has not drawn for a while is not waited for, and nobody says so. */
const HOLD_MS = 50;

export function createHold({ hold, isFull, clock }: HoldPorts): Hold {
  /** Runs while the shell is held. */
  let timer: Timer | null = null;
  const end = () => {
    timer?.cancel();
    timer = null;
  };
  const recheck = () => {
    if (timer === null) return;
    end();
    if (isFull()) timer = clock.setTimer(HOLD_MS, recheck);
    else hold(false);
  };
  return {
    begin() {
      hold(true);
      timer ??= clock.setTimer(HOLD_MS, recheck);
    },
    recheck,
    end,
  };
}
