/** Storage that fails: every single call in turn, and a disk that stays full. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AppendLog, openAppendLog, type StorageState } from './append-log.ts';
import { type Clock, systemClock } from './clock.ts';
import { type LogFiles, type LogHandle, systemLogFiles } from './log-files.ts';
import { openLogReader } from './read-log.ts';

let dir = '';
let path = '';

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sb-fault-'));
  path = join(dir, 't.jsonl');
});
afterEach(() => rmSync(dir, { recursive: true }));

const lineOf = (seq: number): string => `{"seq":${seq},"a":{"b":"${'x'.repeat(20)}"}}`;
const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Retries come at once, and are counted. */
function createEagerClock(): Clock & { sleeps: number[] } {
  const sleeps: number[] = [];
  return { ...systemClock, sleeps, sleep: (ms) => nextTick().then(() => void sleeps.push(ms)) };
}

type Operation = 'open' | Exclude<keyof LogHandle, 'isWriteSynced'>;
/** Says whether this call is to fail, and with what. `half` stores a part of a write first. */
type Verdict = { code: string; half?: boolean } | null;

/** Real files whose calls can fail. A log handle that failed must not be used to write again. `synced` is the length of the log at its last successful sync. */
function createFaultyFiles(
  judge: (operation: Operation) => Verdict,
  isWriteSynced = true,
): LogFiles & { synced(): number } {
  let synced = 0;
  const fail = (verdict: Verdict): void => {
    if (verdict !== null) throw Object.assign(new Error(verdict.code), { code: verdict.code });
  };
  const guard = async <T>(operation: Operation, call: () => Promise<T>): Promise<T> => {
    fail(judge(operation));
    return call();
  };
  const wrap = (handle: LogHandle, isLog: boolean): LogHandle => {
    let hasFailed = false;
    const failOnce = (verdict: Verdict): void => {
      if (hasFailed && isLog) throw new Error('a descriptor that failed was used again');
      hasFailed = verdict !== null;
      fail(verdict);
    };
    return {
      isWriteSynced: isWriteSynced && isLog,
      stat: () => guard('stat', () => handle.stat()),
      read: (target, position) => guard('read', () => handle.read(target, position)),
      truncate: (size) => guard('truncate', () => handle.truncate(size)),
      async write(bytes, position) {
        const verdict = judge('write');
        if (verdict?.half === true) await handle.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), position);
        failOnce(verdict);
        const written = await handle.write(bytes, position);
        if (isLog && isWriteSynced) synced = (await handle.stat()).size;
        return written;
      },
      async datasync() {
        failOnce(judge('datasync'));
        const { size } = await handle.stat();
        await handle.datasync();
        if (isLog) synced = size;
      },
      async close() {
        await handle.close();
        fail(judge('close'));
      },
    };
  };
  return {
    synced: () => synced,
    syncDirectory: systemLogFiles.syncDirectory,
    async open(openPath, access) {
      fail(judge('open'));
      return wrap(await systemLogFiles.open(openPath, access), openPath.endsWith('.jsonl'));
    },
  };
}

async function readAll(): Promise<string[]> {
  const reader = await openLogReader({ path });
  const { lines } = await reader.read({ limit: 1000 });
  await reader.close();
  return lines;
}

/** Opens a log with a torn end, appends in two waves and closes. Every acknowledgement is checked against the disk. */
async function runScenario(files: ReturnType<typeof createFaultyFiles>, isPatient: boolean) {
  rmSync(join(dir, 't.idx'), { force: true });
  writeFileSync(path, `${lineOf(1)}\n${lineOf(2)}\n${lineOf(3).slice(0, -1)}`);
  const acked: number[] = [];
  const states: StorageState[] = [];
  const options = { path, files, clock: createEagerClock(), onStorage: (state: StorageState) => states.push(state) };
  // A failing read makes the opening fail as a whole; the next try is the caller's.
  const open = (): Promise<AppendLog> => openAppendLog(options).catch(open);
  const log = await open();
  const append = (): void => {
    const pending = log.append(lineOf);
    const check = (): void => {
      const stored = readFileSync(path).subarray(pending.offset, pending.offset + lineOf(pending.seq).length + 1);
      expect(stored.toString()).toBe(`${lineOf(pending.seq)}\n`);
      expect(files.synced()).toBeGreaterThanOrEqual(pending.offset + stored.length);
      acked.push(pending.seq);
    };
    void pending.done.then(check);
  };
  append();
  await log.drain();
  append();
  append();
  await nextTick();
  append();
  await log.drain();
  expect(log.state()).toBe('ok');
  append();
  if (isPatient) await log.drain();
  await log.close();
  return { acked, states };
}

describe('[ST1] any one call fails', () => {
  const faults = [
    { name: 'ENOSPC', code: 'ENOSPC', half: false, runs: 1 },
    { name: 'ENOSPC after half a write', code: 'ENOSPC', half: true, runs: 1 },
    { name: 'EIO', code: 'EIO', half: true, runs: 1 },
    { name: 'two calls in a row', code: 'EDQUOT', half: true, runs: 2 },
    { name: 'four calls in a row', code: 'EIO', half: true, runs: 4 },
  ];
  const ways = faults.flatMap((fault) => [true, false].map((isWriteSynced) => ({ ...fault, isWriteSynced })));
  const title = '$name, a write that syncs: $isWriteSynced: nothing acknowledged is lost, order and seq are kept';
  test.each(ways)(title, async ({ code, half, runs, isWriteSynced }) => {
    let failures = 0;
    for (let failAt = 1; ; failAt += 1) {
      let calls = 0;
      const files = createFaultyFiles(() => {
        calls += 1;
        return calls >= failAt && calls < failAt + runs ? { code, half } : null;
      }, isWriteSynced);
      // Closing tries twice only, so what fails more often must have come through before.
      const outcome = await runScenario(files, runs > 1);
      expect(outcome.acked, `call ${failAt}`).toEqual([3, 4, 5, 6, 7]);
      const expected = [1, 2, 3, 4, 5, 6, 7].map(lineOf);
      expect(await readAll(), `call ${failAt}`).toEqual(expected);
      rmSync(join(dir, 't.idx'), { force: true });
      expect(await readAll(), `call ${failAt}, rebuilt`).toEqual(expected);
      if (outcome.states.length > 0) {
        failures += 1;
        expect(outcome.states).toEqual([code === 'EIO' ? 'failed' : 'full', 'ok']);
      }
      if (calls < failAt) break;
    }
    expect(failures).toBeGreaterThan(5);
  });

  test.each(['write', 'datasync'] as const)(
    'a %s fails and nothing can be cut off: the tail is healed instead',
    async (broken) => {
      let isBroken = false;
      const files = createFaultyFiles((operation) => {
        if (operation === 'truncate') return { code: 'EIO' };
        return isBroken && operation === broken ? { code: 'EIO', half: true } : null;
      }, broken === 'write');
      const clock = createEagerClock();
      const log = await openAppendLog({ path, files, clock });
      await log.append(lineOf).done;
      isBroken = true;
      const pendings = [log.append(lineOf), log.append(lineOf)];
      while (clock.sleeps.length < 3) await nextTick();
      isBroken = false;
      await log.drain();
      for (const { seq, offset } of pendings) {
        expect(
          readFileSync(path, 'utf8')
            .slice(offset)
            .startsWith(`${lineOf(seq)}\n`),
        ).toBe(true);
      }
      await log.append(lineOf).done;
      await log.close();
      expect(await readAll()).toEqual([1, 2, 3, 4].map(lineOf));
    },
  );
});

describe('[ST1] the disk stays full', () => {
  /** Time stands still until `wake`; `wakeInVain` returns when the retry has failed and waits again. */
  function createManualClock(): Clock & { wake(): void; wakeInVain(): Promise<void>; waits: number[] } {
    const waits: number[] = [];
    let end: () => void = () => undefined;
    return {
      ...systemClock,
      waits,
      sleep: (ms, signal) =>
        new Promise((resolve) => {
          waits.push(ms);
          end = resolve;
          if (signal?.aborted === true) resolve();
          signal?.addEventListener('abort', () => resolve());
        }),
      wake: () => end(),
      async wakeInVain() {
        const before = waits.length;
        end();
        while (waits.length === before) await nextTick();
      },
    };
  }

  async function openFull() {
    let isFull = false;
    const states: unknown[] = [];
    const clock = createManualClock();
    const files = createFaultyFiles((operation) =>
      isFull && operation === 'write' ? { code: 'ENOSPC', half: true } : null,
    );
    const log = await openAppendLog({ path, files, clock, retryMs: 700, onStorage: (state) => states.push(state) });
    await log.append(lineOf).done;
    isFull = true;
    log.append(lineOf);
    log.append(lineOf);
    while (clock.waits.length === 0) await nextTick();
    return {
      log,
      clock,
      states,
      setFull: (full: boolean) => {
        isFull = full;
      },
    };
  }

  test('nothing is acknowledged, what is durable stays readable, and all comes through in order at last', async () => {
    const { log, clock, states, setFull } = await openFull();
    const done: number[] = [];
    void log.drain().then(() => done.push(3));
    await clock.wakeInVain();
    await clock.wakeInVain();
    expect(clock.waits).toEqual([700, 700, 700]);
    const late = log.append(lineOf);
    void late.done.then(() => done.push(4));
    expect([log.state(), states, done, log.lastDurableSeq(), late.seq]).toEqual(['full', ['full'], [], 1, 4]);
    expect(await readAll()).toEqual([lineOf(1)]);
    setFull(false);
    clock.wake();
    await log.drain();
    expect([log.state(), states, done]).toEqual(['ok', ['full', 'ok'], [3, 4]]);
    await log.close();
    expect(await readAll()).toEqual([1, 2, 3, 4].map(lineOf));
    expect(readFileSync(path, 'utf8')).toBe([1, 2, 3, 4].map((seq) => `${lineOf(seq)}\n`).join(''));
  });

  test('close gives up after a last try and rejects what could not be stored', async () => {
    const { log } = await openFull();
    const drained = log.drain();
    await log.close();
    await expect(drained).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await readAll()).toEqual([lineOf(1)]);
    const next = await openAppendLog({ path });
    expect(next.append(lineOf).seq).toBe(2);
    await next.close();
    expect(await readAll()).toEqual([1, 2].map(lineOf));
  });

  test('close with space again stores everything', async () => {
    const { log, setFull } = await openFull();
    setFull(false);
    await log.close();
    expect(await readAll()).toEqual([1, 2, 3].map(lineOf));
  });

  test('a log that is deleted or replaced meanwhile is not written to', async () => {
    const { log, clock, setFull } = await openFull();
    rmSync(path);
    writeFileSync(path, `${lineOf(1)}\n${lineOf(2)}\nsomebody else's`);
    setFull(false);
    await clock.wakeInVain();
    expect(log.state()).toBe('failed');
    await log.close();
    expect(readFileSync(path, 'utf8')).toMatch(/somebody else's$/);
  });
});

test('[ST1] a log with a torn end opens on a full disk and recovers without an append', async () => {
  writeFileSync(path, `${lineOf(1)}\n${lineOf(2)}`);
  let isFull = true;
  const files = createFaultyFiles((operation) => (isFull && operation === 'write' ? { code: 'ENOSPC' } : null));
  const clock = createEagerClock();
  const log = await openAppendLog({ path, files, clock });
  expect([log.state(), log.lastDurableSeq(), log.nextSeq()]).toEqual(['full', 2, 3]);
  while (clock.sleeps.length < 3) await nextTick();
  isFull = false;
  while (log.state() !== 'ok') await nextTick();
  expect(readFileSync(path, 'utf8')).toBe(`${lineOf(1)}\n${lineOf(2)}\n`);
  await log.append(lineOf).done;
  await log.close();
  expect(await readAll()).toEqual([1, 2, 3].map(lineOf));
});
