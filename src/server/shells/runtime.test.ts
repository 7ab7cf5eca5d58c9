/** Where shells live, and who finds them again. */
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRuntime, type Runtime } from './runtime.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'signalbox-runtime-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const open = (env: Record<string, string> = {}, home = '/home/one', mayCreateSecret = true) =>
  openRuntime({ home, env: { FRAMEWORK_SHELLS_BASE_DIR: dir, ...env }, mayCreateSecret });

async function opened(...args: Parameters<typeof open>): Promise<Runtime> {
  const result = await open(...args);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

test('[SH15] a secret is made once, for one place, by whoever comes first', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => opened()));
  expect(new Set(all.map((runtime) => runtime.dir)).size).toBe(1);
  const runtime = await opened();
  expect(runtime.dir).toBe(all[0]?.dir);
  const secret = join(dirname(runtime.dir), 'secret');
  expect((await stat(secret)).mode & 0o777).toBe(0o600);
  for (const one of [runtime.dir, runtime.metaDir, runtime.logsDir, runtime.socketsDir]) {
    expect((await stat(one)).mode & 0o777).toBe(0o700);
  }
});

test('[SH15] another home, another secret and another fingerprint are other places', async () => {
  const places = [
    await opened(),
    await opened({}, '/home/two'),
    await opened({ FRAMEWORK_SHELLS_SECRET: 'a' }),
    await opened({ FRAMEWORK_SHELLS_SECRET: 'b' }),
    await opened({ FRAMEWORK_SHELLS_REPO_FINGERPRINT: 'mine' }),
  ];
  expect(new Set(places.map((runtime) => runtime.dir)).size).toBe(5);
  expect((await opened({ FRAMEWORK_SHELLS_SECRET: 'a' })).dir).toBe(places[2]?.dir);
  expect(places[4]?.dir.startsWith(join(dir, 'runtimes', 'mine'))).toBe(true);
});

test('[SH15] with creation turned off a missing secret is refused, and nothing is made', async () => {
  const refused = await open({}, '/home/one', false);
  expect(refused).toMatchObject({
    ok: false,
    error: { code: 'conflict', message: expect.stringMatching(/^FRAMEWORK_SHELLS_SECRET is required/) },
  });
  const made = await opened();
  expect((await opened({}, '/home/one', false)).dir).toBe(made.dir);
});

test('[SH15] a secret others could read is made private; an empty one is refused', async () => {
  const secret = join(dirname((await opened()).dir), 'secret');
  const text = await readFile(secret, 'utf8');
  await chmod(secret, 0o644);
  await opened();
  expect((await stat(secret)).mode & 0o777).toBe(0o600);
  expect(await readFile(secret, 'utf8')).toBe(text);
  await writeFile(secret, '\n');
  expect(await open()).toMatchObject({ ok: false, error: { message: expect.stringContaining('holds no secret') } });
});

test('[SH15] a fingerprint that is a path, and a base that cannot be used, are refused with what to do', async () => {
  expect(await open({ FRAMEWORK_SHELLS_REPO_FINGERPRINT: '../x' })).toMatchObject({ ok: false });
  await writeFile(join(dir, 'file'), '');
  expect(await open({ FRAMEWORK_SHELLS_BASE_DIR: join(dir, 'file') })).toMatchObject({
    ok: false,
    error: { code: 'forbidden', message: expect.stringContaining('FRAMEWORK_SHELLS_BASE_DIR') },
  });
});
