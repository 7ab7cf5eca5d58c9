/** A stop while the disk is full: it ends within seconds, and what was acknowledged is there when there is room again. */
import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openBox } from '../../src/testing/box.ts';
import { canMount } from '../../src/testing/small-disk.ts';
import { ask, eventFor, eventsOf, openTarget, post, targetOf, toldIds } from '../api/events-stand.ts';

/** Small file systems of their own; needs root. */
const isMountable = canMount();
const WAIT = { timeout: 25_000, interval: 20 };
/** Of an event of which only one fits into a page of the disk. */
const LONG = 'x'.repeat(3_000);

test.skipIf(!isMountable)(
  `[FT7] a full disk does not keep the server from stopping${isMountable ? '' : ' (skipped: mounting a tmpfs is not permitted)'}`,
  async () => {
    const box = await openBox();
    const disks = [join(box.home, 'conversations'), join(box.codexHome, 'sessions')];
    const setRoom = (hasRoom: boolean) =>
      Promise.all(
        disks.map((disk) => {
          const ballast = join(disk, 'ballast');
          return hasRoom ? rm(ballast) : writeFile(ballast, Buffer.alloc(4 * 1024 * 1024)).catch(() => undefined);
        }),
      );
    await box.kill('SIGTERM');
    for (const disk of disks) {
      await mkdir(disk, { recursive: true, mode: 0o700 });
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m,mode=0700', 'tmpfs', disk]);
    }
    // Also when the server does not stop, which is what the test is about.
    onTestFinished(async () => {
      await box.kill('SIGKILL');
      for (const disk of disks) execFileSync('umount', ['-l', disk]);
      await box.close();
    });
    await box.restart();
    const target = await openTarget(box);
    await box.must('writeEventRules', {
      rules: [{ match_type: 'repo.*', delivery: 'append_to_thread' }],
      allow_sources: [],
    });
    const stored = eventFor(target.threadId, { summary: LONG });
    expect((await post(box, stored)).body).toMatchObject({ ok: true });
    // A page of its own, so that a line still fits when nothing else does.
    await writeFile(target.inbox, '\n', { mode: 0o600 });
    await setRoom(false);
    const late = eventFor(target.threadId, { summary: LONG });
    const lying = eventFor(target.threadId, { summary: LONG });
    await appendFile(target.inbox, `${JSON.stringify(lying)}\n`);
    const appended = eventFor(target.threadId, { summary: LONG, type: 'repo.change' });
    const acks = Promise.all([late, appended].map((event) => post(box, event).catch(() => null)));
    await box.must('boardPost', { who: 'ann', message: LONG, to: target.id }, 'token').catch(() => null);
    await expect.poll(async () => (await post(box, eventFor(target.threadId))).status, WAIT).toBe(507);
    const asked = performance.now();
    await box.kill('SIGTERM');
    expect(performance.now() - asked).toBeLessThan(25_000);
    // The stop itself frees a little room, and the last try may use it: then it may be there, and must be if that was told.
    const told = await acks;
    const acked = [late, appended].filter((_event, at) => told[at]?.body.ok === true);
    await setRoom(true);
    await box.restart();
    const again = await targetOf(box, target.id, target.threadId);
    const ids = async () =>
      (await eventsOf(box, again)).events.map((one) => one.event_id).filter((id) => !id.startsWith('board-'));
    const wanted = [stored, lying, ...acked].map(({ event_id }) => event_id);
    await expect.poll(ids, WAIT).toEqual(expect.arrayContaining(wanted));
    const there = await ids();
    expect(there).toEqual([...new Set(there)]);
    expect(toldIds(await ask(box, again, 'there is room again'))).toContain(stored.event_id);
  },
  60_000,
);
