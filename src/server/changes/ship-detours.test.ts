/** Detours by which a repository could have a program run by a commit, a switch, a pull or a push without naming it as one, or keep a look busy for ever. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createGit } from '../../node/git.ts';
import { CONVERSATION } from '../../testing/changes-stand.ts';
import { openShipStand } from '../../testing/ship-stand.ts';
import { findWorkTree } from './repository.ts';

type Stand = Awaited<ReturnType<typeof openShipStand>>;

function script(path: string, line: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
}

function append(path: string, text: string): void {
  writeFileSync(path, readFileSync(path, 'utf8') + text);
}

async function namesOf({ ship }: Stand): Promise<string[]> {
  const found = await ship.programs(CONVERSATION);
  return found.ok ? found.value.items.map(({ name }) => name) : [found.error.message];
}

test('[CH220] an alias in the place of a helper is asked about, and so is an address that names a helper', async () => {
  const stand = await openShipStand();
  const ran = join(stand.dir, 'ran');
  append(
    join(stand.root, '.git/config'),
    `[remote "origin"]\n\turl = file::x\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[alias]\n\tremote-file = !touch ${ran}\n`,
  );
  expect(await stand.push()).toMatchObject({ error: { code: 'forbidden' } });
  expect(await namesOf(stand)).toEqual(expect.arrayContaining(['alias.remote-file', 'remote.origin.url']));
  expect(existsSync(ran)).toBe(false);
});

test('[CH220] a look at a partial clone starts no alias in the place of a helper, also by a git that fetches on a look', async () => {
  const { dir, root, git } = await openShipStand();
  const ran = join(dir, 'ran');
  const blob = git(['rev-parse', 'HEAD:a.txt']).trim();
  append(
    join(root, '.git/config'),
    `[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = none::x\n\tpromisor = true\n[alias]\n\tremote-none = !touch ${ran}\n`,
  );
  git(['config', 'core.repositoryFormatVersion', '1']);
  rmSync(join(root, '.git/objects', blob.slice(0, 2)), { recursive: true });
  const look = createGit({ ...process.env, HOME: dir });
  const answer = await look({ cwd: root, args: ['cat-file', '-p', blob], env: { GIT_NO_LAZY_FETCH: '0' } });
  expect(answer).toMatchObject({ kind: 'ended', code: 128 });
  expect(existsSync(ran)).toBe(false);
});

test('[CH220] a pull by rebase runs no line that the format of its instructions adds', async () => {
  const stand = await openShipStand();
  stand.addRemote();
  stand.pushFromElsewhere('b.txt', 'b\n');
  stand.write('c.txt', 'c\n');
  stand.git(['add', '-A']);
  stand.git(['commit', '-qm', 'here']);
  const ran = join(stand.dir, 'ran');
  append(join(stand.root, '.git/config'), `[rebase]\n\tinstructionFormat = "%s\\nexec touch ${ran}"\n`);
  await stand.trustAll();
  expect(await stand.finish(await stand.pull('rebase'))).toMatchObject({ state: 'done' });
  expect(existsSync(ran)).toBe(false);
});

test('[CH220] an address that git takes for a path is a remote on this disk, however it is spelled', async () => {
  const stand = await openShipStand();
  const bare = join(stand.root, ']:repo');
  stand.git(['init', '-q', '--bare', bare]);
  const ran = join(stand.dir, 'ran');
  script(join(bare, 'hooks/pre-receive'), `touch ${ran}`);
  stand.git(['remote', 'add', 'origin', '[x/y]:repo']);
  expect(await stand.push()).toMatchObject({ error: { code: 'forbidden' } });
  expect(existsSync(ran)).toBe(false);
});

test('[CH221] hooks that lie in the work tree do not run while its files are replaced', async () => {
  const stand = await openShipStand();
  const ran = join(stand.dir, 'ran');
  stand.git(['config', 'core.hooksPath', '.githooks']);
  const hooks = join(stand.root, '.githooks');
  script(join(hooks, 'pre-commit'), 'exit 0');
  stand.git(['add', '-A']);
  stand.git(['commit', '-qm', 'hooks', '--no-verify']);
  const bare = stand.addRemote();
  stand.git(['switch', '-qc', 'side']);
  for (const name of ['post-checkout', 'post-merge', 'post-rewrite', 'reference-transaction'])
    script(join(hooks, name), `echo ${name} >> ${ran}`);
  stand.git(['-c', 'core.hooksPath=/dev/null', 'add', '-A']);
  stand.git(['-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'more hooks']);
  stand.git(['-c', 'core.hooksPath=/dev/null', 'push', '-q', bare, 'side:main']);
  stand.git(['-c', 'core.hooksPath=/dev/null', 'switch', '-q', 'main']);
  rmSync(ran, { force: true });
  await stand.trustAll();
  expect(await stand.finish(await stand.switch('side'))).toMatchObject({ state: 'done' });
  expect(existsSync(ran)).toBe(false);
  stand.git(['-c', 'core.hooksPath=/dev/null', 'switch', '-q', 'main']);
  await stand.trustAll();
  expect(await stand.finish(await stand.pull('ff'))).toMatchObject({ state: 'done' });
  expect(existsSync(ran)).toBe(false);
  // What came along is asked about before it can run.
  expect(await stand.commit({ amend: true })).toMatchObject({ error: { code: 'forbidden' } });
});

test('[CH222] files that include each other without end, and folders that lead into themselves, are read once', async () => {
  const stand = await openShipStand();
  const own = join(stand.root, '.git/config');
  append(own, Array.from({ length: 40 }, (_, at) => `[includeIf "onbranch:x${at}"]\n\tpath = config\n`).join(''));
  const hooks = join(stand.root, '.git/hooks');
  mkdirSync(hooks, { recursive: true });
  for (let at = 0; at < 60; at += 1) symlinkSync('.', join(hooks, `loop${at}`));
  expect(await namesOf(stand)).toEqual(expect.arrayContaining(['includeif.onbranch:x1.path']));
}, 20_000);

test('[CH222] no hook hides behind other files, and a large one that changed is noticed whatever its time', async () => {
  const stand = await openShipStand();
  for (let at = 0; at < 600; at += 1) writeFileSync(join(stand.root, '.git', `f${at}`), '');
  const hooks = join(stand.root, '.git/hooks');
  mkdirSync(hooks, { recursive: true });
  for (let at = 0; at < 600; at += 1) writeFileSync(join(hooks, `f${at}`), '');
  script(join(hooks, 'applypatch-msg'), 'exit 0');
  script(join(hooks, 'pre-commit'), `exit 0 #${'x'.repeat(5 * 1024 * 1024)}`);
  expect(await namesOf(stand)).toEqual(['applypatch-msg', 'pre-commit']);
  await stand.trustAll();
  const { mtime, atime } = { mtime: new Date(1e12), atime: new Date(1e12) };
  utimesSync(join(hooks, 'pre-commit'), atime, mtime);
  const before = await stand.seen();
  script(join(hooks, 'pre-commit'), `exit 1 #${'x'.repeat(5 * 1024 * 1024)}`);
  utimesSync(join(hooks, 'pre-commit'), atime, mtime);
  expect(await stand.seen()).not.toBe(before);
});

test('[CH222] more than is shown is said', async () => {
  const stand = await openShipStand();
  append(
    join(stand.root, '.git/config'),
    `[aaa]\n${Array.from({ length: 300 }, (_, at) => `\tx${at} = 1\n`).join('')}[core]\n\tsshCommand = evil\n`,
  );
  const found = await stand.ship.programs(CONVERSATION);
  expect(found.ok && found.value.items.length).toBeLessThanOrEqual(200);
  expect(found.ok && found.value.items.at(-1)).toMatchObject({ detail: expect.stringContaining('more') });
});

test('[CH223] a setting that appears between the look and the start does not run', async () => {
  const stand = await openShipStand();
  const { commit, write, root, dir } = stand;
  write('a.txt', 'two\n');
  const ran = join(dir, 'ran');
  const started = await commit({ what: 'all' });
  append(join(root, '.git/config'), `[gpg]\n\tprogram = ${join(dir, 'gpg')}\n[commit]\n\tgpgSign = true\n`);
  script(join(dir, 'gpg'), `touch ${ran}`);
  expect(await stand.finish(started)).toMatchObject({
    state: 'failed',
    failure: { message: expect.stringContaining('changed') },
  });
  expect(existsSync(ran)).toBe(false);
});

test('[CH224] a folder whose .git is another repository is not the work tree of this one', async () => {
  const stand = await openShipStand();
  const victim = await openShipStand();
  stand.git(['config', 'core.worktree', victim.root]);
  const git = createGit({ ...process.env, HOME: stand.dir });
  expect(await findWorkTree(git, stand.root)).toMatchObject({ ok: false, error: { code: 'not_found' } });
  // Also around it.
  const inner = join(victim.root, 'inner');
  victim.git(['init', '-q', inner]);
  victim.git(['config', 'core.worktree', victim.root], inner);
  expect(await findWorkTree(git, inner)).toMatchObject({ ok: false, error: { code: 'not_found' } });
  // A submodule names its folder the same way, and its folder names it back.
  const sub = await openShipStand();
  victim.git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', sub.root, 'sub']);
  expect(await findWorkTree(git, join(victim.root, 'sub'))).toMatchObject({ ok: true });
});

test('[CH226] hooks of a remote on this disk are those that git would run there', async () => {
  const stand = await openShipStand();
  const bare = stand.addRemote();
  stand.git(['config', 'core.hooksPath', 'elsewhere'], bare);
  script(join(bare, 'elsewhere/pre-receive'), 'exit 0');
  const first = await stand.seen();
  script(join(bare, 'elsewhere/pre-receive'), 'exit 1');
  const second = await stand.seen();
  expect(second).not.toBe(first);
  // A file that leads to the repository.
  const pointer = join(stand.dir, 'pointer');
  mkdirSync(pointer);
  writeFileSync(join(pointer, '.git'), `gitdir: ${bare}\n`);
  stand.git(['remote', 'set-url', 'origin', pointer]);
  const third = await stand.seen();
  script(join(bare, 'elsewhere/pre-receive'), 'exit 2');
  expect(await stand.seen()).not.toBe(third);
});

test("[CH225] a host gets its own login only, whatever host the repository names, and a request's address is its own", async () => {
  const secrets = { GH_TOKEN: 's-hub', GH_ENTERPRISE_TOKEN: 's-own', GITLAB_TOKEN: 's-lab', GH_HOST: 'hub.example' };
  const stand = await openShipStand({ env: secrets });
  const seen = join(stand.dir, 'seen');
  const print = `echo "$1 $2" >> ${seen}; env | grep -o 's-[a-z]*$' >> ${seen}; echo https://evil.example/o/r/pull/1`;
  for (const tool of ['gh', 'glab']) script(join(stand.dir, 'bin', tool), print);
  stand.git(['switch', '-qc', 'fix']);
  stand.git(['commit', '-q', '--allow-empty', '-m', 'Fix']);
  const loginsAt = async (url: string): Promise<string> => {
    rmSync(seen, { force: true });
    stand.git(['config', 'remote.origin.url', url]);
    expect(await stand.ship.draft(CONVERSATION)).toMatchObject({ ok: true });
    return readFileSync(seen, 'utf8');
  };
  expect(await loginsAt('https://gitlab.evil.example/o/r')).not.toContain('s-');
  expect(await loginsAt('https://evil.example/o/r')).not.toContain('s-');
  expect(await loginsAt('https://gitlab.com/o/r')).toContain('s-lab');
  expect(await loginsAt('https://hub.example/o/r')).toMatch(/^auth status\ns-own\n$/);
  expect(await loginsAt('https://github.com/o/r')).toMatch(/^auth status\ns-hub\n$/);
  stand.git(['update-ref', 'refs/remotes/origin/fix', 'HEAD']);
  const request = { title: 't', body: '', base: 'main', is_draft: false };
  const run = await stand.finish(await stand.ship.pullRequest(CONVERSATION, request, await stand.seen()));
  expect(run).toMatchObject({ state: 'done', done: { url: null } });
});

test('[CH220] a branch of a remote whose name looks like an option is no option', async () => {
  const stand = await openShipStand();
  const head = stand.git(['rev-parse', 'HEAD']).trim();
  stand.write('a.txt', 'not committed');
  stand.git(['update-ref', 'refs/remotes/--force/x', head]);
  stand.git(['config', 'remote.--force.url', 'https://127.0.0.1:1/x']);
  stand.git(['config', 'remote.--force.fetch', '+refs/heads/*:refs/remotes/--force/*']);
  await stand.trustAll();
  const run = await stand.finish(await stand.switch('refs/remotes/--force/x'));
  expect(run).toMatchObject({ state: 'done', done: { branch: 'x', commit: head } });
  expect(stand.git(['status', '--porcelain'])).toBe(' M a.txt\n');
});
