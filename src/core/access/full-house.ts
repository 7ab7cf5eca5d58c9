/** Which connection is closed when there are as many as the server takes. */

export interface Seat {
  /** A request on this connection had a credential. */
  readonly isKnown: boolean;
  /** A request on it is being answered. */
  readonly isBusy: boolean;
}

/**
 * The first that no known caller uses and that waits for nothing; then the first that no known caller uses; null if every connection
 * is known, and then the newcomer has to go. `seats` are in the order they connected.
 */
export function seatToFree<T extends Seat>(seats: Iterable<T>): T | null {
  let busy: T | null = null;
  for (const seat of seats) {
    if (seat.isKnown) continue;
    if (!seat.isBusy) return seat;
    busy ??= seat;
  }
  return busy;
}
