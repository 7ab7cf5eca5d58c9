/** Shipping through the whole server: a person's session commits and pushes, a token does not, and the command line asks before programs run. */
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShipRun } from '../../src/contract/ship.ts';
import { type Box, makeDir, openBox } from '../../src/testing/box.ts';

const MAIN = resolve(import.meta.dirname, '../../dist/bin/signalbox.js');

let box: Box;
/** Programs that stand before those of the machine. */
let bin = '';
beforeAll(async () => {
  bin = await makeDir('bin');
  box = await openBox({ env: { PATH: `${bin}:${process.env.PATH}` } });
});
afterAll(async () => {
  await box.close();
  rmSync(bin, { recursive: true, force: true });
});

let count = 0;
/** A repository with a hook and a bare remote, and a conversation in it. */
async function openRepository() {
  count += 1;
  const root = join(box.dir, `ship-${count}`, 'app');
  mkdirSync(root, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, env: { ...process.env, HOME: box.dir } }).toString();
  git('init', '-q', '-b', 'main');
  // Settings of the repository, since the server of a test has the home of whoever runs it.
  git('config', 'user.name', 'Person');
  git('config', 'user.email', 'person@example.com');
  writeFileSync(join(root, 'a.txt'), 'one\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  const bare = join(box.dir, `ship-${count}`, 'remote.git');
  git('init', '-q', '--bare', '-b', 'main', bare);
  git('remote', 'add', 'origin', bare);
  const ran = join(box.dir, `ran-${count}`);
  writeFileSync(join(root, '.git/hooks/pre-commit'), `#!/bin/sh\necho checked; echo x >> ${ran}\n`);
  chmodSync(join(root, '.git/hooks/pre-commit'), 0o755);
  writeFileSync(join(root, 'a.txt'), 'two\n');
  return { id: await box.create({ cwd: root }), root, git, bare, hasRun: () => existsSync(ran) };
}

async function finish(id: string, started: { readonly run: ShipRun }): Promise<ShipRun> {
  let { run } = started;
  while (run.state === 'running') run = (await box.must('readShipRun', { id, after: run.version })).run ?? run;
  return run;
}

function cli(cwd: string, ...args: readonly string[]) {
  const env = { ...process.env, SIGNALBOX_HOME: box.home, NO_COLOR: '1' };
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    const child = execFile(process.execPath, [MAIN, ...args], { cwd, env }, (_error, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

test('[CH135] a session is shown the programs once, then commits, branches and pushes', async () => {
  const { id, git, bare, hasRun } = await openRepository();
  const call = { id, message: 'Change a', what: 'all' } as const;
  const asked = await box.callOnce('commitChanges', call);
  expect(asked).toMatchObject({
    status: 428,
    body: { code: 'confirmation_required', details: { acts: ['run_programs'] } },
  });
  expect(JSON.stringify(asked.body)).toContain('pre-commit');
  expect(hasRun()).toBe(false);
  const run = await finish(id, await box.must('commitChanges', call));
  expect(run).toMatchObject({
    state: 'done',
    done: { subject: 'Change a' },
    hooks: [{ name: 'pre-commit', exit_code: 0 }],
  });
  expect(run.output).toContain('checked');
  expect(await box.callOnce('createBranch', { id, name: 'codex/x' })).toMatchObject({ ok: true });
  await expect.poll(async () => (await box.must('readShip', { id })).run?.state).toBe('done');
  expect(await finish(id, await box.must('pushChanges', { id }))).toMatchObject({ state: 'done' });
  expect(git('--git-dir', bare, 'rev-parse', 'codex/x')).toBe(git('rev-parse', 'HEAD'));
  expect(await box.callOnce('pushChanges', { id, force_with_lease: true })).toMatchObject({
    body: { details: { acts: ['force_push'] } },
  });
  const state = await box.must('readShip', { id });
  expect(state).toMatchObject({
    repository: { branch: 'codex/x' },
    push_remote: 'origin',
    programs: { is_trusted: true },
  });
});

test('[CH135] a token reads and does nothing; it cannot trust the programs either', async () => {
  const { id, git, hasRun } = await openRepository();
  const { programs } = await box.must('readShip', { id }, 'token');
  const hash = programs?.hash ?? '';
  const tries = (seen: { readonly id: string; readonly programs?: string }) => [
    box.callOnce('commitChanges', { ...seen, message: 'x', what: 'all' }, 'token'),
    box.callOnce('createBranch', { ...seen, name: 'x' }, 'token'),
    box.callOnce('switchBranch', { ...seen, branch: 'main' }, 'token'),
    box.callOnce('pullChanges', seen, 'token'),
    box.callOnce('pushChanges', seen, 'token'),
    box.callOnce('openPullRequest', { ...seen, title: 'x', body: '', base: 'main' }, 'token'),
  ];
  const cancelled = await box.callOnce('cancelShipRun', { id, run: 'x' }, 'token');
  for (const answer of [...(await Promise.all(tries({ id, programs: hash }))), cancelled])
    expect(answer).toMatchObject({ status: 428, body: { code: 'confirmation_required' } });
  for (const answer of await Promise.all(tries({ id }))) {
    expect(answer).toMatchObject({ status: 428, body: { code: 'confirmation_required' } });
    // Nothing that a terminal could confirm unseen.
    expect(JSON.stringify(answer.body)).not.toContain('"confirm"');
  }
  expect(await box.callOnce('pushChanges', { id, programs: '0'.repeat(64) })).toMatchObject({
    body: { code: 'stale' },
  });
  expect(hasRun()).toBe(false);
  expect(git('rev-list', '--count', '--all').trim()).toBe('1');
});

test('[CH136] the command line prints what would run, and needs its code', async () => {
  const { root, git, bare, hasRun } = await openRepository();
  const refused = await cli(root, 'commit', '--all');
  expect(refused).toMatchObject({ code: 4, stdout: expect.stringContaining('pre-commit') });
  const [, code = ''] = /--trust-programs ([0-9a-f]{8})/.exec(refused.stderr) ?? [];
  expect(code).not.toBe('');
  expect(await cli(root, 'commit', '--all', '--trust-programs', '00000000')).toMatchObject({ code: 4 });
  expect(hasRun()).toBe(false);
  const made = await cli(root, 'commit', '--all', '--trust-programs', code);
  // The message is made from the changed files.
  expect(made).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Change a.txt'),
    stderr: expect.stringContaining('checked'),
  });
  expect(hasRun()).toBe(true);
  expect(await cli(root, 'branch', 'codex/cli')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('codex/cli'),
  });
  expect(await cli(root, 'push')).toMatchObject({ code: 0 });
  expect(git('--git-dir', bare, 'rev-parse', 'codex/cli')).toBe(git('rev-parse', 'HEAD'));
  expect(await cli(root, 'pull', '--json')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"state":"done"'),
  });
  expect(await cli(root, 'commit', '--all', '-m', 'x')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nothing to commit'),
  });
  const shown = await cli(root, 'pr', '--show');
  expect(shown.code).toBe(1);
});

/** A `gh` that is logged in, opens a request, and knows that a check of it failed. */
const GH = `#!/bin/sh
case "$1 $2" in
"auth status") exit 0;;
"pr create") cat > /dev/null; echo https://github.com/o/r/pull/7;;
"pr view") echo '{"state":"OPEN","headRefOid":"${'a'.repeat(40)}","statusCheckRollup":[{"name":"unit","status":"COMPLETED","conclusion":"FAILURE"}]}';;
*) exit 1;;
esac
`;

test('[CH201] a failed check of a request that was opened here is an event of the conversation', async () => {
  const { id, git } = await openRepository();
  writeFileSync(join(bin, 'gh'), GH);
  chmodSync(join(bin, 'gh'), 0o755);
  rmSync(join(git('rev-parse', '--show-toplevel').trim(), '.git/hooks/pre-commit'));
  git('switch', '-qc', 'codex/fix');
  git('commit', '-qam', 'Fix it');
  git('remote', 'set-url', 'origin', 'https://github.com/o/r.git');
  git('update-ref', 'refs/remotes/origin/main', 'main');
  git('update-ref', 'refs/remotes/origin/codex/fix', 'HEAD');
  const opened = await box.must('openPullRequest', { id, title: 'Fix it', body: '', base: 'main' });
  expect(await finish(id, opened)).toMatchObject({ state: 'done', done: { url: 'https://github.com/o/r/pull/7' } });
  await expect
    .poll(async () => (await box.must('listEvents', { thread_id: id })).events, { timeout: 20_000 })
    .toMatchObject([
      {
        ingress: 'host',
        type: 'pull_request.checks_failed',
        summary: 'Failed: unit',
        trust: { origin: 'network', authenticated: true, provenance: 'host_login' },
      },
    ]);
});
