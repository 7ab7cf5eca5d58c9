/** The lock that keeps a home to one server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acquireInstanceLock, type LockKind, lockName } from './instance-lock.ts';

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
async function startHolder(kind: LockKind): Promise<{ holder: ChildProcess; grandchildPid: number }> {
  const path = kind === 'abstract' ? await lockName(home) : join(realpathSync(home), 'instance.lock');
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

describe.each<LockKind>(process.platform === 'linux' ? ['abstract', 'file'] : ['file'])('[ST5] %s lock', (kind) => {
  test('one holder at a time, free again after release', async () => {
    const first = await acquireInstanceLock(home, { kind });
    expect(await acquireInstanceLock(home, { kind })).toEqual({ ok: false });
    if (first.ok) await first.release();
    const again = await acquireInstanceLock(home, { kind });
    expect(again.ok).toBe(true);
    if (again.ok) await again.release();
    expect(existsSync(join(home, 'instance.lock'))).toBe(false);
  });

  test('another spelling of the same home is the same lock, another home is not', async () => {
    mkdirSync(join(home, 'a'));
    mkdirSync(join(home, 'b'));
    symlinkSync(join(home, 'a'), join(home, 'link'));
    const lock = await acquireInstanceLock(join(home, 'a'), { kind });
    expect(await acquireInstanceLock(join(home, 'link'), { kind })).toEqual({ ok: false });
    const other = await acquireInstanceLock(join(home, 'b'), { kind });
    expect(other.ok).toBe(true);
    if (other.ok) await other.release();
    if (lock.ok) await lock.release();
  });

  test('a live and a stopped holder keep it; a killed one frees it at once, though its child lives on', async () => {
    const { holder, grandchildPid } = await startHolder(kind);
    try {
      expect(await acquireInstanceLock(home, { kind })).toEqual({ ok: false });
      holder.kill('SIGSTOP');
      expect(await acquireInstanceLock(home, { kind })).toEqual({ ok: false });
      const exit = once(holder, 'exit');
      holder.kill('SIGKILL');
      await exit;
      expect(process.kill(grandchildPid, 0)).toBe(true);
      const taken = await acquireInstanceLock(home, { kind });
      expect(taken.ok).toBe(true);
      if (taken.ok) await taken.release();
    } finally {
      process.kill(grandchildPid, 'SIGKILL');
    }
  });

  test('of many that come at the same time exactly one gets it, also over a stale one', async () => {
    const { holder, grandchildPid } = await startHolder(kind);
    const exit = once(holder, 'exit');
    holder.kill('SIGKILL');
    await exit;
    process.kill(grandchildPid, 'SIGKILL');
    const locks = await Promise.all(Array.from({ length: 8 }, () => acquireInstanceLock(home, { kind })));
    expect(locks.filter((lock) => lock.ok)).toHaveLength(1);
    for (const lock of locks) if (lock.ok) await lock.release();
  });
});

test('a takeover under way is left alone, one that a crash left behind is not', async () => {
  const { holder, grandchildPid } = await startHolder('file');
  const exit = once(holder, 'exit');
  holder.kill('SIGKILL');
  await exit;
  process.kill(grandchildPid, 'SIGKILL');
  const guard = join(home, 'instance.lock.takeover');
  mkdirSync(guard);
  expect(await acquireInstanceLock(home, { kind: 'file' })).toEqual({ ok: false });
  utimesSync(guard, 0, 0);
  const lock = await acquireInstanceLock(home, { kind: 'file' });
  expect(lock.ok).toBe(true);
  expect(existsSync(guard)).toBe(false);
  if (lock.ok) await lock.release();
});

test('the abstract name fills the address, so that padding cannot make it differ between Node versions', async () => {
  const name = await lockName(home);
  expect(Buffer.byteLength(name)).toBe(108);
  expect(name).toMatch(/^\0signalbox-[0-9a-f]{64}-+$/);
});
