/** The lock that keeps a home to one server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acquireInstanceLock, type GuardKind } from './instance-lock.ts';

let home = '';
const children: ChildProcess[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sb-lock-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(home, { recursive: true });
});

/** Another process that holds the lock, and has started a child of its own; answers that child's pid. */
async function startHolder(): Promise<{ holder: ChildProcess; grandchildPid: number }> {
  const path = join(realpathSync(home), 'instance.lock');
  const code = `
    const server = require('node:net').createServer();
    server.listen(${JSON.stringify(path)}, () => {
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
      console.log(child.pid);
    });`;
  const holder = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(holder);
  const [pid] = await once(holder.stdout ?? holder, 'data');
  return { holder, grandchildPid: Number(String(pid)) };
}

describe.each<GuardKind>(process.platform === 'linux' ? ['name', 'folder'] : ['folder'])(
  '[ST5] guarded by a %s',
  (guard) => {
    test('one holder at a time, free again after release', async () => {
      const first = await acquireInstanceLock(home, { guard });
      expect(await acquireInstanceLock(home, { guard })).toEqual({ ok: false });
      if (first.ok) await first.release();
      const again = await acquireInstanceLock(home, { guard });
      expect(again.ok).toBe(true);
      if (again.ok) await again.release();
      expect(existsSync(join(home, 'instance.lock'))).toBe(false);
    });

    test('another spelling of the same home is the same lock, another home is not', async () => {
      mkdirSync(join(home, 'a'));
      mkdirSync(join(home, 'b'));
      symlinkSync(join(home, 'a'), join(home, 'link'));
      const lock = await acquireInstanceLock(join(home, 'a'), { guard });
      expect(await acquireInstanceLock(join(home, 'link'), { guard })).toEqual({ ok: false });
      const other = await acquireInstanceLock(join(home, 'b'), { guard });
      expect(other.ok).toBe(true);
      if (other.ok) await other.release();
      if (lock.ok) await lock.release();
    });

    test('a live and a stopped holder keep it; a killed one frees it at once, though its child lives on', async () => {
      const { holder, grandchildPid } = await startHolder();
      try {
        expect(await acquireInstanceLock(home, { guard })).toEqual({ ok: false });
        holder.kill('SIGSTOP');
        expect(await acquireInstanceLock(home, { guard })).toEqual({ ok: false });
        const exit = once(holder, 'exit');
        holder.kill('SIGKILL');
        await exit;
        expect(process.kill(grandchildPid, 0)).toBe(true);
        const taken = await acquireInstanceLock(home, { guard });
        expect(taken.ok).toBe(true);
        if (taken.ok) await taken.release();
      } finally {
        process.kill(grandchildPid, 'SIGKILL');
      }
    });

    test('of many that come at the same time exactly one gets it, also over a stale one', async () => {
      const { holder, grandchildPid } = await startHolder();
      const exit = once(holder, 'exit');
      holder.kill('SIGKILL');
      await exit;
      process.kill(grandchildPid, 'SIGKILL');
      const locks = await Promise.all(Array.from({ length: 8 }, () => acquireInstanceLock(home, { guard })));
      expect(locks.filter((lock) => lock.ok)).toHaveLength(1);
      for (const lock of locks) if (lock.ok) await lock.release();
    });
  },
);

test('a takeover under way is left alone, one that a crash left behind is not', async () => {
  const { holder, grandchildPid } = await startHolder();
  const exit = once(holder, 'exit');
  holder.kill('SIGKILL');
  await exit;
  process.kill(grandchildPid, 'SIGKILL');
  const guard = join(home, 'instance.lock.takeover');
  mkdirSync(guard);
  expect(await acquireInstanceLock(home, { guard: 'folder' })).toEqual({ ok: false });
  utimesSync(guard, 0, 0);
  const lock = await acquireInstanceLock(home, { guard: 'folder' });
  expect(lock.ok).toBe(true);
  expect(existsSync(guard)).toBe(false);
  if (lock.ok) await lock.release();
});

/** What every user of the machine could calculate, and listen on, in versions that locked a home by it. */
function predictableName(): string {
  const hash = createHash('sha256')
    .update(`${realpathSync(home)}\0${process.getuid?.() ?? 0}`)
    .digest('hex');
  return `\0signalbox-${hash}`.padEnd(108, '-');
}

test.runIf(process.platform === 'linux')(
  '[ST5] no name that others can know keeps a server from starting',
  async () => {
    const squatter = createServer().listen(predictableName());
    await once(squatter, 'listening');
    const lock = await acquireInstanceLock(home);
    expect(lock.ok).toBe(true);
    expect(statSync(join(home, 'instance.lock')).mode & 0o777).toBe(0o600);
    if (lock.ok) await lock.release();
    squatter.close();
  },
);

test('[ST5] of many that take over from a dead holder at once exactly one wins, again and again', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { holder, grandchildPid } = await startHolder();
    const exit = once(holder, 'exit');
    holder.kill('SIGKILL');
    await exit;
    process.kill(grandchildPid, 'SIGKILL');
    const locks = await Promise.all(Array.from({ length: 12 }, () => acquireInstanceLock(home)));
    expect(locks.filter((lock) => lock.ok)).toHaveLength(1);
    expect(readdirSync(home)).toEqual(['instance.lock']);
    for (const lock of locks) if (lock.ok) await lock.release();
  }
});
