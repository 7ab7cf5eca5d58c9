/** Real trees, listed by ripgrep and by ourselves: what is in the index, and what never is; and the list of directories. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expandPath } from '../../node/path-kind.ts';
import { listDirectories } from './directories.ts';
import { findRg } from './find-rg.ts';
import { createTreeIndex } from './tree-index.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'signalbox-files-'));
  await writeFile(join(dir, 'secret.txt'), '');
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function plant(name: string, ...paths: string[]): Promise<string> {
  const root = join(dir, name);
  await mkdir(root, { recursive: true });
  for (const path of paths) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), '');
  }
  return root;
}

/** Asked until the listing is through: the first answer may be of a part. */
async function all(index: ReturnType<typeof createTreeIndex>, query = '') {
  for (;;) {
    const answer = await index.search(query, 200, () => false);
    if (answer.isComplete) return answer.files.map(({ path }) => path).sort();
  }
}

describe.each([
  ['ripgrep', findRg()],
  ['our own walk', null],
])('a tree listed by %s', (how, rg) => {
  const open = (root: string, now = () => performance.now()) => createTreeIndex({ root, rg, now });

  test('[FL1][FL9] holds files and their directories, hidden ones too, but not .git', async () => {
    const root = await plant(`plain-${how}`, 'a.ts', '.hidden/x', 'src/deep/b.ts', '.git/config', 'odd\nname "x".ts');
    expect(await all(open(root))).toEqual(
      ['.hidden/', '.hidden/x', 'a.ts', 'odd\nname "x".ts', 'src/', 'src/deep/', 'src/deep/b.ts'].sort(),
    );
  });

  test('[FL4] follows no link', async () => {
    const root = await plant(`links-${how}`, 'a.ts');
    await symlink(join(dir, 'secret.txt'), join(root, 'leak.txt'));
    await symlink(dir, join(root, 'out'));
    const index = open(root);
    for (const query of ['', 'secret', '../secret.txt', join(dir, 'secret.txt'), '..']) {
      expect((await all(index, query)).filter((path) => path !== 'a.ts')).toEqual([]);
    }
  });

  test('[FL6] a new file is there when the index has aged', async () => {
    const root = await plant(`new-${how}`, 'a.ts');
    let now = 0;
    const index = open(root, () => now);
    expect(await all(index)).toEqual(['a.ts']);
    await writeFile(join(root, 'b.ts'), '');
    expect(await all(index)).toEqual(['a.ts']);
    now += 3_600_000;
    // The old answer is given while the tree is listed again.
    await expect.poll(() => all(index)).toEqual(['a.ts', 'b.ts']);
    await rm(join(root, 'a.ts'));
    now += 3_600_000;
    await expect.poll(() => all(index)).toEqual(['b.ts']);
  });

  test('[FL8] a search that became stale stops', async () => {
    const index = open(await plant(`stale-${how}`, 'a.ts'));
    await all(index);
    expect(await index.search('a', 10, () => true)).toMatchObject({ files: [], isStale: true });
    expect(await index.search('a', 10, () => false)).toMatchObject({ files: [{ path: 'a.ts' }], isStale: false });
  });

  test('[FL11] odd names and queries are only names and queries', async () => {
    const names = ['$(touch pwned)', '`id`.ts', '--pre=sh', '-x'];
    const root = await plant(`odd $(touch pwned2) -${how}`, ...names);
    const index = open(root);
    expect(await all(index)).toEqual([...names].sort());
    for (const query of ['$(touch pwned)', '; id #', '--files']) await index.search(query, 10, () => false);
    expect(await all(index)).toEqual([...names].sort());
  });

  test('[FL5] a directory that is gone is an empty tree', async () => {
    expect(await all(open(join(dir, 'never-made')))).toEqual([]);
  });
});

test('[FL1] .gitignore holds, in a repository and outside of one', async () => {
  const root = await plant('ignore', 'kept.ts', 'dist/out.js', 'sub/x.log', 'sub/y.ts');
  await writeFile(join(root, '.gitignore'), 'dist/\n*.log\n');
  expect(await all(createTreeIndex({ root, rg: findRg(), now: () => performance.now() }))).toEqual([
    '.gitignore',
    'kept.ts',
    'sub/',
    'sub/y.ts',
  ]);
});

test('[FL9] a ripgrep that cannot be run is replaced by our own walk', async () => {
  const root = await plant('broken', 'a.ts', 'node_modules/x/y.js');
  expect(await all(createTreeIndex({ root, rg: join(dir, 'no-rg'), now: () => performance.now() }))).toEqual(['a.ts']);
});

describe('choosing a directory', () => {
  test('[FL10] reads ~ as a shell would and refuses what is not absolute', () => {
    expect(expandPath('~', '/home/me')).toBe('/home/me');
    expect(expandPath('', '/home/me')).toBe('/home/me');
    expect(expandPath('~/a/../b/', '/home/me')).toBe('/home/me/b');
    expect(expandPath('/a//b/.')).toBe('/a/b');
    for (const bad of ['a/b', '~you/x', '../x', '/a\0b']) expect(expandPath(bad)).toBeNull();
  });

  test('[FL10] lists directories and links to them by name, hidden ones last', async () => {
    const root = await plant('pick', 'b10/x', 'b9/x', '.h/x', 'A/x', 'file');
    await symlink(join(root, 'A'), join(root, 'link'));
    await symlink(join(root, 'file'), join(root, 'link-to-file'));
    const listed = await listDirectories(root, 100);
    expect(listed.ok && listed.value.directories.map(({ name }) => name)).toEqual(['A', 'b9', 'b10', 'link', '.h']);
    expect(listed).toMatchObject({ value: { path: root, parent: dir, is_complete: true } });
    expect(await listDirectories(root, 2)).toMatchObject({ value: { is_complete: false } });
    expect(await listDirectories('/', 1)).toMatchObject({ value: { parent: null } });
  });

  test('[FL10] says why a directory cannot be listed', async () => {
    const root = await plant('refused', 'file');
    expect(await listDirectories(join(root, 'none'), 9)).toMatchObject({ ok: false, error: { code: 'missing_cwd' } });
    expect(await listDirectories(join(root, 'file'), 9)).toMatchObject({ ok: false, error: { code: 'missing_cwd' } });
    expect(await listDirectories('relative', 9)).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
  });
});
