/** How long a review, a compaction or a shell command keeps the thread for itself. */
import { expect, test } from 'vitest';
import { fail, ok } from '../../contract/result.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { createReservation } from './reservation.ts';

function createStand() {
  const world = { turn: null as string | null, changes: 0 };
  const clock = createManualClock();
  const reservation = createReservation({
    clock,
    isTurnRunning: () => world.turn !== null,
    onChange: () => {
      world.changes += 1;
    },
  });
  const begin = (turnId: string) => {
    world.turn = turnId;
    reservation.see({ type: 'turn_started', turnId });
  };
  const end = (turnId: string, running: string | null = null) => {
    world.turn = running;
    reservation.see({ type: 'turn_ended', turnId, status: 'completed' });
  };
  return { clock, world, reservation, begin, end };
}

test('[OB20] from before the request until its turn has ended', async () => {
  const { world, reservation, begin, end } = createStand();
  let wasHeld = false;
  await reservation.during(async () => {
    wasHeld = reservation.isHeld();
    return ok(null);
  });
  expect([wasHeld, reservation.isHeld()]).toEqual([true, true]);
  // The end of an older turn that is heard late.
  end('before');
  expect(reservation.isHeld()).toBe(true);
  begin('own');
  expect(reservation.isHeld()).toBe(true);
  end('own');
  expect([reservation.isHeld(), world.changes]).toEqual([false, 2]);
});

test('[OB20] a refused or failed request, and a Codex that is replaced, free the thread', async () => {
  const { reservation } = createStand();
  await reservation.during(async () => fail('codex_error', 'no'));
  expect(reservation.isHeld()).toBe(false);
  await expect(reservation.during(() => Promise.reject(new Error('x')))).rejects.toThrow('x');
  expect(reservation.isHeld()).toBe(false);
  await reservation.during(async () => ok(null));
  reservation.release();
  expect(reservation.isHeld()).toBe(false);
});

test('[OB20] a request inside a running turn reserves nothing', async () => {
  const { reservation, begin } = createStand();
  begin('running');
  await reservation.during(async () => ok(null));
  expect(reservation.isHeld()).toBe(false);
});

test('[OB20] a review that names two turns is over with the last of them', async () => {
  const { reservation, begin, end } = createStand();
  await reservation.during(async () => ok(null));
  begin('inner');
  end('inner', 'outer');
  expect(reservation.isHeld()).toBe(true);
  end('outer');
  expect(reservation.isHeld()).toBe(false);
});

test('[OB20] the end of another turn does not free the thread while the request is out', async () => {
  const { reservation, begin, end } = createStand();
  await reservation.during(async () => {
    begin('foreign');
    end('foreign');
    expect(reservation.isHeld()).toBe(true);
    begin('own');
    return ok(null);
  });
  expect(reservation.isHeld()).toBe(true);
  end('own');
  expect(reservation.isHeld()).toBe(false);
});

test('[OB20] a request that Codex made no turn of frees the thread after ten seconds', async () => {
  const { clock, reservation } = createStand();
  await reservation.during(async () => ok(null));
  clock.advance(9_999);
  expect(reservation.isHeld()).toBe(true);
  clock.advance(1);
  expect(reservation.isHeld()).toBe(false);
});

test('[CX50] a change of the thread reserves it as long as the change runs, also one that fails', async () => {
  const { reservation } = createStand();
  await reservation.hold(async () => expect([reservation.isHeld(), reservation.hasTurn()]).toEqual([true, false]));
  expect(reservation.isHeld()).toBe(false);
  await expect(reservation.hold(() => Promise.reject(new Error('x')))).rejects.toThrow('x');
  expect(reservation.isHeld()).toBe(false);
});
