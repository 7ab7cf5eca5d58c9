/** A repository that names a program wherever git lets it: a status, a difference, a checkpoint and an undo start none of them. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createGit, type Git } from '../../node/git.ts';
import { type ChangesStand, openChangesStand } from '../../testing/changes-stand.ts';
import { diffIndex } from './index-diff.ts';
import { findWorkTree } from './repository.ts';
import { changeIndex } from './stage.ts';
import { diffHead, readStatus } from './status.ts';
import { createWorkTrees } from './work-trees.ts';

const HOOKS = [
  'post-index-change',
  'reference-transaction',
  'pre-commit',
  'post-checkout',
  'pre-auto-gc',
  'fsmonitor-watchman',
];

/** Makes the repository hostile; whatever it runs writes to `canary`. */
function poison({ root, dir, write, git }: ChangesStand): string {
  const canary = join(dir, 'canary');
  const evil = join(dir, 'evil.sh');
  writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> ${canary}\ncat\n`);
  chmodSync(evil, 0o755);
  for (const folder of [join(root, '.git/hooks'), join(dir, 'hooks')]) {
    mkdirSync(folder, { recursive: true });
    for (const hook of HOOKS) {
      writeFileSync(join(folder, hook), `#!/bin/sh\necho ${hook} >> ${canary}\n`);
      chmodSync(join(folder, hook), 0o755);
    }
  }
  // A submodule with a configuration of its own.
  const sub = join(root, 'sub');
  mkdirSync(sub);
  git(['init', '-q', '-b', 'main'], sub);
  git(['commit', '-q', '--allow-empty', '-m', 's'], sub);
  git(['add', 'sub']);
  git(['commit', '-q', '-m', 'sub']);
  writeFileSync(join(sub, 'dirty'), 'x');
  execFileSync(
    'sh',
    ['-c', `printf '[core]\\n\\tfsmonitor = ${evil}\\n[filter "evil"]\\n\\tclean = ${evil}\\n' >> sub/.git/config`],
    { cwd: root },
  );
  write('.gitattributes', '* filter=evil diff=evil merge=evil\n*.proc filter=proc\n');
  for (const name of ['x.txt', 'y.proc', 'z.lfs']) write(name, `${name}\n`);
  git(['add', '-A']);
  git(['commit', '-q', '-m', 'files']);
  write('.git/more', `[core]\n\tfsmonitor = ${evil}\n[filter "lfs"]\n\tclean = ${evil}\n`);
  const config = `
[core]
\tfsmonitor = ${evil}
\thooksPath = ${join(dir, 'hooks')}
\tpager = ${evil}
\teditor = ${evil}
\taskPass = ${evil}
\tsshCommand = ${evil}
\tgitProxy = ${evil}
\talternateRefsCommand = ${evil}
\tlogAllRefUpdates = always
[diff]
\texternal = ${evil}
[diff "evil"]
\tcommand = ${evil}
\ttextconv = ${evil}
[merge "evil"]
\tdriver = ${evil}
[filter "evil"]
\tclean = ${evil}
\tsmudge = ${evil}
\trequired = true
[filter "proc"]
\tprocess = ${evil}
\trequired = true
[filter "a=b.c"]
\tclean = ${evil}
[credential]
\thelper = !${evil}
[gpg]
\tprogram = ${evil}
[log]
\tshowSignature = true
[status]
\tsubmoduleSummary = true
[submodule]
\trecurse = true
[alias]
\tstatus = !${evil}
\tdiff-files = !${evil}
[remote "origin"]
\turl = ext::${evil}
\tpromisor = true
\tpartialclonefilter = blob:none
\tvcs = ${evil}
[extensions]
\tpartialClone = origin
[protocol]
\tallow = always
[protocol "ext"]
\tallow = always
[include]
\tpath = more
`;
  writeFileSync(join(root, '.git/config'), readFileSync(join(root, '.git/config'), 'utf8') + config);
  // Only now, so that every file has to be compared.
  for (const name of ['x.txt', 'y.proc', 'z.lfs', 'new.txt']) write(name, `changed ${name}\n`);
  // The commands above ran hooks.
  rmSync(canary, { force: true });
  return canary;
}

async function lookAtEverything(stand: ChangesStand, git: Git): Promise<void> {
  const found = await findWorkTree(git, stand.root);
  if (!found.ok) throw new Error(found.error.message);
  const status = await readStatus(git, stand.folder, found.value);
  expect(status.ok && status.value.files.map(({ path }) => path)).toContain('x.txt');
  const diff = await diffHead(git, stand.folder, found.value, undefined);
  expect(diff.ok && diff.value.text).toContain('+changed x.txt');
  const repo = { git, folder: join(stand.dir, 'views') };
  for (const side of ['staged', 'unstaged'] as const)
    expect((await diffIndex(repo, found.value, side, 'x.txt')).ok).toBe(true);
  expect(await changeIndex(repo, found.value, 'stage', { paths: ['x.txt'] })).toMatchObject({
    ok: false,
    error: { code: 'conflict' },
  });
  // A file without a filter is staged, also a part of it, and unstaged.
  stand.write('.git/info/attributes', 'plain.txt -filter\n');
  stand.write('plain.txt', 'plain\n');
  expect(await changeIndex(repo, found.value, 'stage', { paths: ['plain.txt'] })).toMatchObject({ ok: true });
  stand.write('plain.txt', 'plain\nmore\n');
  const parts = await diffIndex(repo, found.value, 'unstaged', 'plain.txt');
  const hunks = parts.ok ? parts.value.hunks : [];
  expect(await changeIndex(repo, found.value, 'stage', { paths: ['plain.txt'], hunks })).toMatchObject({ ok: true });
  expect(await changeIndex(repo, found.value, 'unstage', { paths: ['plain.txt'] })).toMatchObject({ ok: true });
  rmSync(join(stand.root, 'plain.txt'));
  const trees = createWorkTrees({ git, folder: join(stand.dir, 'traced'), now: Date.now });
  const read = await trees.use(stand.root, async (open) => {
    const one = await open.read();
    return one.ok ? open.commit(one.value, 'm') : one;
  });
  expect(read.ok).toBe(true);
}

test('[CH7] nothing that a hostile repository names is run by status, difference, checkpoint and undo', async () => {
  const stand = await openChangesStand();
  const canary = poison(stand);
  await lookAtEverything(stand, stand.ownGit);
  const before = stand.tree();
  const checkpoint = await stand.turn(() => stand.write('x.txt', 'agent'));
  await stand.mustUndo(checkpoint);
  expect(stand.tree()).toEqual(before);
  expect(existsSync(canary) ? readFileSync(canary, 'utf8') : '').toBe('');
  expect(existsSync(join(stand.root, '.git/logs/refs/signalbox'))).toBe(false);
});

test('[CH7] the corpus works: git itself runs what the repository names', async () => {
  const stand = await openChangesStand();
  const canary = poison(stand);
  expect(() => stand.git(['diff'])).toThrow('evil.sh');
  expect(readFileSync(canary, 'utf8')).toContain('evil.sh');
});

const HAS_STRACE = existsSync('/usr/bin/strace');

// Without strace the test above still sees every program of the corpus by its canary.
test.skipIf(!HAS_STRACE)('[CH7] traced by strace, the only program that is started is git', async () => {
  const stand = await openChangesStand();
  poison(stand);
  const trace = join(stand.dir, 'trace');
  const real = execFileSync('sh', ['-c', 'command -v git']).toString().trim();
  mkdirSync(join(stand.dir, 'bin'));
  const shim = `#!/bin/sh\nexec /usr/bin/strace -f -qq -A -e trace=execve -o ${trace} ${real} "$@"\n`;
  writeFileSync(join(stand.dir, 'bin/git'), shim);
  chmodSync(join(stand.dir, 'bin/git'), 0o755);
  const git = createGit({ PATH: `${join(stand.dir, 'bin')}:${process.env.PATH}`, HOME: stand.dir });
  await lookAtEverything(stand, git);
  const started = [...readFileSync(trace, 'utf8').matchAll(/execve\("([^"]+)".*= 0$/gm)].map(([, program]) => program);
  expect(started.length).toBeGreaterThan(5);
  expect(started.filter((program) => !/(^|\/)git$/.test(program ?? ''))).toEqual([]);
});

test("[CH7] a core.worktree that names somebody else's folder is refused", async () => {
  const stand = await openChangesStand();
  stand.git(['config', 'core.worktree', stand.dir]);
  const found = await findWorkTree(stand.ownGit, stand.root);
  expect(found).toMatchObject({ ok: false, error: { code: 'not_found' } });
});

test('[CH7] a repository that git does not consider safe is refused', async () => {
  const stand = await openChangesStand();
  // The test of git itself: as if another user owned the repository.
  const git: Git = (run) => stand.ownGit({ ...run, env: { ...run.env, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' } });
  expect(await findWorkTree(git, stand.root)).toMatchObject({ ok: false, error: { code: 'conflict' } });
});
