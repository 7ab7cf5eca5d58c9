/** Configurations of a hostile repository that name a program in ways that a list of known names misses. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openChangesStand } from '../../testing/changes-stand.ts';
import { openWorktreesStand } from '../../testing/worktrees-stand.ts';
import { copyExcludes, findWorkTree, openOwnGitDir, seedIndex } from './repository.ts';
import { diffHead, readStatus } from './status.ts';

/** A program that leaves a trace. Answers the trace: empty as long as the program did not run. */
function plantProgram(dir: string): { evil: string; trace: () => string } {
  const canary = join(dir, 'canary');
  const evil = join(dir, 'evil.sh');
  writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> '${canary}'\ncat\n`, { mode: 0o755 });
  return { evil, trace: () => (existsSync(canary) ? readFileSync(canary, 'utf8') : '') };
}

const append = (path: string, text: string | Buffer) => writeFileSync(path, text, { flag: 'a' });

test('[CH90] a filter whose name is no UTF-8 is not run by status and difference', async () => {
  const stand = await openChangesStand();
  const { evil, trace } = plantProgram(stand.dir);
  const named = (text: string) => Buffer.from(text, 'latin1');
  append(join(stand.root, '.git/config'), named(`[filter "\xff"]\n\tclean = ${evil}\n\tsmudge = ${evil}\n`));
  stand.write('.gitattributes', named('* filter=\xff\n'));
  stand.write('a.txt', 'two\n');
  const found = await findWorkTree(stand.ownGit, stand.root);
  if (!found.ok) throw new Error(found.error.message);
  await readStatus(stand.ownGit, stand.folder, found.value);
  await diffHead(stand.ownGit, stand.folder, found.value, undefined);
  expect(trace()).toBe('');
});

test('[CH91] a filter that an includeIf names for new work trees only is not run when one is made', async () => {
  const stand = await openWorktreesStand();
  const { evil, trace } = plantProgram(stand.dir);
  stand.write('.gitattributes', '*.txt filter=evil\n');
  stand.git(['add', '-A']);
  stand.git(['commit', '-q', '-m', 'attributes']);
  const more = join(stand.dir, 'more');
  writeFileSync(more, `[filter "evil"]\n\tsmudge = ${evil}\n\tclean = ${evil}\n`);
  append(join(stand.root, '.git/config'), `[includeIf "gitdir:**/worktrees/**"]\n\tpath = ${more}\n`);
  await stand.add('codex/fix');
  expect(trace()).toBe('');
});

test('[CH91] a filter that an includeIf names for the base branch only is not run by finish', async () => {
  const stand = await openWorktreesStand();
  const { evil, trace } = plantProgram(stand.dir);
  stand.write('.gitattributes', '*.txt filter=evil\n');
  stand.git(['add', '-A']);
  stand.git(['commit', '-q', '-m', 'attributes']);
  const { worktree } = await stand.add('codex/fix');
  stand.commit(worktree.path, 'b.txt', 'new\n');
  const more = join(stand.dir, 'more');
  writeFileSync(more, `[filter "evil"]\n\tsmudge = ${evil}\n\tclean = ${evil}\n`);
  append(join(stand.root, '.git/config'), `[includeIf "onbranch:main"]\n\tpath = ${more}\n`);
  const done = await stand.finish(worktree.path);
  expect(done).toMatchObject({ ok: true, value: { is_brought: true } });
  expect(trace()).toBe('');
});

test('[CH91] rebase.instructionFormat adds no command to a rebase', async () => {
  const stand = await openWorktreesStand();
  const { evil, trace } = plantProgram(stand.dir);
  const { worktree } = await stand.add('codex/fix');
  stand.commit(worktree.path, 'b.txt', 'new\n');
  stand.commit(stand.root, 'c.txt', 'on main\n');
  stand.git(['config', 'rebase.instructionFormat', `%s%nexec ${evil}`]);
  await stand.finish(worktree.path, { mode: 'rebase' });
  expect(trace()).toBe('');
});

test('[CH91] no program that verifies signatures is run by finish', async () => {
  const stand = await openWorktreesStand();
  const { evil, trace } = plantProgram(stand.dir);
  const { worktree } = await stand.add('codex/fix');
  stand.commit(worktree.path, 'b.txt', 'new\n');
  const text = stand.git(['cat-file', 'commit', 'HEAD'], worktree.path);
  const signature = 'gpgsig -----BEGIN SSH SIGNATURE-----\n AAAA\n -----END SSH SIGNATURE-----\n';
  const signed = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
    cwd: worktree.path,
    input: text.replace('\n\n', `\n${signature}\n`),
  }).toString();
  stand.git(['reset', '-q', '--hard', signed.trim()], worktree.path);
  append(
    join(stand.root, '.git/config'),
    `[merge]\n\tverifySignatures = true\n[gpg "ssh"]\n\tprogram = ${evil}\n\tallowedSignersFile = ${evil}\n`,
  );
  await stand.finish(worktree.path);
  expect(trace()).toBe('');
});

test('[CH91] a rebase with a conflict runs no filter', async () => {
  const stand = await openWorktreesStand();
  const { evil, trace } = plantProgram(stand.dir);
  stand.write('.gitattributes', '*.txt filter=evil\n');
  stand.git(['add', '-A']);
  stand.git(['commit', '-q', '-m', 'attributes']);
  const { worktree } = await stand.add('codex/fix');
  stand.commit(worktree.path, 'a.txt', 'theirs\n');
  stand.commit(stand.root, 'a.txt', 'ours\n');
  append(join(stand.root, '.git/config'), `[filter "evil"]\n\tsmudge = ${evil}\n\tclean = ${evil}\n`);
  const done = await stand.finish(worktree.path, { mode: 'rebase' });
  expect(done).toMatchObject({ ok: true, value: { conflicts: ['a.txt'], is_brought: false } });
  expect(trace()).toBe('');
});

test('[CH90] a filter that somebody writes into the configuration during a status is not run', async () => {
  const stand = await openChangesStand();
  const { evil, trace } = plantProgram(stand.dir);
  stand.write('.gitattributes', '* filter=evil\n');
  stand.git(['add', '-A']);
  stand.git(['commit', '-q', '-m', 'attributes']);
  stand.write('a.txt', 'two\n');
  const config = join(stand.root, '.git/config');
  const [clean, dirty] = [
    readFileSync(config, 'utf8'),
    `${readFileSync(config, 'utf8')}[filter "evil"]\n\tclean = ${evil}\n`,
  ];
  // A command of an agent that goes on while its own tool asks for the status: it swaps the configuration all the time.
  const script = `const fs=require('fs');for(;;){fs.writeFileSync(${JSON.stringify(`${config}.new`)},process.argv[1]);fs.renameSync(${JSON.stringify(`${config}.new`)},${JSON.stringify(config)});fs.writeFileSync(${JSON.stringify(`${config}.new`)},process.argv[2]);fs.renameSync(${JSON.stringify(`${config}.new`)},${JSON.stringify(config)});}`;
  const swapper = spawn(process.execPath, ['-e', script, clean, dirty]);
  onTestFinished(() => void swapper.kill('SIGKILL'));
  const found = await findWorkTree(stand.ownGit, stand.root);
  if (!found.ok) throw new Error(found.error.message);
  for (let round = 0; round < 25; round += 1) {
    await readStatus(stand.ownGit, stand.folder, found.value);
    await diffHead(stand.ownGit, stand.folder, found.value, undefined);
  }
  expect(trace()).toBe('');
});

test('[CH92] a pipe in the place of a file of the repository keeps no thread of the server waiting', async () => {
  const stand = await openChangesStand();
  const git = join(stand.root, '.git');
  const found = await findWorkTree(stand.ownGit, stand.root);
  if (!found.ok) throw new Error(found.error.message);
  const own = await openOwnGitDir(stand.ownGit, stand.folder, found.value);
  rmSync(join(git, 'info/exclude'), { force: true });
  for (const name of ['info/exclude', 'sharedindex.abc']) execFileSync('mkfifo', [join(git, name)]);
  await copyExcludes(own, found.value);
  await seedIndex(stand.ownGit, own, found.value);
  rmSync(join(git, 'index'));
  execFileSync('mkfifo', [join(git, 'index')]);
  await seedIndex(stand.ownGit, own, found.value);
  expect(existsSync(own.indexFile)).toBe(false);
});

test('[CH92] a device in the place of a file of the repository does not fill the memory', async () => {
  const stand = await openChangesStand();
  rmSync(join(stand.root, '.git/info/exclude'), { force: true });
  symlinkSync('/dev/zero', join(stand.root, '.git/info/exclude'));
  const before = process.memoryUsage().rss;
  const checkpoint = await stand.turn(() => stand.write('a.txt', 'two\n'));
  expect(checkpoint.after).not.toBeNull();
  expect(process.memoryUsage().rss - before).toBeLessThan(300e6);
});

test('[CH93] a file with the name of a commit or a tree hides no change and stops no undo', async () => {
  const stand = await openChangesStand();
  const checkpoint = await stand.turn(() => {
    const refs = stand.git(['for-each-ref', '--format=%(objectname) %(tree)', 'refs/signalbox']).trim().split(/\s/);
    for (const name of [...refs, 'HEAD', stand.git(['rev-parse', 'HEAD']).trim()]) stand.write(name, 'x\n');
    stand.write('a.txt', 'two\n');
  });
  const found = await findWorkTree(stand.ownGit, stand.root);
  if (!found.ok) throw new Error(found.error.message);
  const diff = await diffHead(stand.ownGit, stand.folder, found.value, undefined);
  expect(diff.ok && diff.value.text).toContain('+two');
  await stand.mustUndo(checkpoint);
  expect(stand.tree()).toEqual({ 'a.txt': 'file one\n' });
});

test('[CH94] .worktreeinclude copies no file of the homes, also where the repository ignores them', async () => {
  const stand = await openWorktreesStand();
  stand.write('.gitignore', '*\n');
  stand.write('.worktreeinclude', '*.json\n.env\n');
  stand.git(['add', '-f', '.gitignore', '.worktreeinclude']);
  stand.git(['commit', '-q', '-m', 'dotfiles']);
  stand.write('.env', 'A=1\n');
  stand.write('.local/share/signalbox/run/server.json', '{"api_token":"t"}\n');
  stand.own.push(join(stand.root, '.local/share/signalbox'));
  const { worktree, copied } = await stand.add('codex/fix');
  expect(copied).toEqual(['.env']);
  expect(existsSync(join(worktree.path, '.local'))).toBe(false);
});

test('[CH94] a work tree that contains a home is not removed', async () => {
  const stand = await openWorktreesStand();
  const { worktree } = await stand.add('codex/fix');
  const home = join(worktree.path, '.signalbox');
  mkdirSync(home);
  stand.own.push(home);
  expect(await stand.remove(worktree.path, { lose: true })).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(existsSync(home)).toBe(true);
});

test('[CH95] a link in the place of the folder of work trees is refused, and nothing is written behind it', async () => {
  const stand = await openWorktreesStand();
  const elsewhere = join(stand.dir, 'elsewhere');
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, `${stand.root}-worktrees`);
  const added = await stand.worktrees.add({ cwd: stand.root, branch: 'skills', existing: false });
  expect(added).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(readdirSync(elsewhere)).toEqual([]);
  expect(stand.git(['branch', '--list', 'skills'])).toBe('');
});

test('[CH95] finish touches no other repository that this one lists as its work tree', async () => {
  const stand = await openWorktreesStand();
  const other = join(stand.dir, 'other');
  stand.git(['clone', '-q', stand.root, other], stand.dir);
  const { worktree } = await stand.add('codex/fix');
  stand.commit(worktree.path, 'b.txt', 'new\n');
  stand.git(['fetch', '-q', stand.root, 'codex/fix'], other);
  stand.git(['switch', '-q', '--detach']);
  const entry = join(stand.root, '.git/worktrees/other');
  mkdirSync(entry);
  writeFileSync(join(entry, 'gitdir'), `${join(other, '.git')}\n`);
  writeFileSync(join(entry, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(entry, 'commondir'), '../..\n');
  const done = await stand.finish(worktree.path);
  expect(done).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(existsSync(join(other, 'b.txt'))).toBe(false);
});

test('[CH96] what was not committed in a submodule is named before its work tree goes', async () => {
  const stand = await openWorktreesStand();
  const library = join(stand.dir, 'library');
  mkdirSync(library);
  stand.git(['init', '-q', '-b', 'main'], library);
  stand.git(['commit', '-q', '--allow-empty', '-m', 'l'], library);
  stand.git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib']);
  stand.git(['commit', '-q', '-m', 'submodule']);
  const { worktree } = await stand.add('codex/fix');
  stand.git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init'], worktree.path);
  writeFileSync(join(worktree.path, 'lib/loose.txt'), 'only here\n');
  const removed = await stand.remove(worktree.path);
  expect(removed).toMatchObject({ ok: true, value: { is_removed: false, losses: { files: ['lib'] } } });
  expect(existsSync(join(worktree.path, 'lib/loose.txt'))).toBe(true);
});
