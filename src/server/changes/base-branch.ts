/** Finds the branch that the work in a work tree is based on, for comparing and for new branches. */
import { ok, type Result } from '../../contract/result.ts';
import { shortName } from '../../core/changes/parse-refs.ts';
import type { Git } from '../../node/git.ts';
import type { WorkTree } from './repository.ts';
import { gitFailure } from './snapshot.ts';

const REMOTE_HEAD = 'refs/remotes/origin/HEAD';
/** Usual names, in the order in which they are tried; of each the local branch first. */
const USUAL = ['main', 'master', 'trunk'].flatMap((name) => [`refs/heads/${name}`, `refs/remotes/origin/${name}`]);
const TIMEOUT_MS = 10_000;

/**
 * The full name of the ref: what `origin/HEAD` names, else `main`, `master` or `trunk`, else, for a linked work tree, the branch or the
 * commit that is checked out in the main work tree. Null if there is none. `except` (a full or a short name) is never the answer.
 */
export async function findBase(git: Git, tree: WorkTree, except: string | null): Promise<Result<string | null>> {
  const isExcepted = (ref: string) => ref === except || shortName(ref) === except;
  const args = ['for-each-ref', '--format=%(refname)%00%(symref)', REMOTE_HEAD, ...USUAL];
  const answer = await git({ cwd: tree.root, args, timeoutMs: TIMEOUT_MS });
  if (answer.kind !== 'ended' || answer.code !== 0) return gitFailure('for-each-ref', answer);
  const refs = new Map(
    answer.stdout
      .toString('utf8')
      .split('\n')
      .map((line) => {
        const [ref = '', symref = ''] = line.split('\0');
        return [ref, symref] as const;
      }),
  );
  const candidates = [refs.get(REMOTE_HEAD) ?? '', ...USUAL.filter((ref) => refs.has(ref))];
  const found = candidates.find((ref) => ref !== '' && !isExcepted(ref));
  if (found !== undefined) return ok(found);
  if (tree.gitDir === tree.commonDir) return ok(null);
  const main = await mainHead(git, tree);
  return ok(main === null || isExcepted(main) ? null : main);
}

/** Null before the first commit of the main work tree. */
async function mainHead(git: Git, { root, commonDir }: WorkTree): Promise<string | null> {
  const ask = async (args: readonly string[]): Promise<string | null> => {
    const answer = await git({ cwd: root, args, env: { GIT_DIR: commonDir }, timeoutMs: TIMEOUT_MS });
    return answer.kind === 'ended' && answer.code === 0 ? answer.stdout.toString('utf8').trim() : null;
  };
  const commit = await ask(['rev-parse', '--verify', '-q', 'HEAD^{commit}']);
  return commit === null ? null : ((await ask(['symbolic-ref', '-q', 'HEAD'])) ?? commit);
}
