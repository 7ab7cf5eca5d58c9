/** Whether a project is as it was read, told without reading it again: real files, changed in every way that would load something else. */
import { mkdir, mkdtemp, readFile, realpath, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ok } from '../../contract/result.ts';
import type { TrustDecision } from '../../contract/trust.ts';
import { createWorkspaceTrust } from './trust.ts';

let dir: string;
let project: string;
let decisions: readonly TrustDecision[] = [];
/** Later than every change of the test: only then the times of a file tell of the next one. */
let laterMs = 10_000;

beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'trust-')));
  project = join(dir, 'top', 'project');
  decisions = [];
  laterMs = 10_000;
  await mkdir(join(project, '.codex', 'rules'), { recursive: true });
  await mkdir(join(dir, 'top', '.git'));
  await mkdir(join(dir, 'codex-home'));
  await writeFile(join(project, '.codex', 'config.toml'), 'model = "a"\n');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const open = () =>
  createWorkspaceTrust({
    store: { decisions: () => decisions, add: async () => ok(null), remove: async () => ok(null) },
    codexHome: join(dir, 'codex-home'),
    nowMs: () => Date.now() + laterMs,
  });

const CHANGES: Readonly<Record<string, () => Promise<unknown>>> = {
  'a file with other words of the same length and the old time': async () => {
    const path = join(project, '.codex', 'config.toml');
    const { atime, mtime } = await stat(path);
    await writeFile(path, 'model = "b"\n');
    await utimes(path, atime, mtime);
  },
  'a file that another one of the same size and time was moved over': async () => {
    const path = join(project, '.codex', 'config.toml');
    const { atime, mtime } = await stat(path);
    await writeFile(join(dir, 'new'), 'model = "b"\n');
    await utimes(join(dir, 'new'), atime, mtime);
    await rename(join(dir, 'new'), path);
  },
  'a new file': () => writeFile(join(project, '.codex', 'hooks.json'), '{}'),
  'a new file in a folder of the folder': () => writeFile(join(project, '.codex', 'rules', 'a.rules'), 'x'),
  'a removed file': () => rm(join(project, '.codex', 'config.toml')),
  'a new folder above': () => mkdir(join(dir, 'top', '.codex')),
  'a repository that ends lower': () => mkdir(join(project, '.git')),
  'a repository that ends nowhere': () => rm(join(dir, 'top', '.git'), { recursive: true }),
  'another directory under the same path': async () => {
    await rename(join(dir, 'top'), join(dir, 'old'));
    await mkdir(join(dir, 'other', 'project'), { recursive: true });
    await symlink(join(dir, 'other'), join(dir, 'top'));
  },
  'a decision of a person': async () => {
    decisions = [{ path: project, hash: 'h', decision: 'kept_off', decided_at: '' }];
  },
};

test.each(Object.keys(CHANGES))('[WT10] a project is no longer current after %s', async (name) => {
  const access = await open().accessOf(project);
  expect(await access.isCurrent()).toBe(true);
  await CHANGES[name]?.();
  expect(await access.isCurrent()).toBe(false);
});

test('a project stays current while its other files change, and its repository gets commits', async () => {
  const access = await open().accessOf(project);
  await writeFile(join(project, 'code.ts'), 'x');
  await writeFile(join(dir, 'top', '.git', 'HEAD'), 'x');
  await writeFile(join(dir, 'codex-home', 'state'), 'x');
  await readFile(join(project, '.codex', 'config.toml'));
  expect(await access.isCurrent()).toBe(true);
});

test('[WT10] a project whose file was changed a moment before is read again: the next change may have the same time', async () => {
  laterMs = 0;
  const access = await open().accessOf(project);
  expect(await access.isCurrent()).toBe(false);
});

test('[WT8] folders without end in a folder are not walked to their end', async () => {
  for (let at = 0; at < 20; at += 1)
    for (let below = 0; below < 20; below += 1)
      await mkdir(join(project, '.codex', `a${at}`, `b${below}`), { recursive: true });
  const { folders } = await open().check(project);
  expect(folders).toMatchObject([{ blocked: expect.any(String) }]);
});
