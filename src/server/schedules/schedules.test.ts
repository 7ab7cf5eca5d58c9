/** Schedules over a clock that is moved by hand: sleeps, kills between any two steps, summer time, and a clock that was set. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConversationId } from '../../contract/ids.ts';
import { fail, ok } from '../../contract/result.ts';
import { type Schedule, ScheduleInput } from '../../contract/schedules.ts';
import { createLogger } from '../../node/logger.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { nextTime } from './next-time.ts';
import type { SchedulePorts } from './run-schedule.ts';
import type { ScheduleStore } from './schedule-store.ts';
import { createSchedules, type Schedules } from './schedules.ts';

const ID = ConversationId.parse(`conv_${'1'.repeat(32)}`);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const input = (change: Partial<ScheduleInput> = {}): ScheduleInput =>
  ScheduleInput.parse({
    name: 'report',
    text: 'Report.',
    target: { kind: 'conversation', conversation_id: ID },
    when: { kind: 'cron', cron: '0 * * * *', time_zone: 'UTC' },
    ...change,
  });

/** What outlives a kill: the file, and what the outbox took. */
function createWorld(startMs = Date.UTC(2026, 0, 1, 0, 30)) {
  let file: readonly Schedule[] = [];
  const taken = new Map<string, { readonly atMs: number; readonly to: ConversationId }>();
  const opened: ConversationId[] = [];
  const clock = createManualClock(startMs);
  let skewMs = 0;
  let isBusy = false;
  let whenSent: (id: string) => void = () => undefined;
  let refusal: ReturnType<typeof fail> | null = null;
  /** Steps until the process dies; what it does after that reaches nobody. */
  let stepsLeft = Number.POSITIVE_INFINITY;
  let life = 0;
  const never = new Promise<never>(() => undefined);

  const boot = (): Schedules => {
    life += 1;
    const own = life;
    async function act<T>(perform: () => T): Promise<T> {
      stepsLeft -= 1;
      return stepsLeft < 0 || own !== life ? never : perform();
    }
    const save = (next: readonly Schedule[]) =>
      act(() => {
        file = next;
        return ok(null);
      });
    const store: ScheduleStore = {
      all: () => file,
      find: (id) => file.find((one) => one.schedule_id === id),
      async put(changed) {
        await save(file.map((one) => (one.schedule_id === changed.schedule_id ? changed : one)));
        return ok(changed);
      },
      add: (schedule) => save([...file, schedule]),
      remove: (id) => save(file.filter((one) => one.schedule_id !== id)),
    };
    const ports: SchedulePorts = {
      openTarget: (target) =>
        act(() => {
          if (target.kind === 'conversation') return ok(target.conversation_id);
          const id = ConversationId.parse(`conv_${String(opened.length).padStart(32, '0')}`);
          opened.push(id);
          return ok(id);
        }),
      isBusy: () => isBusy,
      send: (to, { clientMessageId }) =>
        act(() => {
          if (refusal !== null) return refusal;
          if (!taken.has(clientMessageId)) taken.set(clientMessageId, { atMs: clock.now() + skewMs, to });
          whenSent(clientMessageId);
          return ok(null);
        }),
    };
    const shifted = { ...clock, now: () => clock.now() + skewMs };
    return createSchedules({ store, ports, clock: shifted, log: createLogger({ level: 'silent' }) });
  };
  return {
    clock,
    taken,
    opened,
    boot,
    one: (): Schedule => {
      const [schedule] = file;
      if (schedule === undefined) throw new Error('there is none');
      return schedule;
    },
    dieAfter: (steps: number) => {
      stepsLeft = steps;
    },
    isDead: () => stepsLeft < 0,
    /** The process ends here, whatever it was about to do. */
    kill: () => {
      life += 1;
      stepsLeft = Number.POSITIVE_INFINITY;
    },
    setBusy: (busy: boolean) => {
      isBusy = busy;
    },
    onSend: (next: (id: string) => void) => {
      whenSent = next;
    },
    refuse: (next: ReturnType<typeof fail> | null) => {
      refusal = next;
    },
    /** Somebody sets the clock. */
    skew: (ms: number) => {
      skewMs += ms;
    },
  };
}

const settle = async (): Promise<void> => {
  for (let turns = 0; turns < 30; turns += 1) await new Promise<void>((done) => setImmediate(done));
};

/** As time passes for a process that is awake. */
async function pass(world: ReturnType<typeof createWorld>, ms: number, stepMs = MINUTE): Promise<void> {
  for (let left = ms; left > 0; left -= stepMs) {
    world.clock.advance(Math.min(left, stepMs));
    await settle();
  }
}

/** The times for which messages went, in order. */
const dueOf = (world: ReturnType<typeof createWorld>): number[] =>
  [...world.taken.keys()].map((id) => Number(id.split('-')[1]));

test('[SC2] a message goes at each of its times, under an id of its own', async () => {
  const world = createWorld();
  const schedules = world.boot();
  schedules.start();
  await schedules.add(input());
  await pass(world, 3 * HOUR);
  expect(dueOf(world)).toEqual([1, 2, 3].map((hour) => Date.UTC(2026, 0, 1, hour)));
  expect(world.one()).toMatchObject({ runs: 3, state: 'active', pending: null });
});

test('[SC3] what was due while the machine slept is skipped and counted, or the newest of it runs once', async () => {
  for (const [missed, runs] of [
    ['skip', 1],
    ['once', 2],
  ] as const) {
    const world = createWorld();
    const schedules = world.boot();
    schedules.start();
    await schedules.add(input({ missed }));
    // Asleep from half past midnight to half past ten, then awake for an hour.
    world.clock.advance(10 * HOUR);
    await settle();
    await pass(world, HOUR);
    expect(world.taken.size).toBe(runs);
    const counted = world.one().history.map(({ note }) => Number(/^\d+/.exec(note ?? '')?.[0] ?? 0));
    expect(counted.reduce((a, b) => a + b, 0)).toBe(missed === 'skip' ? 10 : 9);
  }
});

test('[SC4] every due time has one run or is counted as missed, whatever is killed and however long the machine sleeps', async () => {
  const crons = ['*/7 * * * *', '*/30 * * * *', '0 * * * *', '15 2 * * *', '30 2 * * 0', '0 9 1 * *'];
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Auckland', 'Asia/Kolkata', 'America/St_Johns'];
  const act = fc.oneof(
    fc.record({ do: fc.constant('awake' as const), minutes: fc.integer({ min: 1, max: 40 }) }),
    fc.record({ do: fc.constant('sleep' as const), minutes: fc.integer({ min: 1, max: 4_000 }) }),
    fc.record({ do: fc.constant('kill' as const), steps: fc.integer({ min: 0, max: 8 }) }),
  );
  // Around the changes of summer time in either half of the world, and an ordinary day.
  const starts = [Date.UTC(2026, 2, 28, 20), Date.UTC(2026, 9, 24, 20), Date.UTC(2026, 3, 4, 10), Date.UTC(2026, 5, 1)];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...crons),
      fc.constantFrom(...zones),
      fc.constantFrom(...starts),
      fc.constantFrom('skip' as const, 'once' as const),
      fc.constantFrom('conversation' as const, 'directory' as const),
      fc.array(act, { minLength: 1, maxLength: 8 }),
      async (cron, timeZone, startMs, missed, kind, acts) => {
        const world = createWorld(startMs);
        let schedules = world.boot();
        schedules.start();
        const target = kind === 'directory' ? { kind, cwd: '/tmp' } : { kind, conversation_id: ID };
        const when = { kind: 'cron', cron, time_zone: timeZone } as const;
        await schedules.add(input({ when, missed, target }));
        const from = world.clock.now();
        for (const one of acts) {
          if (one.do === 'awake') await pass(world, one.minutes * MINUTE);
          else if (one.do === 'sleep') {
            world.clock.advance(one.minutes * MINUTE);
            await settle();
          } else {
            world.dieAfter(one.steps);
            await pass(world, 20 * MINUTE);
            world.kill();
            schedules = world.boot();
            schedules.start();
          }
        }
        await pass(world, 2 * MINUTE);
        const due: number[] = [];
        for (let at = nextTime(when, from); at !== null && at <= world.clock.now(); at = nextTime(when, at))
          due.push(at);
        const sent = dueOf(world);
        expect(new Set(sent).size).toBe(sent.length);
        expect(sent.every((at) => due.includes(at))).toBe(true);
        const { history } = world.one();
        // The history keeps the newest 50 only; longer ones are left to the counts above.
        if (history.length === 50) return;
        const missedRuns = history.reduce(
          (sum, { note, outcome }) => sum + (outcome === 'missed' ? Number.parseInt(note ?? '0', 10) : 0),
          0,
        );
        expect(sent.length + missedRuns).toBe(due.length);
        expect(world.one().runs).toBe(sent.length);
      },
    ),
    { numRuns: 60 },
  );
});

test('[SC5] a clock that is set back runs nothing twice; one that was a day ahead blocks nothing', async () => {
  const world = createWorld();
  const schedules = world.boot();
  schedules.start();
  await schedules.add(input());
  await pass(world, HOUR);
  world.skew(-3 * HOUR);
  await pass(world, 2 * HOUR);
  expect(world.taken.size).toBe(1);
  await pass(world, 2 * HOUR);
  expect(world.taken.size).toBe(2);
  world.skew(400 * 24 * HOUR);
  await pass(world, 10 * MINUTE);
  world.skew(-400 * 24 * HOUR);
  const before = world.taken.size;
  await pass(world, 2 * HOUR);
  expect(world.taken.size).toBeGreaterThan(before);
});

test('[SC6] it ends after its last run, and after its one time', async () => {
  const world = createWorld();
  const schedules = world.boot();
  schedules.start();
  await schedules.add(input({ max_runs: 2 }));
  await pass(world, 5 * HOUR);
  expect(world.one()).toMatchObject({ runs: 2, state: 'ended' });
  const [added] = schedules.list();
  expect(await schedules.setPaused(added?.schedule_id ?? '', false)).toMatchObject({ ok: false });
  const once = createWorld();
  const other = once.boot();
  other.start();
  await other.add(input({ when: { kind: 'once', at: '2026-01-01T02:00:00Z' } }));
  await pass(once, 3 * HOUR);
  expect(once.one()).toMatchObject({ runs: 1, state: 'ended' });
});

test('[SC7] a busy conversation is left alone if the schedule says so; a failed turn or run pauses it', async () => {
  const world = createWorld();
  const schedules = world.boot();
  schedules.start();
  await schedules.add(input({ busy: 'skip' }));
  world.setBusy(true);
  await pass(world, HOUR);
  expect(world.taken.size).toBe(0);
  expect(world.one().history[0]).toMatchObject({ outcome: 'skipped_busy' });
  world.setBusy(false);
  await pass(world, HOUR);
  expect(world.taken.size).toBe(1);
  schedules.turnFailed('somebody-elses');
  await settle();
  expect(world.one().state).toBe('active');
  schedules.turnFailed([...world.taken.keys()][0] ?? '');
  await settle();
  expect(world.one()).toMatchObject({ state: 'paused', reason: expect.stringContaining('failed') });
  await pass(world, 3 * HOUR);
  expect(world.taken.size).toBe(1);
  await schedules.setPaused(world.one().schedule_id, false);
  await pass(world, HOUR);
  // What passed while it was paused does not run.
  expect(world.taken.size).toBe(2);
  world.refuse(fail('unknown_conversation', 'gone'));
  await pass(world, HOUR);
  expect(world.one()).toMatchObject({ state: 'paused', reason: expect.stringContaining('gone') });
});

test('[SC8] a run waits while Codex starts, up to an hour', async () => {
  const world = createWorld();
  const schedules = world.boot();
  schedules.start();
  await schedules.add(input());
  world.refuse(fail('codex_unavailable', 'it starts'));
  await pass(world, 50 * MINUTE);
  expect(world.one().pending).not.toBeNull();
  world.refuse(null);
  await pass(world, 2 * MINUTE);
  expect(dueOf(world)).toEqual([Date.UTC(2026, 0, 1, 1)]);
  world.refuse(fail('codex_unavailable', 'it starts'));
  await pass(world, 2 * HOUR + 10 * MINUTE);
  expect(world.one()).toMatchObject({ state: 'paused', pending: null });
});

test('[SC9] a run by hand is beside the plan', async () => {
  const world = createWorld();
  const schedules = world.boot();
  schedules.start();
  await schedules.add(input());
  await schedules.runNow(world.one().schedule_id);
  expect(world.taken.size).toBe(1);
  await pass(world, HOUR);
  expect(world.taken.size).toBe(2);
});

test('[SC1] what never comes, has six fields or names no time zone is refused', async () => {
  const world = createWorld();
  const schedules = world.boot();
  for (const [cron, zone] of [
    ['0 0 31 2 *', 'UTC'],
    ['* * * * * *', 'UTC'],
    ['0 9 * * *', 'Middle/Earth'],
    ['99 9 * * *', 'UTC'],
  ] as const)
    expect(await schedules.add(input({ when: { kind: 'cron', cron, time_zone: zone } }))).toMatchObject({ ok: false });
  expect(schedules.list()).toEqual([]);
});

test('[SC7] a turn that fails before its run was stored as sent pauses the schedule too', async () => {
  const world = createWorld();
  const schedules = world.boot();
  schedules.start();
  await schedules.add(input());
  world.onSend((id) => schedules.turnFailed(id));
  await pass(world, HOUR);
  await settle();
  expect(world.one()).toMatchObject({ runs: 1, state: 'paused', reason: expect.stringContaining('failed') });
});
