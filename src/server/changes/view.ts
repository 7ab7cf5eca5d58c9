/**
 * Lets git look at HEAD, the index and the files of a work tree without the repository's own configuration: with a git directory of ours,
 * made for one task. So no filter, driver or other program can be named, whatever somebody writes into `.git/config` in the meantime.
 */
import { isUtf8 } from 'node:buffer';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '../../contract/result.ts';
import { splitNul } from '../../core/changes/parse-git.ts';
import { ensurePrivateDir } from '../../node/atomic-file.ts';
import type { Git, GitAnswer, GitRun } from '../../node/git.ts';
import { readRegular } from '../../node/read-regular.ts';
import { configOf, MAX_INDEX_BYTES, sharedIndexes, type WorkTree } from './repository.ts';
import { gitFailure } from './snapshot.ts';

export interface View {
  /** The commit that is checked out; null before the first one. */
  readonly head: string | null;
  run(run: Omit<GitRun, 'cwd'>): Promise<GitAnswer>;
}

/** Settings of the repository and the person that say how files are compared. None names a program. */
const PASSIVE =
  '^(core\\.(autocrlf|eol|filemode|symlinks|ignorecase|precomposeunicode|excludesfile|attributesfile|sparsecheckout|sparsecheckoutcone|checkstat|trustctime|bigfilethreshold)|(diff|status)\\.renames)$';
const MAX_INFO_BYTES = 4 * 1024 * 1024;

/** By what a view is made. `folder`: `changes` in the home. */
export interface ViewMaker {
  readonly git: Git;
  readonly folder: string;
}

/** One run of git in a view. The index is the person's, so git takes its lock when it writes it. */
export async function inView(
  { git, folder }: ViewMaker,
  tree: WorkTree,
  run: Parameters<View['run']>[0],
): Promise<GitAnswer> {
  const done = await withView<GitAnswer>(git, folder, tree, async (view) => ok(await view.run(run)));
  return done.ok ? done.value : { kind: 'not_started', reason: done.error.message };
}

const viewsIn = (folder: string): string => join(folder, 'views');

/** `folder`: `changes` in the home, where no agent writes. */
export async function withView<T>(
  git: Git,
  folder: string,
  tree: WorkTree,
  task: (view: View) => Promise<Result<T>>,
): Promise<Result<T>> {
  await ensurePrivateDir(viewsIn(folder));
  const path = await mkdtemp(join(viewsIn(folder), 'view-'));
  try {
    const [head, settings] = await Promise.all([headOf(git, tree), readPassive(git, tree), fill(path, tree)]);
    await writeFile(join(path, 'HEAD'), head === null ? 'ref: refs/heads/none\n' : `${head}\n`);
    const env = {
      GIT_DIR: path,
      GIT_WORK_TREE: tree.root,
      GIT_INDEX_FILE: join(tree.gitDir, 'index'),
      GIT_OBJECT_DIRECTORY: join(tree.commonDir, 'objects'),
    };
    return await task({
      head,
      run: (run) =>
        git({
          ...run,
          cwd: tree.root,
          env: { ...run.env, ...env },
          config: [...settings, ['core.splitIndex', 'false'], ...(run.config ?? [])],
        }),
    });
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

/** What a server that was killed left over. */
export const removeOldViews = (folder: string): Promise<void> => rm(viewsIn(folder), { recursive: true, force: true });

async function fill(path: string, { gitDir, commonDir, objectFormat }: WorkTree): Promise<void> {
  for (const part of ['objects', 'refs', 'info']) await ensurePrivateDir(join(path, part));
  await writeFile(join(path, 'config'), configOf(objectFormat, false));
  const info = async (from: string, name: string) =>
    (await readRegular(join(from, 'info', name), MAX_INFO_BYTES)) ?? Buffer.alloc(0);
  const attributes = await info(commonDir, 'attributes');
  // The last line of this file outranks every other file: also a filter of the person's own is off.
  await writeFile(join(path, 'info', 'attributes'), Buffer.concat([attributes, Buffer.from('\n* !filter\n')]));
  await writeFile(join(path, 'info', 'exclude'), await info(commonDir, 'exclude'));
  await writeFile(join(path, 'info', 'sparse-checkout'), await info(gitDir, 'sparse-checkout'));
  // Where the history of a shallow clone ends.
  const shallow = await readRegular(join(commonDir, 'shallow'), MAX_INFO_BYTES);
  if (shallow !== null) await writeFile(join(path, 'shallow'), shallow);
  // The other half of a split index is looked for in the git directory.
  for (const name of await sharedIndexes(gitDir)) {
    const half = await readRegular(join(gitDir, name), MAX_INDEX_BYTES);
    if (half !== null) await writeFile(join(path, name), half);
  }
}

async function headOf(git: Git, { root }: WorkTree): Promise<string | null> {
  const args = ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'];
  const answer = await git({ cwd: root, args, timeoutMs: 10_000 });
  return answer.kind === 'ended' && answer.code === 0 ? answer.stdout.toString().trim() : null;
}

async function readPassive(git: Git, { root }: WorkTree): Promise<readonly (readonly [string, string])[]> {
  const answer = await git({ cwd: root, args: ['config', '-z', '--get-regexp', PASSIVE], timeoutMs: 10_000 });
  if (answer.kind !== 'ended') return [];
  return splitNul(answer.stdout).map((field) => {
    const text = Buffer.from(field).toString('utf8');
    const end = text.indexOf('\n');
    // A key without a value is true.
    return end < 0 ? ([text, 'true'] as const) : ([text.slice(0, end), text.slice(end + 1)] as const);
  });
}

/**
 * Settings that turn the drivers off that the configuration names, for a command that needs the repository's own configuration. Refused
 * where a name is no UTF-8: such a driver could not be turned off.
 */
export async function driversOff(
  git: Git,
  root: string,
  kind: 'filter' | 'merge',
): Promise<Result<readonly (readonly [string, string])[]>> {
  const args = ['config', '-z', '--name-only', '--get-regexp', `^${kind}\\..*\\.`];
  const answer = await git({ cwd: root, args, timeoutMs: 10_000 });
  // 1: none is configured. When they cannot be listed, each of them could run.
  if (answer.kind !== 'ended' || answer.code > 1) return gitFailure('config', answer);
  const names = splitNul(answer.stdout);
  if (!names.every(isUtf8))
    return fail(
      'conflict',
      `the configuration of this repository names a ${kind} that is no UTF-8: look at .git/config`,
    );
  const drivers = new Set(
    names.map((name) =>
      Buffer.from(name)
        .toString('utf8')
        .replace(/\.[^.]*$/, ''),
    ),
  );
  const off = kind === 'filter' ? FILTER_OFF : DRIVER_OFF;
  return ok([...drivers].flatMap((driver) => off.map(([key, value]) => [`${driver}.${key}`, value] as const)));
}

const FILTER_OFF = [
  ['clean', ''],
  ['smudge', ''],
  ['process', ''],
  ['required', 'false'],
] as const;
/** With a driver that fails, git reports the file as a conflict. */
const DRIVER_OFF = [['driver', 'false']] as const;
