/** What `git status` and `git diff HEAD` say about a work tree, asked without running a filter, a hook or any program but git. */
import type { RepositoryStatus } from '../../contract/changes.ts';
import { ok, type Result } from '../../contract/result.ts';
import { openPathspecs } from '../../core/changes/closed-folders.ts';
import { parseStatus } from '../../core/changes/parse-status.ts';
import type { Git } from '../../node/git.ts';
import type { WorkTree } from './repository.ts';
import { gitFailure } from './snapshot.ts';
import { type DiffText, MAX_DIFF_BYTES, PATCH, pathArgs, pathspecEnv, textOf } from './trees.ts';
import { withView } from './view.ts';

/** `folder`: `changes` in the home. A filtered file whose times do not match the index is listed as changed, since no filter is asked. */
export async function readStatus(git: Git, folder: string, tree: WorkTree): Promise<Result<RepositoryStatus>> {
  const [branch, status] = await Promise.all([
    readBranch(git, tree),
    withView<RepositoryStatus>(git, folder, tree, async ({ run }) => {
      const shown = ['--porcelain=v2', '--branch', '-z', '--untracked-files=all', '--ignore-submodules=dirty'];
      const args = ['status', ...shown, ...openPathspecs(undefined, tree.closed)];
      const answer = await run({ args, env: pathspecEnv(tree.closed) });
      return answer.kind === 'ended' && answer.code === 0
        ? ok(parseStatus(tree.root, answer.stdout))
        : gitFailure('status', answer);
    }),
  ]);
  return status.ok ? ok({ ...status.value, ...branch }) : status;
}

/** Asked of the repository itself: names and commits need no file of the work tree, so nothing can run. */
async function readBranch(
  git: Git,
  { root }: WorkTree,
): Promise<Pick<RepositoryStatus, 'branch' | 'upstream' | 'ahead' | 'behind'>> {
  const none = { branch: null, upstream: null, ahead: null, behind: null };
  const named = await git({ cwd: root, args: ['symbolic-ref', '--quiet', 'HEAD'], timeoutMs: 10_000 });
  const ref = named.kind === 'ended' && named.code === 0 ? named.stdout.toString('utf8').trim() : '';
  if (!ref.startsWith('refs/heads/')) return none;
  const branch = ref.slice('refs/heads/'.length);
  const args = ['for-each-ref', '--format=%(refname)%00%(upstream:short)%00%(upstream:track,nobracket)', '--', ref];
  const answer = await git({ cwd: root, args, timeoutMs: 30_000 });
  const lines = answer.kind === 'ended' && answer.code === 0 ? answer.stdout.toString('utf8').split('\n') : [];
  const [, upstream = '', track = ''] = lines.map((line) => line.split('\0')).find(([name]) => name === ref) ?? [];
  if (upstream === '' || track === 'gone') return { ...none, branch, upstream: upstream === '' ? null : upstream };
  const [ahead, behind] = [/ahead (\d+)/, /behind (\d+)/].map((count) => Number(count.exec(track)?.[1] ?? 0));
  return { branch, upstream, ahead: ahead ?? 0, behind: behind ?? 0 };
}

/** Staged and unstaged changes together, of all files or of one. */
export async function diffHead(
  git: Git,
  folder: string,
  tree: WorkTree,
  path: string | undefined,
): Promise<Result<DiffText>> {
  const paths = pathArgs(path, tree.closed);
  if (!paths.ok) return paths;
  return withView<DiffText>(git, folder, tree, async ({ head, run }) => {
    const empty = await run({ args: ['hash-object', '-t', 'tree', '--stdin'], stdin: Buffer.alloc(0) });
    if (empty.kind !== 'ended' || empty.code !== 0) return gitFailure('hash-object', empty);
    const args = ['diff', ...PATCH, '--ignore-submodules=dirty', head ?? empty.stdout.toString().trim()];
    return textOf(
      await run({ args: [...args, ...paths.value], env: pathspecEnv(tree.closed), maxBytes: MAX_DIFF_BYTES }),
    );
  });
}
