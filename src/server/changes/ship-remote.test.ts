/** Branches, pull and push with the real git and a bare remote. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CONVERSATION } from '../../testing/changes-stand.ts';
import { openShipStand } from '../../testing/ship-stand.ts';

/** The remote is a folder on this disk, whose hooks a push runs: it is trusted first. */
async function openWithRemote() {
  const stand = await openShipStand();
  const bare = stand.addRemote();
  await stand.trustAll();
  return { ...stand, bare, remoteHead: (branch = 'main') => stand.git(['rev-parse', branch], bare).trim() };
}

test('[CH141] a new branch takes changes along, or begins at another commit; bad names are refused', async () => {
  const { branch, finish, git, write } = await openShipStand();
  write('a.txt', 'two\n');
  expect(await finish(await branch('codex/fix'))).toMatchObject({ done: { branch: 'codex/fix' }, kept: null });
  expect(git(['status', '--porcelain'])).toBe(' M a.txt\n');
  for (const name of ['-x', 'a..b', '@', 'HEAD'])
    expect(await branch(name)).toMatchObject({ error: { code: 'invalid_request' } });
  expect(await branch('main')).toMatchObject({ error: { code: 'conflict' } });
  expect(await branch('x', 'nothing')).toMatchObject({ error: { code: 'not_found' } });
  expect(await finish(await branch('older', 'main'))).toMatchObject({ done: { branch: 'older' } });
});

test('[CH142] a switch is refused while a turn runs, and where changes would be overwritten; the files are kept first', async () => {
  const stand = await openShipStand();
  const { git, write, finish, busy, root } = stand;
  git(['switch', '-qc', 'side']);
  write('a.txt', 'side\n');
  git(['commit', '-qam', 'side']);
  write('a.txt', 'mine\n');
  write('new.txt', 'untracked\n');
  busy.add(CONVERSATION);
  expect(await stand.switch('main')).toMatchObject({
    error: { code: 'conflict', details: { conversation_id: CONVERSATION } },
  });
  busy.clear();
  const refused = await finish(await stand.switch('main'));
  expect(refused).toMatchObject({ state: 'failed', failure: { reason: 'overwrite', files: ['a.txt'] } });
  expect(git(['branch', '--show-current']).trim()).toBe('side');
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('mine\n');
  const done = await finish(await stand.switch('main', true));
  expect(done).toMatchObject({ state: 'done', done: { branch: 'main' } });
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n');
  expect(git(['show', `${done.kept}:a.txt`])).toBe('mine\n');
  expect(git(['show', `${done.kept}:new.txt`])).toBe('untracked\n');
  expect(git(['for-each-ref', '--points-at', done.kept ?? ''])).toContain('refs/signalbox/kept/');
  expect(await stand.switch('nothing')).toMatchObject({ error: { code: 'not_found' } });
  expect(await stand.switch('--detach')).toMatchObject({ error: { code: 'invalid_request' } });
});

test('[CH142] a branch of a remote gets a local one that follows it', async () => {
  const { git, finish, switch: change, dir } = await openWithRemote();
  git(['push', '-q', 'origin', 'main:feat/x']);
  git(['fetch', '-q']);
  expect(await finish(await change('refs/remotes/origin/feat/x'))).toMatchObject({ done: { branch: 'feat/x' } });
  expect(git(['rev-parse', '--abbrev-ref', 'feat/x@{upstream}']).trim()).toBe('origin/feat/x');
  expect(existsSync(join(dir, 'remote.git'))).toBe(true);
});

test('[CH143] a pull is a fast-forward; where both sides moved it says so, and merges or rebases when asked', async () => {
  const { pull, finish, git, write, pushFromElsewhere } = await openWithRemote();
  pushFromElsewhere('b.txt', 'b\n');
  expect(await finish(await pull())).toMatchObject({ state: 'done', done: { subject: 'elsewhere b.txt' } });
  pushFromElsewhere('c.txt', 'c\n');
  write('d.txt', 'd\n');
  git(['add', '-A']);
  git(['commit', '-qm', 'here']);
  const before = git(['rev-parse', 'HEAD']);
  expect(await finish(await pull())).toMatchObject({ failure: { reason: 'diverged' } });
  expect(git(['rev-parse', 'HEAD'])).toBe(before);
  expect(await finish(await pull('rebase'))).toMatchObject({ state: 'done', done: { subject: 'here' } });
  expect(git(['rev-list', '--merges', '--count', 'HEAD']).trim()).toBe('0');
  pushFromElsewhere('e.txt', 'e\n');
  expect(await finish(await pull('merge'))).toMatchObject({ state: 'done' });
  expect(git(['rev-list', '--merges', '--count', 'HEAD']).trim()).toBe('1');
});

test.each(['merge', 'rebase'] as const)(
  '[CH144] a %s with conflicts names the files and leaves all as it was',
  async (mode) => {
    const { pull, finish, git, write, pushFromElsewhere, tree } = await openWithRemote();
    pushFromElsewhere('a.txt', 'theirs\n');
    write('a.txt', 'ours\n');
    git(['commit', '-qam', 'ours']);
    write('loose.txt', 'untracked\n');
    if (mode === 'merge') {
      write('b.txt', 'b\n');
      git(['add', 'b.txt']);
    }
    const before = { tree: tree(), head: git(['rev-parse', 'HEAD']), status: git(['status', '--porcelain']) };
    if (mode === 'rebase') {
      const refused = await finish(await pull(mode));
      expect(refused).toMatchObject({ failure: { reason: 'conflict', files: ['a.txt'] } });
    } else {
      // With something staged git does not begin a merge.
      expect(await finish(await pull(mode))).toMatchObject({ state: 'failed' });
      expect({ tree: tree(), head: git(['rev-parse', 'HEAD']), status: git(['status', '--porcelain']) }).toEqual(
        before,
      );
      git(['reset', '-q']);
      before.status = git(['status', '--porcelain']);
      expect(await finish(await pull(mode))).toMatchObject({ failure: { reason: 'conflict', files: ['a.txt'] } });
    }
    expect({ tree: tree(), head: git(['rev-parse', 'HEAD']), status: git(['status', '--porcelain']) }).toEqual(before);
  },
);

test('[CH145] a push sets the upstream, pushes one branch and no checkpoint, and explains a refusal', async () => {
  const { push, branch, finish, git, write, turn, bare, remoteHead, commit, pushFromElsewhere } =
    await openWithRemote();
  await turn(() => write('a.txt', 'agent\n'));
  git(['tag', '-am', 'v1', 'v1']);
  await finish(await branch('codex/fix'));
  await finish(await commit({ what: 'all' }));
  const run = await finish(await push());
  expect(run).toMatchObject({ state: 'done', done: { branch: 'codex/fix' } });
  expect(run.output).toContain('codex/fix');
  expect(remoteHead('codex/fix')).toBe(git(['rev-parse', 'HEAD']).trim());
  expect(git(['rev-parse', '--abbrev-ref', '@{upstream}']).trim()).toBe('origin/codex/fix');
  expect(git(['for-each-ref', '--format=%(refname)'], bare).trim().split('\n')).toEqual([
    'refs/heads/codex/fix',
    'refs/heads/main',
  ]);
  git(['switch', '-q', 'main']);
  pushFromElsewhere('b.txt', 'b\n');
  write('c.txt', 'c\n');
  git(['add', '-A']);
  git(['commit', '-qm', 'here']);
  expect(await finish(await push())).toMatchObject({
    failure: { reason: 'rejected', message: expect.stringContaining('Pull first') },
  });
});

test('[CH146] a push replaces commits only with a lease, and only those that the person has seen', async () => {
  const { push, finish, git, write, remoteHead, pushFromElsewhere } = await openWithRemote();
  write('a.txt', 'two\n');
  git(['commit', '-qam', 'two']);
  await finish(await push());
  git(['commit', '-q', '--amend', '-m', 'better']);
  expect(await finish(await push())).toMatchObject({ failure: { reason: 'rejected' } });
  expect(await finish(await push(true))).toMatchObject({ state: 'done' });
  expect(remoteHead()).toBe(git(['rev-parse', 'HEAD']).trim());
  pushFromElsewhere('b.txt', 'b\n');
  const theirs = remoteHead();
  git(['commit', '-q', '--amend', '-m', 'best']);
  expect(await finish(await push(true))).toMatchObject({
    failure: { reason: 'rejected', message: expect.stringContaining('have not seen') },
  });
  expect(remoteHead()).toBe(theirs);
});

test('[CH145] a detached HEAD, a missing remote and one that cannot be reached are said', async () => {
  const stand = await openShipStand();
  const { push, pull, finish, git, dir } = stand;
  expect(await push()).toMatchObject({ error: { code: 'not_found' } });
  expect(await pull()).toMatchObject({ error: { code: 'conflict' } });
  git(['remote', 'add', 'origin', 'http://127.0.0.1:9/x.git']);
  expect(await finish(await push())).toMatchObject({ failure: { reason: 'unreachable' } });
  git(['remote', 'set-url', 'origin', join(dir, 'gone.git')]);
  await stand.trustAll();
  expect(await finish(await push())).toMatchObject({ failure: { reason: 'unreachable' } });
  git(['checkout', '-q', '--detach']);
  expect(await push()).toMatchObject({ error: { code: 'conflict' } });
});

test('[CH147] a pull request is drafted from the commits; without a tool there is the page of the host', async () => {
  const { ship, git, write } = await openWithRemote();
  expect(await ship.draft(CONVERSATION)).toMatchObject({ error: { code: 'conflict' } });
  git(['switch', '-qc', 'codex/fix-it']);
  write('a.txt', 'two\n');
  git(['commit', '-qam', 'Fix it\n\nBecause.']);
  git(['remote', 'set-url', 'origin', 'https://me:s3cret@codeberg.org/o/r.git']);
  const draft = await ship.draft(CONVERSATION);
  expect(draft).toMatchObject({
    value: {
      title: 'Fix it',
      body: 'Because.',
      base: 'main',
      tool: null,
      repository: 'codeberg.org/o/r',
      compare_url: 'https://codeberg.org/o/r/compare/main...codex/fix-it',
      is_pushed: false,
    },
  });
  expect(JSON.stringify(draft)).not.toContain('s3cret');
  expect(JSON.stringify(await ship.read(CONVERSATION))).not.toContain('s3cret');
});
