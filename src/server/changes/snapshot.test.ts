/** Checkpoints of a real repository: what they hold, and what they leave alone. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CONVERSATION, openChangesStand } from '../../testing/changes-stand.ts';

test('[CH1] a turn is kept as two commits under refs/signalbox, with exactly the files that are not ignored', async () => {
  const stand = await openChangesStand();
  stand.write('.gitignore', 'ignored\n');
  stand.write('ignored', 'secret');
  stand.write('new.txt', 'untracked');
  const { before, after } = await stand.turn(() => stand.write('a.txt', 'two\n'));
  expect(stand.git(['for-each-ref', '--format=%(refname) %(objectname)']).trim().split('\n').slice(-2)).toEqual([
    `refs/signalbox/${CONVERSATION}/turn-1/after ${after?.commit}`,
    `refs/signalbox/${CONVERSATION}/turn-1/before ${before.commit}`,
  ]);
  expect(stand.git(['ls-tree', '-r', '--name-only', before.commit]).trim().split('\n')).toEqual([
    '.gitignore',
    'a.txt',
    'new.txt',
  ]);
  expect(stand.git(['show', `${before.commit}:a.txt`])).toBe('one\n');
  expect(stand.git(['show', `${after?.commit}:a.txt`])).toBe('two\n');
});

test('[CH9] a snapshot counts the bytes of the files that it read: new and changed ones, not those it already had', async () => {
  const stand = await openChangesStand();
  await stand.turn(() => undefined);
  stand.write('new.txt', 'untracked');
  const { before, after } = await stand.turn(() => stand.write('a.txt', 'three\n'));
  expect([before.stored_bytes, after?.stored_bytes]).toEqual(['untracked'.length, 'three\n'.length]);
  const { before: unchanged } = await stand.turn(() => undefined);
  expect(unchanged.stored_bytes).toBe(0);
});

test('[CH1] a file that was changed in the second of `git add`, to content of the same size, is kept as it is on disk', async () => {
  const stand = await openChangesStand();
  // Long ago, so that an index of ours is written in a later second.
  const at = new Date(1_700_000_000_000);
  const age = (name: string) => utimesSync(join(stand.root, name), at, at);
  stand.write('a.txt', 'old\n');
  age('a.txt');
  stand.git(['add', 'a.txt']);
  stand.write('a.txt', 'new\n');
  age('a.txt');
  age('.git/index');
  const { before } = await stand.turn(() => undefined);
  expect(stand.git(['show', `${before.commit}:a.txt`])).toBe('new\n');
});

test('[CH2] index, HEAD, stash, config, reflog, status and branches are byte for byte the same after a checkpoint', async () => {
  const stand = await openChangesStand();
  stand.write('staged.txt', 'staged');
  stand.git(['add', 'staged.txt']);
  stand.write('a.txt', 'changed');
  const files = ['index', 'HEAD', 'config', 'logs/HEAD', 'logs/refs/heads/main'];
  const look = () => [
    ...files.map((name) => readFileSync(join(stand.root, '.git', name), 'latin1')),
    statSync(join(stand.root, '.git/index')).mtimeMs,
    stand.git(['--no-optional-locks', 'status', '--porcelain=v2', '--branch']),
    stand.git(['branch', '-a']),
    stand.git(['stash', 'list']),
  ];
  const before = look();
  await stand.turn(() => undefined);
  expect(look()).toEqual(before);
  expect(existsSync(join(stand.root, '.git/logs/refs/signalbox'))).toBe(false);
});

test('[CH3] git push --all does not push checkpoints', async () => {
  const stand = await openChangesStand();
  const remote = join(stand.dir, 'remote.git');
  stand.git(['init', '-q', '--bare', remote]);
  await stand.turn(() => stand.write('a.txt', 'two'));
  stand.git(['push', '-q', '--all', remote]);
  stand.git(['push', '-q', '--tags', remote]);
  expect(execFileSync('git', ['for-each-ref', '--format=%(refname)'], { cwd: remote }).toString().trim()).toBe(
    'refs/heads/main',
  );
});

test('[CH4] a file above the limit, and new files above their limit together, are left out and named', async () => {
  const stand = await openChangesStand({ limits: { maxFileBytes: 1_000, maxNewBytes: 1_500 } });
  stand.write('a.txt', 'x'.repeat(1_001));
  stand.write('b.bin', 'y'.repeat(900));
  stand.write('c.bin', 'z'.repeat(900));
  const { before } = await stand.turn(() => undefined);
  expect(before.left_out.map(({ path, reason }) => `${path} ${reason}`).sort()).toEqual([
    'a.txt too_large',
    expect.stringMatching(/^[bc]\.bin too_large$/),
  ]);
});

test('[CH5] a conversation outside a repository has no checkpoints, and its turns are not disturbed', async () => {
  const stand = await openChangesStand();
  const { recorder, store, cwds } = stand.parts();
  stand.write('.gitignore', 'out\n');
  stand.write('out/x', 'x');
  // An ignored folder of a repository is outside too: a checkpoint would have none of its files.
  cwds.set(CONVERSATION, join(stand.root, 'out'));
  await recorder.beforeTurn(CONVERSATION);
  recorder.note(CONVERSATION, { type: 'turn_started', turnId: 't' });
  recorder.note(CONVERSATION, { type: 'turn_ended', turnId: 't', status: 'completed' });
  await recorder.idle();
  expect(store.list(CONVERSATION)).toEqual([]);
});

test('[CH6] a file that changed after the turn began and before it was read is marked as late', async () => {
  const stand = await openChangesStand();
  stand.write('before.txt', 'edited by the person');
  const { trees } = stand.parts();
  const old = Date.now() + 1_000;
  // The begin of the turn lies between the two edits; the clock of files is not moved, so the begin is.
  const read = await trees.use(stand.root, (open) => open.read(() => old));
  expect(read.ok && read.value.late).toEqual([]);
  const begun = Date.now();
  stand.write('before.txt', 'edited by the agent');
  const again = await trees.use(stand.root, (open) => open.read(() => begun));
  expect(again.ok && again.value.late).toEqual(['before.txt']);
});
