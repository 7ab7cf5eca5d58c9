/** Linked work trees of real repositories: made, finished, removed; nothing runs, and nothing gets lost. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorktreesStand as openStand } from '../../testing/worktrees-stand.ts';

const BUSY = `conv_${'c'.repeat(32)}`;

test('[CH80] the work trees of a repository are listed from each of them, with branch and conversations', async () => {
  const stand = await openStand();
  const { worktree } = await stand.add('codex/fix');
  stand.conversations.push({ id: BUSY, cwd: worktree.path });
  for (const cwd of [stand.root, worktree.path]) {
    const listed = await stand.worktrees.list(cwd);
    expect(listed.ok && listed.value).toMatchObject({
      worktrees: [
        { path: realpathSync(stand.root), branch: 'main', is_main: true, conversations: [] },
        { path: worktree.path, branch: 'codex/fix', is_main: false, conversations: [BUSY] },
      ],
      base: 'main',
    });
  }
});

test('[CH81] a new work tree lies beside the repository, on a new branch from the base, without running a hook or a filter', async () => {
  const stand = await openStand();
  stand.write('.gitattributes', '*.txt filter=evil\n');
  stand.git(['add', '-A']);
  stand.git(['commit', '-q', '-m', 'attributes']);
  stand.git(['switch', '-q', '-c', 'other']);
  stand.commit(stand.root, 'b.txt', 'not on main\n');
  const proof = join(stand.dir, 'ran');
  writeFileSync(join(stand.root, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch '${proof}'\n`, { mode: 0o755 });
  stand.git(['config', 'filter.evil.smudge', `touch '${proof}'; cat`]);
  const { worktree, warnings } = await stand.add('codex/fix');
  expect(worktree.path).toBe(`${realpathSync(stand.root)}-worktrees/codex-fix`);
  expect(existsSync(join(worktree.path, 'a.txt'))).toBe(true);
  expect(existsSync(join(worktree.path, 'b.txt'))).toBe(false);
  expect(warnings).toEqual([expect.stringContaining('No filter of git ran')]);
  expect(existsSync(proof)).toBe(false);
});

test.each([
  ['another work tree', 'gitdir:**/worktrees/**'],
  ['another branch', 'onbranch:codex/*'],
])('[CH81] a filter that the repository names for %s only does not run either', async (_where, condition) => {
  const stand = await openStand();
  stand.write('.gitattributes', '*.txt filter=evil\n');
  stand.git(['add', '-A']);
  stand.git(['commit', '-q', '-m', 'attributes']);
  const proof = join(stand.dir, 'ran');
  stand.write('.git/more', `[filter "evil"]\n\tsmudge = touch '${proof}'; cat\n`);
  stand.git(['config', `includeIf.${condition}.path`, 'more']);
  const { worktree } = await stand.add('codex/fix');
  expect(existsSync(join(worktree.path, 'a.txt'))).toBe(true);
  expect(existsSync(proof)).toBe(false);
});

test('[CH83] a filter that the repository names for the main work tree only does not run when the base is set forward', async () => {
  const stand = await openStand();
  const { worktree } = await stand.add('codex/fix');
  stand.commit(worktree.path, 'new.txt', 'new\n');
  stand.commit(worktree.path, '.gitattributes', '*.txt filter=evil\n');
  const proof = join(stand.dir, 'ran');
  stand.write('.git/more', `[filter "evil"]\n\tsmudge = touch '${proof}'; cat\n`);
  stand.git(['config', 'includeIf.onbranch:main.path', 'more']);
  expect(await stand.finish(worktree.path)).toMatchObject({ ok: true, value: { is_brought: true } });
  expect(readFileSync(join(stand.root, 'new.txt'), 'utf8')).toBe('new\n');
  expect(existsSync(proof)).toBe(false);
});

test.each([
  ['main', {}, 'conflict'],
  ['main', { existing: true }, 'conflict'],
  ['gone', { existing: true }, 'not_found'],
  ['x', { from: '--help' }, 'not_found'],
  ['x', { from: 'a\u0000b' }, 'not_found'],
  ['-x', {}, 'invalid_request'],
  ['a..b', {}, 'invalid_request'],
])('[CH81] a work tree on %j with %j is refused with %s, and nothing is made', async (branch, more, code) => {
  const stand = await openStand();
  const before = stand.git(['for-each-ref']);
  const added = await stand.worktrees.add({ cwd: stand.root, branch, existing: false, ...more });
  expect(added).toMatchObject({ ok: false, error: { code } });
  expect(stand.git(['for-each-ref'])).toBe(before);
  expect(existsSync(`${stand.root}-worktrees`)).toBe(false);
});

test('[CH82] ignored files that .worktreeinclude names are copied; links, pipes and files that git keeps are not', async () => {
  const stand = await openStand();
  stand.write('.gitignore', '.env*\nkeys/\npipe\nout\n');
  stand.write('.worktreeinclude', '# what a checkout needs\n.env*\nkeys/\npipe\nout/secret\na.txt\n!.env.example\n');
  stand.git(['add', '-A']);
  stand.git(['commit', '-q', '-m', 'ignore']);
  stand.write('.env', 'A=1\n', 0o600);
  stand.write('.env.example', 'A=\n');
  stand.write('keys/one/two.pem', 'key\n');
  symlinkSync('/etc/passwd', join(stand.root, 'keys/link'));
  execFileSync('mkfifo', [join(stand.root, 'pipe')]);
  stand.write('not-ignored.env', 'x\n');
  const { worktree, copied, warnings } = await stand.add('codex/fix');
  expect([...copied].sort()).toEqual(['.env', 'keys/one/two.pem']);
  expect(readFileSync(join(worktree.path, '.env'), 'utf8')).toBe('A=1\n');
  expect(warnings.join('\n')).toContain('keys/link is not copied');
  expect(existsSync(join(worktree.path, '.env.example'))).toBe(false);
});

test('[CH82] nothing is written through a link that the branch has in the place of a folder', async () => {
  const stand = await openStand();
  const outside = join(stand.dir, 'outside');
  mkdirSync(outside);
  stand.write('.gitignore', 'conf/secret\n');
  stand.write('.worktreeinclude', 'conf/secret\n');
  stand.git(['add', '-A']);
  stand.git(['commit', '-q', '-m', 'ignore']);
  stand.git(['switch', '-q', '-c', 'trap']);
  symlinkSync(outside, join(stand.root, 'conf'));
  stand.git(['add', '-A']);
  stand.git(['commit', '-q', '-m', 'link']);
  stand.git(['switch', '-q', 'main']);
  stand.write('conf/secret', 's\n');
  const { copied, warnings } = await stand.add('trap', { existing: true });
  expect(copied).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining('conf/secret is not copied')]);
  expect(existsSync(join(outside, 'secret'))).toBe(false);
});

test('[CH83] the work of a branch gets into its base, with the files where that is checked out, and the work tree goes', async () => {
  const stand = await openStand();
  const { worktree } = await stand.add('codex/fix');
  stand.commit(worktree.path, 'b.txt', 'new\n');
  const trial = await stand.finish(worktree.path, { is_trial: true });
  expect(trial).toMatchObject({
    ok: true,
    value: { into: 'main', commits: 1, how: 'fast_forward', is_brought: false },
  });
  const done = await stand.finish(worktree.path);
  expect(done).toMatchObject({ ok: true, value: { is_brought: true, is_removed: true } });
  expect(readFileSync(join(stand.root, 'b.txt'), 'utf8')).toBe('new\n');
  expect(existsSync(worktree.path)).toBe(false);
  expect(stand.git(['branch', '--format=%(refname:short)'])).toBe('main\n');
});

test.each(['merge', 'rebase'] as const)('[CH83] %s, where both sides have new commits', async (mode) => {
  const stand = await openStand();
  const { worktree } = await stand.add('codex/fix');
  stand.commit(worktree.path, 'b.txt', 'new\n');
  stand.commit(stand.root, 'c.txt', 'on main\n');
  const done = await stand.finish(worktree.path, { mode });
  expect(done).toMatchObject({ ok: true, value: { how: mode, is_brought: true, is_removed: true } });
  expect(stand.tree()).toMatchObject({ 'b.txt': 'file new\n', 'c.txt': 'file on main\n' });
  expect(stand.git(['rev-list', '--count', '--merges', 'main']).trim()).toBe(mode === 'merge' ? '1' : '0');
  expect(stand.git(['status', '--porcelain'])).toBe('');
});

test.each(['merge', 'rebase'] as const)('[CH83] a conflict of a %s is named, and nothing has changed', async (mode) => {
  const stand = await openStand();
  const { worktree } = await stand.add('codex/fix');
  stand.commit(worktree.path, 'a.txt', 'theirs\n');
  stand.commit(stand.root, 'a.txt', 'ours\n');
  const refs = stand.git(['for-each-ref']);
  const done = await stand.finish(worktree.path, { mode });
  expect(done).toMatchObject({ ok: true, value: { conflicts: ['a.txt'], is_brought: false, is_removed: false } });
  expect(stand.git(['for-each-ref'])).toBe(refs);
  expect(stand.git(['status', '--porcelain'], worktree.path)).toBe('');
});

test('[CH83] a change in the base that would be overwritten keeps the base as it is', async () => {
  const stand = await openStand();
  const { worktree } = await stand.add('codex/fix');
  stand.commit(worktree.path, 'a.txt', 'theirs\n');
  stand.write('a.txt', 'not committed\n');
  const head = stand.git(['rev-parse', 'main']);
  expect(await stand.finish(worktree.path)).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(stand.git(['rev-parse', 'main'])).toBe(head);
  expect(readFileSync(join(stand.root, 'a.txt'), 'utf8')).toBe('not committed\n');
  expect(existsSync(worktree.path)).toBe(true);
});

test('[CH83] a driver for merges that the repository names does not run: its files are conflicts', async () => {
  const stand = await openStand();
  const proof = join(stand.dir, 'ran');
  stand.write('.gitattributes', '*.txt merge=evil\n');
  stand.git(['add', '-A']);
  stand.git(['commit', '-q', '-m', 'attributes']);
  stand.git(['config', 'merge.evil.driver', `touch '${proof}'`]);
  const { worktree } = await stand.add('codex/fix');
  stand.commit(worktree.path, 'a.txt', 'one\ntheirs\n');
  stand.commit(stand.root, 'a.txt', 'ours\none\n');
  expect(await stand.finish(worktree.path)).toMatchObject({ ok: true, value: { conflicts: ['a.txt'] } });
  expect(existsSync(proof)).toBe(false);
});

test('[CH84] what git keeps nowhere else is named, and removed only when the person says so; it can still be found', async () => {
  const stand = await openStand();
  stand.write('.gitignore', 'out/\n.env\n');
  stand.write('.worktreeinclude', '.env\n');
  stand.git(['add', '-A']);
  stand.git(['commit', '-q', '-m', 'ignore']);
  stand.write('.env', 'A=1\n');
  const { worktree } = await stand.add('codex/fix');
  stand.commit(worktree.path, 'b.txt', 'committed\n');
  writeFileSync(join(worktree.path, 'loose.txt'), 'loose\n');
  mkdirSync(join(worktree.path, 'out'));
  writeFileSync(join(worktree.path, 'out/x'), 'build\n');
  const losses = { files: ['loose.txt'], ignored: ['out/'], commits: 1 };
  expect(await stand.remove(worktree.path, { with_branch: true })).toEqual({
    ok: true,
    value: { losses, is_removed: false, kept: null },
  });
  expect(await stand.finish(worktree.path)).toMatchObject({
    ok: true,
    value: { is_brought: false, is_removed: false },
  });
  expect(existsSync(join(worktree.path, 'loose.txt'))).toBe(true);
  const gone = await stand.remove(worktree.path, { with_branch: true, lose: true });
  if (!gone.ok || gone.value.kept === null) throw new Error(JSON.stringify(gone));
  expect(existsSync(worktree.path)).toBe(false);
  expect(stand.git(['branch', '--format=%(refname:short)'])).toBe('main\n');
  const { files, branch } = gone.value.kept;
  stand.git(['gc', '--prune=now', '-q']);
  expect(stand.git(['show', `${files}:loose.txt`])).toBe('loose\n');
  expect(stand.git(['show', `${branch}:b.txt`])).toBe('committed\n');
});

test('[CH84] a clean work tree goes without a question; its branch stays unless it is asked for', async () => {
  const stand = await openStand();
  const { worktree } = await stand.add('codex/fix');
  expect(await stand.remove(worktree.path)).toMatchObject({ ok: true, value: { is_removed: true } });
  expect(stand.git(['branch', '--format=%(refname:short)'])).toBe('codex/fix\nmain\n');
});

test('[CH84] the main work tree, a locked one and one with a running turn stay', async () => {
  const stand = await openStand();
  expect(await stand.remove(stand.root, { lose: true })).toMatchObject({ ok: false, error: { code: 'conflict' } });
  const { worktree } = await stand.add('codex/fix');
  stand.conversations.push({ id: BUSY, cwd: worktree.path });
  stand.busy.add(BUSY);
  expect(await stand.remove(worktree.path, { lose: true })).toMatchObject({
    ok: false,
    error: { code: 'conflict', details: { conversation_id: BUSY } },
  });
  stand.busy.clear();
  stand.git(['worktree', 'lock', worktree.path]);
  expect(await stand.finish(worktree.path)).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(existsSync(worktree.path)).toBe(true);
});
