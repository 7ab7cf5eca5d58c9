/** Commits with the real git: staged, all, named files, amendments, hooks, signatures, and what keeps a commit from being made. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CONVERSATION } from '../../testing/changes-stand.ts';
import { openShipStand } from '../../testing/ship-stand.ts';

test('[CH130] a commit has what is staged, and nothing else', async () => {
  const { commit, finish, git, write } = await openShipStand();
  write('a.txt', 'two\n');
  write('b.txt', 'b\n');
  git(['add', 'b.txt']);
  const run = await finish(await commit({ message: 'Add b\n\nBecause.' }));
  expect(run).toMatchObject({ state: 'done', done: { subject: 'Add b', branch: 'main' }, failure: null });
  expect(git(['show', '--name-only', '--format=%B%an', 'HEAD']).trim()).toBe('Add b\n\nBecause.\nPerson\n\nb.txt');
  expect(git(['status', '--porcelain'])).toBe(' M a.txt\n');
});

test('[CH130] all tracked changes, or named files with new and renamed ones; others stay as they are', async () => {
  const { commit, finish, git, write } = await openShipStand();
  write('a.txt', 'two\n');
  write('new.txt', 'n\n');
  expect(await finish(await commit({ what: 'all' }))).toMatchObject({ state: 'done' });
  expect(git(['status', '--porcelain'])).toBe('?? new.txt\n');
  git(['mv', 'a.txt', 'c.txt']);
  write('*.txt', 'glob\n');
  write('d.txt', 'd\n');
  git(['add', 'd.txt']);
  expect(await finish(await commit({ what: 'paths', paths: ['c.txt', '*.txt'] }))).toMatchObject({ state: 'done' });
  expect(git(['-c', 'core.quotePath=false', 'show', '--name-status', '--format=', '--no-renames', 'HEAD'])).toBe(
    'A\t*.txt\nD\ta.txt\nA\tc.txt\n',
  );
  expect(git(['status', '--porcelain'])).toBe('A  d.txt\n?? new.txt\n');
  for (const paths of [['nothing.txt'], []])
    expect(await commit({ what: 'paths', paths })).toMatchObject({ ok: false });
  expect(await commit({ what: 'paths', paths: ['../x'] })).toMatchObject({ error: { code: 'invalid_request' } });
});

test('[CH130] an amendment replaces the newest commit and keeps its message if none is given', async () => {
  const { commit, finish, git, write } = await openShipStand();
  write('a.txt', 'two\n');
  expect(await finish(await commit({ what: 'all', amend: true, message: '' }))).toMatchObject({
    done: { subject: 'first' },
  });
  expect(await finish(await commit({ amend: true, message: 'better' }))).toMatchObject({ done: { subject: 'better' } });
  expect(git(['rev-list', '--count', 'HEAD']).trim()).toBe('1');
  const empty = await openShipStand({ isEmpty: true });
  expect(await empty.commit({ amend: true })).toMatchObject({ error: { code: 'conflict' } });
  empty.write('a', 'a');
  empty.git(['add', '-A']);
  expect(await empty.finish(await empty.commit({ message: 'root' }))).toMatchObject({ done: { subject: 'root' } });
});

test('[CH132] nothing staged, no identity, a held lock and files in conflict are said, with what to do', async () => {
  const { commit, finish, git, write, dir, root } = await openShipStand();
  expect(await commit({})).toMatchObject({ error: { code: 'conflict', details: { reason: 'nothing' } } });
  expect(await commit({ message: ' ' })).toMatchObject({ error: { code: 'invalid_request' } });
  write('a.txt', 'two\n');
  writeFileSync(join(root, '.git/index.lock'), '');
  expect(await finish(await commit({ what: 'all' }))).toMatchObject({ failure: { reason: 'locked' } });
  execFileSync('rm', [join(root, '.git/index.lock')]);
  writeFileSync(join(dir, '.gitconfig'), '[user]\n\tuseConfigOnly = true\n');
  expect(await finish(await commit({ what: 'all' }))).toMatchObject({
    failure: { reason: 'identity', message: expect.stringContaining('git config --global user.name') },
  });
  git(['commit', '-qam', 'here']);
  git(['switch', '-qc', 'side', 'HEAD~']);
  write('a.txt', 'three\n');
  git(['commit', '-qam', 'there']);
  expect(() => git(['merge', 'main'])).toThrow();
  expect(await commit({})).toMatchObject({ error: { details: { reason: 'conflict', files: ['a.txt'] } } });
});

test('[CH133] hooks run as in a terminal; one that refuses is named with its output, and nothing is committed', async () => {
  const { commit, finish, git, write, hook, trustAll } = await openShipStand();
  hook('pre-commit', 'echo checking >&2; grep -q bad a.txt && { echo "a.txt is bad"; exit 3; }; exit 0');
  hook('commit-msg', 'echo "Signed: hook" >> "$1"');
  await trustAll();
  write('a.txt', 'bad\n');
  const refused = await finish(await commit({ what: 'all' }));
  expect(refused).toMatchObject({
    state: 'failed',
    hooks: [{ name: 'pre-commit', exit_code: 3 }],
    failure: { reason: 'hook', message: expect.stringContaining('pre-commit') },
  });
  expect(refused.output).toContain('a.txt is bad');
  expect(git(['rev-list', '--count', 'HEAD']).trim()).toBe('1');
  write('a.txt', 'good\n');
  const made = await finish(await commit({ what: 'all', message: 'Good' }));
  expect(made).toMatchObject({ state: 'done' });
  expect(made.hooks.map(({ name }) => name)).toEqual(expect.arrayContaining(['pre-commit', 'commit-msg']));
  expect(git(['log', '-1', '--format=%B'])).toContain('Signed: hook');
});

test('[CH134] a hook cannot ask, gets no secret of the server, and may leave a process behind', async () => {
  const secrets = { SIGNALBOX_TOKEN: 'secret-1', OPENAI_API_KEY: 'secret-2', GH_TOKEN: 'secret-3' };
  const { commit, finish, write, hook, trustAll, root } = await openShipStand({ env: secrets });
  hook('pre-commit', 'env > env.txt; (read line < /dev/tty) 2>/dev/null && echo asked; sleep 300 & exit 0');
  await trustAll();
  write('a.txt', 'two\n');
  const run = await finish(await commit({ what: 'all' }));
  expect(run).toMatchObject({ state: 'done' });
  const env = readFileSync(join(root, 'env.txt'), 'utf8');
  expect(env).not.toContain('secret-');
  expect(env).toMatch(/^GIT_TERMINAL_PROMPT=0$/m);
  expect(run.output).not.toContain('asked');
});

test('[CH134] a run is cancelled with all that it started, and another one is refused while it runs', async () => {
  const { commit, finish, git, write, hook, trustAll, root, ship } = await openShipStand();
  hook('pre-commit', 'echo waiting; sleep 300 & echo $! > pid; wait');
  await trustAll();
  write('a.txt', 'two\n');
  const started = await commit({ what: 'all' });
  if (!started.ok) throw new Error(started.error.message);
  await expect.poll(() => existsSync(join(root, 'pid')) && readFileSync(join(root, 'pid'), 'utf8')).toMatch(/\d\n/);
  const pid = Number(readFileSync(join(root, 'pid'), 'utf8'));
  expect(await commit({ what: 'all' })).toMatchObject({ error: { code: 'conflict' } });
  expect(await ship.cancel(CONVERSATION, 'another')).toMatchObject({ error: { code: 'not_found' } });
  expect(await ship.cancel(CONVERSATION, started.value.id)).toMatchObject({ ok: true });
  expect(await finish(started)).toMatchObject({ failure: { reason: 'cancelled' }, output: 'waiting' });
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(git(['rev-list', '--count', 'HEAD']).trim()).toBe('1');
  expect(existsSync(join(root, '.git/index.lock'))).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    // A process that has ended and was not collected yet is not alive.
    return !/^\d+ \([^)]*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test("[CH130] a commit is signed with the person's key", async () => {
  const { commit, finish, git, write, dir } = await openShipStand();
  const key = join(dir, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  writeFileSync(join(dir, 'allowed'), `person@example.com ${readFileSync(`${key}.pub`, 'utf8')}`);
  const lines = ['[user]', 'name = P', 'email = person@example.com', `signingKey = ${key}`, '[gpg]', 'format = ssh'];
  const rest = ['[gpg "ssh"]', `allowedSignersFile = ${join(dir, 'allowed')}`, '[commit]', 'gpgSign = true', ''];
  writeFileSync(join(dir, '.gitconfig'), [...lines, ...rest].join('\n'));
  write('a.txt', 'two\n');
  expect(await finish(await commit({ what: 'all' }))).toMatchObject({ state: 'done' });
  expect(git(['log', '-1', '--format=%G?']).trim()).toBe('G');
  writeFileSync(key, 'broken');
  write('a.txt', 'three\n');
  expect(await finish(await commit({ what: 'all' }))).toMatchObject({ failure: { reason: 'signing' } });
});

test("[CH140] a message is suggested from the files, the last answer and the person's template", async () => {
  const { ship, words, write, git, dir, root } = await openShipStand();
  const suggest = async (what: 'staged' | 'all' | 'last_commit' | 'template') => {
    const message = await ship.suggest(CONVERSATION, what);
    return message.ok ? message.value : message.error.message;
  };
  write('a.txt', 'two\n');
  write('b.txt', 'b\n');
  expect(await suggest('all')).toBe('Change a.txt');
  expect(await suggest('staged')).toBe('');
  git(['add', 'b.txt']);
  words.answer = 'Fixed the **parser** of dates. All tests pass.';
  expect(await suggest('staged')).toBe('Fixed the parser of dates');
  writeFileSync(join(dir, 'template'), '# Say why\nRefs: #1\n');
  git(['config', '--global', 'commit.template', join(dir, 'template')]);
  expect(await suggest('staged')).toBe('Fixed the parser of dates\n\nRefs: #1');
  expect(await suggest('template')).toBe('Refs: #1');
  // A repository cannot name a file of the person.
  writeFileSync(join(dir, 'private'), 'private key');
  git(['config', 'commit.template', join(dir, 'private')]);
  expect(await suggest('staged')).toBe('Fixed the parser of dates');
  mkdirSync(join(root, 'docs'));
  write('docs/t', 'Team: x\n');
  git(['config', 'commit.template', 'docs/t']);
  expect(await suggest('staged')).toContain('Team: x');
  expect(await suggest('last_commit')).toBe('first');
});
