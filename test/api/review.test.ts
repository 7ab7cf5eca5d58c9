/** Reviews through the public surface: what can be reviewed, the four targets, and whose words the transcript says they are. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RouteCall } from '../../src/contract/routes.ts';
import { type Box, openBox } from '../../src/testing/box.ts';

const MAIN = resolve(import.meta.dirname, '../../dist/bin/signalbox.js');

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

let count = 0;
/** A repository with two commits, a branch, and one file that is not committed. */
function makeRepository() {
  count += 1;
  const root = join(box.dir, `repo-${count}`);
  mkdirSync(root);
  const env = { ...process.env, HOME: box.dir };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: root, env })
      .toString()
      .trim();
  git('init', '-q', '-b', 'main');
  writeFileSync(join(root, 'a.txt'), 'one\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'First: the file');
  git('checkout', '-q', '-b', 'feat/second');
  writeFileSync(join(root, 'a.txt'), 'two\n');
  git('commit', '-q', '-am', 'Second: "quoted" \u202e title');
  writeFileSync(join(root, 'new.txt'), 'new\n');
  return { root, git };
}

const VERDICT = JSON.stringify({
  findings: [],
  overall_correctness: 'patch is correct',
  overall_explanation: 'nothing to remark',
  overall_confidence_score: 1,
});

async function reviewed(id: string, target: RouteCall<'reviewConversation'>['target']) {
  const watcher = await box.watch(id);
  const before = (await box.entries(id)).length;
  box.model.push({ events: [{ say: VERDICT }] });
  const { turn_id } = await box.must('reviewConversation', { id, target });
  await watcher.turnEnd();
  watcher.close();
  return {
    turnId: turn_id,
    entries: (await box.entries(id)).slice(before),
    asked: box.model.requests.at(-1)?.rawBody ?? '',
  };
}

test('[CV80] a review of each kind is asked for in the words of Codex, and none of them is a message of the person', async () => {
  const { root, git } = makeRepository();
  const id = await box.create({ cwd: root, approval: 'never' });
  const sha = git('rev-parse', 'HEAD');
  const all = [
    await reviewed(id, { type: 'uncommittedChanges' }),
    await reviewed(id, { type: 'baseBranch', branch: 'main' }),
    await reviewed(id, { type: 'commit', sha, title: null }),
    await reviewed(id, { type: 'custom', instructions: 'Look at the spelling only.' }),
  ];
  for (const { entries } of all) {
    expect(entries.filter((entry) => entry.role === 'user')).toEqual([]);
    expect(entries.filter((entry) => entry.role === 'status')).toHaveLength(1);
    expect(entries).toContainEqual(expect.objectContaining({ role: 'note', kind: 'review_started' }));
  }
  // The folder here is gone, the thread is not: its past comes from Codex's history.
  const { conversation } = await box.must('readConversation', { id });
  await box.kill('SIGTERM');
  await rm(join(box.home, 'conversations', id), { recursive: true });
  await box.restart();
  const { conversations } = await box.must('listConversations', {});
  const row = conversations.find((one) => one.thread_id === conversation.thread_id);
  const past = await box.must('transcriptRange', { conversation_id: row?.id ?? '', limit: 100 });
  expect(past.entries.filter((entry) => entry.role === 'user')).toEqual([]);
  expect(past.entries.filter((entry) => entry.role === 'status')).toHaveLength(4);
});

test('[CV81] what can be reviewed is listed, without the branch that is checked out and without a program of the repository', async () => {
  const { root, git } = makeRepository();
  const marker = join(box.dir, 'was-run');
  const program = join(box.dir, 'program.sh');
  writeFileSync(program, `#!/bin/sh\ntouch ${marker}\ncat\n`, { mode: 0o755 });
  for (const key of ['core.pager', 'gpg.program', 'core.fsmonitor', 'diff.external', 'filter.f.clean'])
    git('config', key, program);
  git('config', 'log.showSignature', 'true');
  writeFileSync(join(root, '.gitattributes'), '* filter=f\n');
  const id = await box.create({ cwd: root });
  const choices = await box.must('reviewChoices', { id }, 'token');
  expect(choices).toMatchObject({ base: 'main', uncommitted: 2, reason: null });
  expect(choices.branches.map(({ name }) => name)).toEqual(['main']);
  expect(choices.commits.map(({ sha, title }) => [sha, title])).toEqual([
    [git('rev-parse', 'HEAD'), 'Second: "quoted" \u202e title'],
    [git('rev-parse', 'main'), 'First: the file'],
  ]);
  expect(existsSync(marker)).toBe(false);
});

test('[CV81] without a commit there is little to review, without a repository nothing, and both are no error', async () => {
  const root = join(box.dir, 'empty');
  mkdirSync(root);
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: root, env: { ...process.env, HOME: box.dir } });
  const empty = await box.must('reviewChoices', { id: await box.create({ cwd: root }) });
  expect(empty).toEqual({ branches: [], base: null, commits: [], uncommitted: 0, reason: null });
  const outside = await box.must('reviewChoices', { id: await box.create() });
  expect(outside).toMatchObject({ branches: [], commits: [], uncommitted: 0 });
  expect(outside.reason).toMatch(/git repository|ignored by the repository/);
  expect(await box.call('reviewChoices', { id: 'conv_00000000000000000000000000000000' })).toMatchObject({
    status: 404,
    body: { code: 'unknown_conversation' },
  });
});

test('[CV81] a name that git would read as an option is refused before Codex hears of it', async () => {
  const { root } = makeRepository();
  const id = await box.create({ cwd: root });
  for (const target of [
    { type: 'baseBranch', branch: '--output=/tmp/x' },
    { type: 'baseBranch', branch: 'main\nmore words' },
    { type: 'commit', sha: 'HEAD' },
    { type: 'commit', sha: '-abcd' },
    { type: 'custom', instructions: '' },
  ] as const)
    expect(await box.call('reviewConversation', { id, target })).toMatchObject({ status: 400 });
});

test('[CV83] the command line starts a review, prints it as it comes, and ends with it', async () => {
  const { root, git } = makeRepository();
  const id = await box.create({ cwd: root, approval: 'never' });
  const review = async (...args: string[]) => {
    box.model.push({ events: [{ say: VERDICT }] });
    const all = [MAIN, '--home', box.home, 'conversations', 'review', id, ...args];
    const { stdout } = await promisify(execFile)(process.execPath, all);
    return { stdout, asked: box.model.requests.at(-1)?.rawBody ?? '' };
  };
  const uncommitted = await review();
  expect(uncommitted.stdout).toContain('nothing to remark');
  expect(uncommitted.asked).toContain('untracked files');
  expect((await review('--base', 'main')).asked).toContain("base branch 'main'");
  const sha = git('rev-parse', 'main');
  expect((await review('--commit', sha)).asked).toContain(sha);
  expect((await review('--instructions', 'Only the names.')).asked).toContain('Only the names.');
});
