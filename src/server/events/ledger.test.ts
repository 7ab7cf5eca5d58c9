/** A ledger on a real disk: what retention takes while it is in use, and what stays known of it. */
import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../node/clock.ts';
import { createLogger } from '../../node/logger.ts';
import { openRenewableLog } from '../../node/renewable-log.ts';
import { mountSmall } from '../../testing/small-disk.ts';
import { LEDGER_NAME, type Ledger, openLedger } from './ledger.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sb-ledger-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const retention = { maxEvents: 100, maxAgeMs: 7 * 24 * 60 * MINUTE };
const log = createLogger({ level: 'silent' });
const trust = { origin: 'local', authenticated: true, provenance: 'token', treat_as_instruction: false } as const;

function createClock() {
  let passed = 0;
  return {
    ...systemClock,
    monotonicMs: () => systemClock.monotonicMs() + passed,
    now: () => systemClock.now() + passed,
    pass: (ms: number) => {
      passed += ms;
    },
  };
}

const eventOf = (n: number) => ({
  schema_version: 1 as const,
  event_id: `evt_${n}`,
  time_unix_ms: 0,
  type: 'build.status',
  severity: 'info' as const,
  source: { name: 'ci' },
  routing: { thread_id: 'thr_1' },
  title: `event ${n}`,
  summary: '',
});

function append(ledger: Ledger, from: number, count: number): { seqs: number[]; done: Promise<unknown> } {
  const standing = { state: 'notified', mode: 'notify_only' } as const;
  const all = Array.from({ length: count }, (_, at) =>
    ledger.append({ event: eventOf(from + at), trust, ingress: 'http', standing }, null),
  );
  return { seqs: all.map(({ kept }) => kept.event_seq), done: Promise.all(all.map(({ done }) => done)) };
}

function fill(disk: string): void {
  try {
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(1024 * 1024));
  } catch {
    // That is what it is for.
  }
}

const idsOf = async (ledger: Ledger) => {
  const records = await ledger.describe([...ledger.events()].map(({ event_seq }) => event_seq));
  return records.map(({ event_id }) => event_id);
};

test('[EV14] what has been read goes while the ledger is in use; what arrives meanwhile and what is unread stays', async () => {
  const clock = createClock();
  const ledger = await openLedger({ dir, retention, clock, log });
  const first = append(ledger, 0, 400);
  await first.done;
  clock.pass(2 * MINUTE);
  await ledger.mark(first.seqs.slice(0, 350), true);
  // They are gone at once, and the file is written anew from now on.
  expect(ledger.count()).toBe(100);
  const meanwhile = append(ledger, 400, 50);
  await meanwhile.done;
  const kept = Array.from({ length: 100 }, (_, at) => `evt_${350 + at}`);
  expect(await idsOf(ledger)).toEqual(kept);
  expect([ledger.find(eventOf(3)), ledger.find(eventOf(420))]).toEqual([0, meanwhile.seqs[20]]);
  const [read] = await ledger.read([meanwhile.seqs[49] ?? 0]);
  expect(read?.event.event_id).toBe('evt_449');
  await ledger.close();

  const text = readFileSync(join(dir, LEDGER_NAME), 'utf8');
  expect(text).not.toContain('"title":"event 3"');
  const seqs = text
    .trimEnd()
    .split('\n')
    .map((line): number => JSON.parse(line).seq);
  expect(seqs).toEqual([...seqs].sort((one, other) => one - other));

  const again = await openLedger({ dir, retention, clock, log });
  expect(await idsOf(again)).toEqual(kept);
  expect([again.find(eventOf(3)), again.unread()]).toEqual([0, 100]);
  const next = append(again, 1_000, 1);
  await next.done;
  expect(next.seqs[0]).toBeGreaterThan(meanwhile.seqs[49] ?? 0);
  await again.close();
});

test('[EV14] of a ledger that keeps three events there are three at once, besides those that are unread or wait', async () => {
  const options = { dir, retention: { ...retention, maxEvents: 3 }, clock: createClock(), log };
  const ledger = await openLedger(options);
  const { seqs, done } = append(ledger, 1, 11);
  await done;
  expect(ledger.count()).toBe(11);
  const [first = 0, ...rest] = seqs;
  await ledger.mark(rest, true);
  const left = [first, ...seqs.slice(-3)];
  expect([...ledger.events()].map((kept) => kept.event_seq)).toEqual(left);
  // One that is gone and still in the file is not an event any more, but a repetition of it is one.
  expect(ledger.event(seqs[1] ?? 0)).toBeUndefined();
  expect(ledger.find(eventOf(2))).toBe(0);
  await ledger.close();
  const again = await openLedger(options);
  expect([...again.events()].map((kept) => kept.event_seq)).toEqual(left);
  await again.letGo();
  expect(readFileSync(join(dir, LEDGER_NAME), 'utf8')).not.toContain('"event 2"');
  expect((await again.describe(left)).map((one) => one.event_id)).toEqual(['evt_1', 'evt_9', 'evt_10', 'evt_11']);
  await again.close();
});

test('[EV14] the numbering never goes back, also when the last lines are among those that go', async () => {
  const clock = createClock();
  const ledger = await openLedger({ dir, retention, clock, log });
  const all = append(ledger, 0, 400);
  await all.done;
  await ledger.mark(all.seqs, true);
  await ledger.close();
  clock.pass(8 * 24 * 60 * MINUTE);
  const again = await openLedger({ dir, retention, clock, log });
  expect(again.count()).toBe(0);
  const next = append(again, 1_000, 1);
  await next.done;
  expect(next.seqs[0]).toBeGreaterThan(all.seqs[399] ?? 0);
  await again.close();
});

test('[EV14] when the disk is full the ledger opens as it is, and what has expired goes once there is room', async (context) => {
  const disk = mountSmall(512);
  if (disk === null) return context.skip('mounting a tmpfs is not permitted here');
  const clock = createClock();
  const first = await openLedger({ dir: disk, retention, clock, log });
  const all = append(first, 0, 400);
  await all.done;
  await first.mark(all.seqs, true);
  await first.close();
  const before = readFileSync(join(disk, LEDGER_NAME), 'utf8');
  fill(disk);
  const again = await openLedger({ dir: disk, retention, clock, log });
  expect([again.find(eventOf(3)) !== undefined, again.find(eventOf(399)) !== undefined]).toEqual([true, true]);
  expect(readFileSync(join(disk, LEDGER_NAME), 'utf8')).toBe(before);
  await again.close();
  rmSync(join(disk, 'ballast'));
  const last = await openLedger({ dir: disk, retention, clock, log });
  expect([last.count(), last.find(eventOf(3))]).toEqual([100, 0]);
  await last.close();
});

test('[FT7] a ledger on a full disk is closed at once, also while its file is to be written anew', async (context) => {
  const disk = mountSmall(512);
  if (disk === null) return context.skip('mounting a tmpfs is not permitted here');
  const clock = createClock();
  const ledger = await openLedger({ dir: disk, retention, clock, log });
  const stored = append(ledger, 0, 400);
  await stored.done;
  fill(disk);
  const late = append(ledger, 400, 100);
  const outcome = late.done.then(
    () => 'stored',
    () => 'given up',
  );
  await expect.poll(() => ledger.storage(), { timeout: 25_000 }).toBe('full');
  void ledger.letGo();
  await ledger.close();
  expect(await outcome).toBe('given up');
  rmSync(join(disk, 'ballast'));
  const again = await openLedger({ dir: disk, retention, clock, log });
  expect(again.count()).toBe(400);
  await again.close();
});

test('[FT7] an event that is stored is read also while another waits for a full disk', async (context) => {
  const disk = mountSmall(512);
  if (disk === null) return context.skip('mounting a tmpfs is not permitted here');
  const ledger = await openLedger({ dir: disk, retention, clock: createClock(), log });
  const stored = append(ledger, 0, 1);
  await stored.done;
  fill(disk);
  append(ledger, 1, 100).done.catch(() => undefined);
  await expect.poll(() => ledger.storage(), { timeout: 25_000 }).toBe('full');
  expect(await ledger.read(stored.seqs)).toMatchObject([{ event_seq: stored.seqs[0] }]);
  await ledger.close();
});

test('[EV14] what has expired goes when it is looked for, also where nobody touches anything, and be it one', async () => {
  const clock = createClock();
  const ledger = await openLedger({ dir, retention, clock, log });
  const old = append(ledger, 0, 3);
  await old.done;
  await ledger.mark(old.seqs.slice(0, 2), true);
  await ledger.letGo();
  expect(ledger.count()).toBe(3);
  clock.pass(8 * DAY);
  await ledger.letGo();
  expect([ledger.count(), ledger.find(eventOf(0)), ledger.find(eventOf(2))]).toEqual([1, 0, old.seqs[2]]);
  expect(readFileSync(join(dir, LEDGER_NAME), 'utf8')).not.toContain('"title":"event 0"');
  await ledger.close();
});

test('[EV14] the name of an event that went is forgotten in its own time, however often the file is written anew', async () => {
  const clock = createClock();
  /** Of each three two go at once. */
  const few = { ...retention, maxEvents: 1 };
  const visit = async (from: number) => {
    const ledger = await openLedger({ dir, retention: few, clock, log });
    const { seqs, done } = append(ledger, from, 3);
    await done;
    await ledger.mark(seqs, true);
    await ledger.letGo();
    const found = [0, 10, 20, 30].map((n) => ledger.find(eventOf(n)));
    await ledger.close();
    return found;
  };
  expect(await visit(0)).toEqual([0, undefined, undefined, undefined]);
  clock.pass(3 * DAY);
  expect(await visit(10)).toEqual([0, 0, undefined, undefined]);
  clock.pass(3 * DAY);
  expect(await visit(20)).toEqual([0, 0, 0, undefined]);
  clock.pass(2 * DAY);
  expect(await visit(30)).toEqual([undefined, 0, 0, 0]);
});

test('a log whose rewriting fails goes on with the file as it was, and stores what waited', async () => {
  const path = join(dir, 'x.jsonl');
  const renewable = await openRenewableLog({ path, clock: systemClock, onStorage: () => undefined });
  await renewable.append((seq) => `{"seq":${seq}}`).done;
  let waiting: ReturnType<typeof renewable.append>[] = [];
  const renewed = renewable.renew(() => () => {
    waiting = [1, 2].map(() => renewable.append((seq) => `{"seq":${seq}}`));
    return Promise.reject(new Error('no room'));
  });
  await expect(renewed).rejects.toThrow('no room');
  await Promise.all(waiting.map(({ done }) => done));
  expect([waiting.map(({ seq }) => seq), await renewable.pick([1, 3])]).toEqual([
    [2, 3],
    ['{"seq":1}', '{"seq":3}'],
  ]);
  await renewable.close();
  expect(readFileSync(path, 'utf8')).toBe('{"seq":1}\n{"seq":2}\n{"seq":3}\n');
});

test('a log that is being closed is not written anew any more, and one that is busy is left alone until it is not', async () => {
  const path = join(dir, 'x.jsonl');
  const renewable = await openRenewableLog({ path, clock: systemClock, onStorage: () => undefined });
  const line = renewable.append((seq) => `{"seq":${seq}}`);
  let stored = false;
  void line.done.then(() => {
    stored = true;
  });
  let isRewritten = false;
  await renewable.renew(() => {
    expect(stored).toBe(true);
    return () => {
      isRewritten = true;
      return Promise.resolve();
    };
  });
  expect(isRewritten).toBe(true);
  const closed = renewable.close();
  isRewritten = false;
  await renewable.renew(() => () => {
    isRewritten = true;
    return Promise.resolve();
  });
  await closed;
  expect(isRewritten).toBe(false);
});

test('a file that cannot be opened again is tried until it can, and what was held is stored then', async () => {
  const path = join(dir, 'x.jsonl');
  const states: string[] = [];
  const clock = { ...systemClock, sleep: () => systemClock.sleep(5) };
  const renewable = await openRenewableLog({ path, clock, onStorage: (state) => states.push(state) });
  await renewable.append((seq) => `{"seq":${seq}}`).done;
  const moved = `${path}.moved`;
  const renewed = renewable.renew(() => async () => {
    // A link in its place: opening it fails.
    renameSync(path, moved);
    symlinkSync(moved, path);
  });
  await expect.poll(() => renewable.storage()).toBe('failed');
  const waiting = renewable.append((seq) => `{"seq":${seq}}`);
  // In one step: between two of them there is no file, and then a new one is begun.
  renameSync(moved, path);
  await renewed;
  await waiting.done;
  expect([states[0], renewable.storage(), waiting.seq, await renewable.pick([2])]).toEqual([
    'failed',
    'ok',
    2,
    ['{"seq":2}'],
  ]);
  await renewable.close();
});

test('a list has the words of each event from the disk and where it stands from memory, also after a restart', async () => {
  const clock = createClock();
  const ledger = await openLedger({ dir, retention: { ...retention, maxEvents: 1_000 }, clock, log });
  const { seqs, done } = append(ledger, 0, 250);
  await done;
  await ledger.mark(seqs.slice(0, 1), true);
  await ledger.note(seqs.slice(1, 2), { state: 'delivered', mode: 'queue_for_next_turn', turn_id: 'turn' }, 'dlv');
  const rows = await ledger.describe(seqs);
  expect(rows.map(({ title }) => title)).toEqual(seqs.map((_, at) => `event ${at}`));
  expect(rows[0]).toMatchObject({ event_id: 'evt_0', trust, ingress: 'http', state: 'notified', read: true });
  expect(rows[1]).toMatchObject({ state: 'delivered', mode: 'queue_for_next_turn', turn_id: 'turn', read: false });
  expect(rows[1]).not.toHaveProperty('delivery_id');
  await ledger.close();
  const again = await openLedger({ dir, retention: { ...retention, maxEvents: 1_000 }, clock, log });
  expect(await again.describe(seqs)).toEqual(rows);
  await again.close();
});
