/** Which connection is closed when there are as many as the server takes. */

/** Who uses a connection: nobody known, a person's browser, or a program that showed a token, by the name of its process. */
export type Holder = 'nobody' | 'person' | { readonly program: string };

export interface Seat {
  readonly holder: Holder;
  /** A request on it is being answered. */
  readonly isBusy: boolean;
}

/**
 * The first that no known caller uses and that waits for nothing; then the first that no known caller uses; then of the program with the most
 * connections, again one that waits for nothing first. Null if every connection is a person's, and then the newcomer has to go. `seats` are in
 * the order they connected.
 */
export function seatToFree<T extends Seat>(seats: Iterable<T>): T | null {
  const all = [...seats];
  return firstOf(all.filter(({ holder }) => holder === 'nobody')) ?? firstOf(ofLargestProgram(all));
}

function firstOf<T extends Seat>(seats: readonly T[]): T | null {
  return seats.find(({ isBusy }) => !isBusy) ?? seats[0] ?? null;
}

function ofLargestProgram<T extends Seat>(seats: readonly T[]): readonly T[] {
  const byProgram = new Map<string, T[]>();
  for (const seat of seats) {
    if (typeof seat.holder === 'string') continue;
    const others = byProgram.get(seat.holder.program);
    if (others === undefined) byProgram.set(seat.holder.program, [seat]);
    else others.push(seat);
  }
  return [...byProgram.values()].reduce<readonly T[]>((most, one) => (one.length > most.length ? one : most), []);
}

export interface SocketLimits {
  readonly all: number;
  readonly perProgram: number;
}

/**
 * What becomes of one more WebSocket: it is let in, refused, or let in after one of a program was closed. A program has only so many, and a
 * person's socket takes the place of one of the program with the most.
 */
export function admitSocket<T extends Seat>(
  sockets: readonly T[],
  newcomer: Holder,
  limits: SocketLimits,
): 'admit' | 'refuse' | { readonly close: T } {
  if (typeof newcomer !== 'string') {
    const own = sockets.filter(({ holder }) => typeof holder !== 'string' && holder.program === newcomer.program);
    if (own.length >= limits.perProgram) return 'refuse';
  }
  if (sockets.length < limits.all) return 'admit';
  const [oldest] = ofLargestProgram(sockets);
  return newcomer !== 'person' || oldest === undefined ? 'refuse' : { close: oldest };
}
