/** What `git status` and `git diff HEAD` say about a work tree, asked without running a filter, a hook or any program but git. */
import type { RepositoryStatus } from '../../contract/changes.ts';
import { ok, type Result } from '../../contract/result.ts';
import { openPathspecs } from '../../core/changes/closed-folders.ts';
import { splitNul } from '../../core/changes/parse-git.ts';
import { parseStatus } from '../../core/changes/parse-status.ts';
import type { Git } from '../../node/git.ts';
import type { WorkTree } from './repository.ts';
import { gitFailure } from './snapshot.ts';
import { type DiffText, MAX_DIFF_BYTES, PATCH, pathArgs, pathspecEnv, textOf } from './trees.ts';

export type GitConfig = readonly (readonly [key: string, value: string])[];

/**
 * Settings that turn every configured filter off, whoever configured it: a filter of the person's own, such as LFS, reads settings of the
 * repository that can name programs too. A filtered file whose times do not match the index is therefore listed as changed.
 *
 * `root` must be the work tree in which git runs with these settings: a repository can name filters for one work tree or one branch only.
 * Fails when the filters cannot be listed, since each that is missing here could run.
 */
export async function withoutFilters(git: Git, root: string): Promise<Result<GitConfig>> {
  const args = ['config', '-z', '--name-only', '--get-regexp', '^filter\\.'];
  const answer = await git({ cwd: root, args, timeoutMs: 10_000 });
  // 1: no filter is configured.
  if (answer.kind !== 'ended' || answer.code > 1) return gitFailure('config', answer);
  const drivers = splitNul(answer.stdout).map((name) =>
    Buffer.from(name)
      .toString('utf8')
      .replace(/\.[^.]*$/, ''),
  );
  return ok(
    [...new Set(drivers)].flatMap((driver) => [
      [`${driver}.clean`, ''] as const,
      [`${driver}.smudge`, ''] as const,
      [`${driver}.process`, ''] as const,
      [`${driver}.required`, 'false'] as const,
    ]),
  );
}

export async function readStatus(git: Git, tree: WorkTree): Promise<Result<RepositoryStatus>> {
  const config = await withoutFilters(git, tree.root);
  if (!config.ok) return config;
  const shown = ['--porcelain=v2', '--branch', '-z', '--untracked-files=all', '--ignore-submodules=dirty'];
  const args = ['status', ...shown, ...openPathspecs(undefined, tree.closed)];
  const answer = await git({ cwd: tree.root, args, env: pathspecEnv(tree.closed), config: config.value });
  return answer.kind === 'ended' && answer.code === 0
    ? ok(parseStatus(tree.root, answer.stdout))
    : gitFailure('status', answer);
}

/** Staged and unstaged changes together, of all files or of one. */
export async function diffHead(git: Git, tree: WorkTree, path: string | undefined): Promise<Result<DiffText>> {
  const paths = pathArgs(path, tree.closed);
  if (!paths.ok) return paths;
  const config = await withoutFilters(git, tree.root);
  if (!config.ok) return config;
  const args = ['diff', ...PATCH, '--ignore-submodules=dirty', 'HEAD', ...paths.value];
  const env = pathspecEnv(tree.closed);
  return textOf(await git({ cwd: tree.root, args, env, config: config.value, maxBytes: MAX_DIFF_BYTES }));
}
