/** Staging, unstaging and discarding of files and hunks in real repositories. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ChangesStand, CONVERSATION, openChangesStand, type StandOptions } from '../../testing/changes-stand.ts';
import { diffEnds } from './diff-ends.ts';
import { createDiscard } from './discard.ts';
import { diffIndex, type IndexSide } from './index-diff.ts';
import { changeIndex } from './stage.ts';
import type { OpenTree } from './work-trees.ts';

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join('');

async function openStand(options: StandOptions = {}) {
  const stand = await openChangesStand(options);
  const { git, ownGit } = stand;
  const run = { git: ownGit, folder: stand.folder };
  function use<T>(task: (open: OpenTree) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const done = stand.parts().trees.use(stand.root, async (open) => {
        resolve(await task(open));
        return { ok: true, value: null };
      });
      done.then((answer) => answer.ok || reject(new Error(answer.error.message)), reject);
    });
  }
  const discard = createDiscard({ repo: run, trees: stand.parts().trees, undo: stand.parts().undo });
  return {
    ...stand,
    hunks: async (side: IndexSide, path: string) => {
      const diff = await use(({ tree }) => diffIndex(run, tree, side, path));
      if (!diff.ok) throw new Error(diff.error.message);
      return diff.value.hunks;
    },
    diff: (from: 'head' | 'index' | 'work_tree' | 'base', to: typeof from, path?: string) =>
      use((open) => diffEnds(run, open, { kind: from }, { kind: to }, path)),
    stage: (paths: string[], hunks?: readonly string[]) =>
      use(({ tree }) => changeIndex(run, tree, 'stage', { paths, hunks })),
    unstage: (paths: string[], hunks?: readonly string[]) =>
      use(({ tree }) => changeIndex(run, tree, 'unstage', { paths, hunks })),
    discard: (paths: string[], hunks?: readonly string[]) =>
      discard({ conversationId: CONVERSATION, cwd: stand.root, paths, hunks }),
    status: () =>
      git(['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all']).split('\0').filter(Boolean),
    staged: (path: string) => git(['show', `:${path}`]),
    read: (path: string) => readFileSync(join(stand.root, path), 'utf8'),
  };
}

const OK = { ok: true };
const CONFLICT = { ok: false, error: { code: 'conflict' } };

/** Three changes far apart: three hunks. */
async function openHunks() {
  const stand = await openStand();
  stand.write('long.txt', numbered(1, 60));
  stand.git(['add', '-A']);
  stand.git(['commit', '-q', '-m', 'long']);
  const changed = `new first\n${numbered(1, 29)}thirty\nthirty and a half\n${numbered(31, 55)}${numbered(57, 60)}`;
  stand.write('long.txt', changed);
  return { ...stand, changed };
}

test('[CH100] files are staged and unstaged: changed, new, deleted, of another mode and kind, with any name', async () => {
  const stand = await openStand();
  for (const name of ['gone.txt', 'mode.sh', 'kind']) stand.write(name, `${name}\n`);
  stand.git(['add', '-A']);
  stand.git(['commit', '-q', '-m', 'more']);
  rmSync(join(stand.root, 'gone.txt'));
  rmSync(join(stand.root, 'kind'));
  stand.link('kind', 'a.txt');
  chmodSync(join(stand.root, 'mode.sh'), 0o755);
  stand.write('a.txt', 'two\n');
  const odd = ['new\nline', '-leading dash', 'quo"te', ':(top)magic', 'dir/new.txt'];
  for (const name of odd) stand.write(name, 'odd\n');
  stand.write(Buffer.from([0x62, 0xff, 0x61]), 'bytes\n');
  const before = stand.tree();
  const paths = ['a.txt', 'gone.txt', 'mode.sh', 'kind', ...odd, '"b\\377a"'];
  expect(await stand.stage(paths)).toMatchObject(OK);
  expect(stand.status().map((line) => line.slice(0, 2))).toEqual(expect.not.arrayContaining(['??', ' M', ' D', ' T']));
  expect(stand.status()).toHaveLength(paths.length);
  expect(await stand.unstage(paths)).toMatchObject(OK);
  expect(stand.status().filter((line) => !/^( .|\?\?)/.test(line))).toEqual([]);
  expect(stand.tree()).toEqual(before);
});

test('[CH100] before the first commit files are staged and unstaged too', async () => {
  const stand = await openStand({ isEmpty: true });
  stand.write('first.txt', 'x\n');
  expect(await stand.stage(['first.txt'])).toMatchObject(OK);
  expect(stand.status()).toEqual(['A  first.txt']);
  expect(await stand.unstage(['first.txt'])).toMatchObject(OK);
  expect(stand.status()).toEqual(['?? first.txt']);
});

test.each([[[0]], [[1]], [[2]], [[0, 2]], [[1, 2]]])(
  '[CH101] the hunks %j alone are staged, and unstaged again',
  async (chosen) => {
    const stand = await openHunks();
    const keys = await stand.hunks('unstaged', 'long.txt');
    expect(keys).toHaveLength(3);
    const pick = (list: readonly string[]) => chosen.flatMap((at) => list[at] ?? []);
    expect(await stand.stage(['long.txt'], pick(keys))).toMatchObject(OK);
    const parts = [
      chosen.includes(0) ? 'new first\n' : '',
      numbered(1, 29),
      chosen.includes(1) ? 'thirty\nthirty and a half\n' : 'line 30\n',
      numbered(31, 55),
      chosen.includes(2) ? '' : 'line 56\n',
      numbered(57, 60),
    ];
    expect(stand.staged('long.txt')).toBe(parts.join(''));
    expect(stand.read('long.txt')).toBe(stand.changed);
    // The rest is staged as a whole, and the same hunks are unstaged: what is left is the others.
    expect(await stand.stage(['long.txt'])).toMatchObject(OK);
    expect(await stand.unstage(['long.txt'], pick(await stand.hunks('staged', 'long.txt')))).toMatchObject(OK);
    const left = await stand.hunks('unstaged', 'long.txt');
    expect(left.map((key) => key.split(':')[2])).toEqual(pick(keys).map((key) => key.split(':')[2]));
  },
);

test('[CH102] a hunk that is not there any more is a conflict, and index and files stay as they are', async () => {
  const stand = await openHunks();
  const [first = '', , last = ''] = await stand.hunks('unstaged', 'long.txt');
  stand.write('long.txt', stand.changed.replace('new first', 'newer first'));
  const index = readFileSync(join(stand.root, '.git/index'));
  const before = stand.tree();
  expect(await stand.stage(['long.txt'], [first, last])).toMatchObject(CONFLICT);
  expect(await stand.discard(['long.txt'], [first, last])).toMatchObject(CONFLICT);
  expect(readFileSync(join(stand.root, '.git/index')).equals(index)).toBe(true);
  expect(stand.tree()).toEqual(before);
  // A hunk that only moved is still the same.
  stand.write('long.txt', `more\n${stand.changed}`);
  expect(await stand.stage(['long.txt'], [last])).toMatchObject(OK);
  expect(stand.staged('long.txt')).toBe(`${numbered(1, 55)}${numbered(57, 60)}`);
});

test('[CH103] while another git has the lock of the index, nothing is staged and the answer says so', async () => {
  const stand = await openHunks();
  const keys = await stand.hunks('unstaged', 'long.txt');
  writeFileSync(join(stand.root, '.git/index.lock'), '');
  for (const done of [await stand.stage(['long.txt']), await stand.stage(['long.txt'], keys)])
    expect(done).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('index.lock') },
    });
  rmSync(join(stand.root, '.git/index.lock'));
  expect(stand.status()).toEqual([' M long.txt']);
});

test('[CH104] no filter runs: a filtered file is refused with the reason, a driver that nobody configured is none', async () => {
  const stand = await openStand();
  const canary = join(stand.dir, 'canary');
  stand.write('.gitattributes', '*.bin filter=evil\n*.txt filter=nobody\n');
  stand.write('x.bin', 'x\n');
  stand.git(['add', '-A']);
  stand.git(['commit', '-q', '-m', 'x']);
  for (const act of ['clean', 'smudge'])
    stand.git(['config', `filter.evil.${act}`, `sh -c "echo ran >> ${canary}; cat"`]);
  mkdirSync(join(stand.root, '.git/hooks'), { recursive: true });
  writeFileSync(join(stand.root, '.git/hooks/post-index-change'), `#!/bin/sh\necho hook >> ${canary}\n`, {
    mode: 0o755,
  });
  stand.write('x.bin', 'changed\n');
  stand.write('a.txt', 'changed\n');
  for (const done of [await stand.stage(['x.bin']), await stand.discard(['x.bin'])])
    expect(done).toMatchObject({ ok: false, error: { code: 'conflict', message: expect.stringContaining('"evil"') } });
  expect(await stand.stage(['a.txt'])).toMatchObject(OK);
  expect(await stand.unstage(['a.txt'])).toMatchObject(OK);
  expect(await stand.discard(['a.txt'])).toMatchObject(OK);
  expect(existsSync(canary) ? readFileSync(canary, 'utf8') : '').toBe('');
  expect(stand.read('a.txt')).toBe('one\n');
});

test('[CH105] line ends are staged as git keeps them and discarded as they are on the disk', async () => {
  const stand = await openStand();
  stand.write('.gitattributes', '*.txt text eol=crlf\n');
  const crlf = (text: string) => text.replaceAll('\n', '\r\n');
  stand.write('w.txt', crlf(numbered(1, 30)));
  stand.git(['add', '-A']);
  stand.git(['commit', '-q', '-m', 'crlf']);
  const changed = numbered(1, 30).replace('line 2\n', 'second\n').replace('line 28\n', 'late\n');
  stand.write('w.txt', crlf(changed));
  const [first = '', second = ''] = await stand.hunks('unstaged', 'w.txt');
  expect(await stand.stage(['w.txt'], [first])).toMatchObject(OK);
  expect(stand.staged('w.txt')).toBe(numbered(1, 30).replace('line 2\n', 'second\n'));
  expect(await stand.discard(['w.txt'], [(await stand.hunks('unstaged', 'w.txt'))[0] ?? second])).toMatchObject(OK);
  expect(stand.read('w.txt')).toBe(crlf(numbered(1, 30).replace('line 2\n', 'second\n')));
  // Lines that git would rewrite with the hunk: only the whole file can be discarded.
  stand.write('w.txt', `mixed\n${crlf(changed)}`);
  const mixed = await stand.hunks('unstaged', 'w.txt');
  expect(await stand.discard(['w.txt'], mixed.slice(0, 1))).toMatchObject(CONFLICT);
  expect(stand.read('w.txt')).toBe(`mixed\n${crlf(changed)}`);
  expect(await stand.discard(['w.txt'])).toMatchObject(OK);
  expect(stand.read('w.txt')).toBe(crlf(numbered(1, 30).replace('line 2\n', 'second\n')));
});

test('[CH106] a discard gives files what the index has, removes untracked ones, and its checkpoint brings all back', async () => {
  const stand = await openStand();
  for (const name of ['gone.txt', 'both.txt']) stand.write(name, `${name}\n`);
  stand.git(['add', '-A']);
  stand.git(['commit', '-q', '-m', 'more']);
  stand.write('both.txt', 'staged\n');
  stand.git(['add', 'both.txt']);
  stand.write('both.txt', 'later\n');
  rmSync(join(stand.root, 'gone.txt'));
  stand.write('a.txt', 'two\n');
  stand.write('dir/new.txt', 'new\n');
  stand.write('meant.txt', 'meant\n');
  stand.git(['add', '-N', 'meant.txt']);
  const before = stand.tree();
  const done = await stand.discard(['a.txt', 'both.txt', 'gone.txt', 'dir/new.txt', 'meant.txt']);
  expect(done).toMatchObject({ ok: true, value: { skipped: [], checkpoint: { kind: 'discard', of: null } } });
  expect(stand.tree()).toEqual({ 'a.txt': 'file one\n', 'both.txt': 'file staged\n', 'gone.txt': 'file gone.txt\n' });
  expect(stand.status()).toEqual(['M  both.txt']);
  const checkpoint = stand.parts().store.list(CONVERSATION).at(-1);
  if (checkpoint === undefined) throw new Error('no checkpoint');
  await stand.mustUndo(checkpoint);
  expect(stand.tree()).toEqual(before);
});

test('[CH106] a discard of hunks leaves the others, and is undone', async () => {
  const stand = await openHunks();
  const [, second = ''] = await stand.hunks('unstaged', 'long.txt');
  const done = await stand.discard(['long.txt'], [second]);
  expect(stand.read('long.txt')).toBe(`new first\n${numbered(1, 55)}${numbered(57, 60)}`);
  if (!done.ok || done.value.checkpoint === null) throw new Error('no checkpoint');
  await stand.mustUndo(done.value.checkpoint);
  expect(stand.read('long.txt')).toBe(stand.changed);
});

test('[CH107] conflicts, submodules, foreign repositories and files that no checkpoint can keep are refused, and nothing is done', async () => {
  const stand: ChangesStand & Awaited<ReturnType<typeof openStand>> = await openStand({
    limits: { maxFileBytes: 1_000, maxNewBytes: 10_000 },
  });
  stand.git(['checkout', '-q', '-b', 'side']);
  stand.write('a.txt', 'side\n');
  stand.git(['commit', '-qam', 'side']);
  stand.git(['checkout', '-q', 'main']);
  stand.write('a.txt', 'main\n');
  stand.git(['commit', '-qam', 'main']);
  expect(() => stand.git(['merge', '-q', 'side'])).toThrow();
  stand.write('big.bin', 'x'.repeat(2_000));
  mkdirSync(join(stand.root, 'inner'));
  stand.git(['init', '-q'], join(stand.root, 'inner'));
  writeFileSync(join(stand.root, 'inner/f'), 'f');
  const before = stand.tree();
  for (const path of ['a.txt', 'big.bin', 'inner', 'none.txt'])
    expect(await stand.discard([path]), path).toMatchObject(CONFLICT);
  for (const path of ['../up', '/etc/passwd', '.git/config', 'x/../../up', '"\\q"']) {
    expect(await stand.discard([path]), path).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
    expect(await stand.stage([path]), path).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
  }
  expect(await stand.unstage(['a.txt'])).toMatchObject(CONFLICT);
  for (const path of ['inner', 'none.txt']) expect(await stand.stage([path]), path).toMatchObject(CONFLICT);
  expect(stand.tree()).toEqual(before);
  // Staging a file with conflicts says that they are resolved, as git add does.
  stand.write('a.txt', 'resolved\n');
  expect(await stand.stage(['a.txt'])).toMatchObject(OK);
  expect(stand.staged('a.txt')).toBe('resolved\n');
});

test('[CH110] differences have the index and the base branch as ends', async () => {
  const stand = await openStand();
  stand.git(['checkout', '-q', '-b', 'work']);
  stand.write('a.txt', 'committed\n');
  stand.git(['commit', '-qam', 'work']);
  stand.write('a.txt', 'staged\n');
  stand.git(['add', 'a.txt']);
  stand.write('a.txt', 'disk\n');
  stand.write('new.txt', 'new\n');
  const lines = async (...ends: Parameters<typeof stand.diff>) => {
    const diff = await stand.diff(...ends);
    return diff.ok ? diff.value.text.split('\n').filter((line) => /^[+-][^+-]/.test(line)) : diff.error;
  };
  expect(await lines('head', 'index')).toEqual(['-committed', '+staged']);
  expect(await lines('index', 'head')).toEqual(['-staged', '+committed']);
  expect(await lines('index', 'work_tree')).toEqual(['-staged', '+disk']);
  expect(await lines('index', 'work_tree', 'new.txt')).toEqual(['+new']);
  expect(await lines('base', 'index')).toEqual(['-one', '+staged']);
  expect(await lines('base', 'work_tree')).toEqual(['-one', '+disk', '+new']);
});
