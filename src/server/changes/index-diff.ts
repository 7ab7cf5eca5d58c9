/** Differences with the person's index on one side, and the hunks by which a page names parts of them. Nothing is written, no filter runs. */
import { createHash } from 'node:crypto';
import { fail, ok, type Result } from '../../contract/result.ts';
import { type FilePatch, type PatchHunk, parseFilePatch } from '../../core/changes/hunks.ts';
import type { WorkTree } from './repository.ts';
import { gitFailure } from './snapshot.ts';
import { type DiffText, MAX_DIFF_BYTES, PATCH, pathArgs, pathspecEnv, textOf } from './trees.ts';
import { inView, type ViewMaker } from './view.ts';

/** staged: from HEAD to the index · unstaged: from the index to the work tree. */
export type IndexSide = 'staged' | 'unstaged';

/** Three lines around a change and these prefixes, whatever the person's configuration says: the hunks are given back to git. */
const EXACT = ['-U3', '--inter-hunk-context=0', '--src-prefix=a/', '--dst-prefix=b/', '--ignore-submodules=dirty'];
const CONFIG = [['diff.suppressBlankEmpty', 'false'] as const];

export interface IndexDiff extends DiffText {
  /** One key for each hunk, in their order; of a difference of one file that is not cut. */
  readonly hunks: readonly string[];
}

export async function diffIndex(
  repo: ViewMaker,
  tree: WorkTree,
  side: IndexSide,
  path: string | undefined,
): Promise<Result<IndexDiff>> {
  const answer = await runDiff(repo, tree, [...cached(side), ...(path === undefined ? [] : ['--no-renames'])], path);
  if (!answer.ok) return answer;
  const text = textOf(answer.value);
  if (!text.ok) return text;
  const isWhole = answer.value.kind === 'ended' && path !== undefined;
  const patch = isWhole ? parseFilePatch(answer.value.stdout) : null;
  return ok({ ...text.value, hunks: patch === null || patch.isWhole ? [] : patch.hunks.map(hunkKey) });
}

/** From the index to a tree, or the other way round. */
export async function diffIndexTree(
  repo: ViewMaker,
  tree: WorkTree,
  treeId: string,
  to: 'tree' | 'index',
  path: string | undefined,
): Promise<Result<DiffText>> {
  const answer = await runDiff(repo, tree, ['--cached', ...(to === 'tree' ? ['-R'] : []), treeId], path);
  return answer.ok ? textOf(answer.value) : answer;
}

/** Null where the file has no change on this side. */
export async function readFilePatch(
  repo: ViewMaker,
  tree: WorkTree,
  side: IndexSide,
  path: string,
): Promise<Result<FilePatch | null>> {
  const answer = await runDiff(repo, tree, [...cached(side), '--no-renames'], path);
  if (!answer.ok) return answer;
  if (answer.value.kind === 'too_long')
    return fail('too_large', `the changes of ${path} are too long to take parts of`);
  return answer.value.kind === 'ended' && answer.value.code === 0
    ? ok(parseFilePatch(answer.value.stdout))
    : gitFailure('diff', answer.value);
}

async function runDiff(repo: ViewMaker, tree: WorkTree, args: readonly string[], path: string | undefined) {
  const paths = pathArgs(path, tree.closed);
  if (!paths.ok) return paths;
  return ok(
    await inView(repo, tree, {
      args: ['diff', ...PATCH, ...EXACT, ...args, ...paths.value],
      env: pathspecEnv(tree.closed),
      config: CONFIG,
      maxBytes: MAX_DIFF_BYTES,
    }),
  );
}

const cached = (side: IndexSide): readonly string[] => (side === 'staged' ? ['--cached'] : []);

/** The place of a hunk and a hash of its bytes. */
function hunkKey({ oldStart, newStart, body }: PatchHunk): string {
  return `${oldStart}:${newStart}:${createHash('sha256').update(body).digest('hex').slice(0, 32)}`;
}

/** The places of hunks in a patch. A hunk that has only moved is found by its content, if it is there once. Null: one of them is not there any more. */
export function findHunks({ hunks }: FilePatch, keys: readonly string[]): ReadonlySet<number> | null {
  const known = hunks.map(hunkKey);
  const bodyOf = (key: string) => key.split(':')[2];
  const chosen = new Set<number>();
  for (const key of keys) {
    const exact = known.indexOf(key);
    const alike = known.flatMap((one, at) => (bodyOf(one) === bodyOf(key) ? [at] : []));
    const at = exact >= 0 ? exact : alike.length === 1 ? alike[0] : undefined;
    if (at === undefined) return null;
    chosen.add(at);
  }
  return chosen;
}
