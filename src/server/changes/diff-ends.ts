/** The difference between any two of HEAD, the index, the work tree, the base branch and the sides of checkpoints. */
import type { Checkpoint } from '../../contract/changes.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { findBase } from './base-branch.ts';
import { diffIndex, diffIndexTree, type IndexDiff } from './index-diff.ts';
import { gitFailure } from './snapshot.ts';
import { diffHead } from './status.ts';
import { diffText, diffTrees, headTree } from './trees.ts';
import { inView, type ViewMaker } from './view.ts';
import type { OpenTree } from './work-trees.ts';

/** One end of a difference. `base`: where the work left the base branch. */
export type DiffEnd =
  | { readonly kind: 'head' | 'index' | 'work_tree' | 'base' }
  | { readonly kind: 'checkpoint'; readonly checkpoint: Checkpoint; readonly side: 'before' | 'after' };

export type Difference = Omit<IndexDiff, 'hunks'> & Partial<Pick<IndexDiff, 'hunks'>>;

export async function diffEnds(
  repo: ViewMaker,
  open: OpenTree,
  from: DiffEnd,
  to: DiffEnd,
  path: string | undefined,
): Promise<Result<Difference>> {
  const { tree, own } = open;
  const isBetween = (one: DiffEnd['kind'], other: DiffEnd['kind']) => from.kind === one && to.kind === other;
  if (from.kind === 'index' && to.kind === 'index') return ok({ text: '', isCut: false });
  if (isBetween('head', 'index')) return diffIndex(repo, tree, 'staged', path);
  if (isBetween('index', 'work_tree')) {
    const text = await diffIndex(repo, tree, 'unstaged', path);
    if (!text.ok || text.value.text !== '' || path === undefined) return text;
    // An untracked file: it is compared with a tree that has nothing of it.
    const isTracked = await hasEntry(repo, open, path);
    if (!isTracked.ok || isTracked.value) return isTracked.ok ? text : isTracked;
    const [none, read] = [await emptyTree(open), await open.read()];
    if (!none.ok) return none;
    return read.ok ? diffText(own, none.value, read.value.tree, path) : read;
  }
  // As the person's own git shows it: line ends are compared as git keeps them.
  if (isBetween('head', 'work_tree')) {
    const text = await diffHead(repo.git, repo.folder, tree, path);
    if (!text.ok) return text;
    if (text.value.text !== '' || path === undefined) return text;
  }
  if (from.kind === 'index' || to.kind === 'index') {
    const other = await treeOf(repo, open, from.kind === 'index' ? to : from);
    return other.ok ? diffIndexTree(repo, tree, other.value, from.kind === 'index' ? 'tree' : 'index', path) : other;
  }
  const [one, other] = [await treeOf(repo, open, from), await treeOf(repo, open, to)];
  if (!one.ok) return one;
  return other.ok ? diffText(own, one.value, other.value, path) : other;
}

/** Lines of binary files do not count. */
export interface ChangeCount {
  readonly count: number;
  readonly added: number;
  readonly removed: number;
}

export async function countSinceBase(repo: ViewMaker, open: OpenTree): Promise<Result<ChangeCount>> {
  const [base, read] = [await baseTree(repo, open), await open.read()];
  if (!base.ok) return base;
  if (!read.ok) return read;
  const files = await diffTrees(open.own, base.value, read.value.tree, { renames: true });
  if (!files.ok) return files;
  const sum = (lines: readonly (number | null)[]): number => lines.reduce<number>((all, one) => all + (one ?? 0), 0);
  return ok({
    count: files.value.length,
    added: sum(files.value.map(({ added }) => added)),
    removed: sum(files.value.map(({ removed }) => removed)),
  });
}

async function treeOf(
  repo: ViewMaker,
  open: OpenTree,
  end: Exclude<DiffEnd, { kind: 'index' }> | DiffEnd,
): Promise<Result<string>> {
  if (end.kind === 'head') return headTree(repo.git, open.own, open.tree);
  if (end.kind === 'base') return baseTree(repo, open);
  const snapshot = end.kind === 'checkpoint' ? end.checkpoint[end.side] : null;
  if (snapshot !== null) return ok(snapshot.tree);
  const read = await open.read();
  return read.ok ? ok(read.value.tree) : read;
}

/** The newest commit that HEAD and the base branch have in common, as a pull request compares; the base itself where they have none. */
async function baseTree(repo: ViewMaker, { tree }: OpenTree): Promise<Result<string>> {
  const ask = async (args: readonly string[]): Promise<string | null> => {
    const answer = await repo.git({ cwd: tree.root, args, timeoutMs: 30_000 });
    return answer.kind === 'ended' && answer.code === 0 ? answer.stdout.toString().trim() : null;
  };
  const branch = await ask(['symbolic-ref', '-q', 'HEAD']);
  const base = await findBase(repo.git, tree, branch);
  if (!base.ok) return base;
  if (base.value === null)
    return fail('not_found', 'this repository has no other branch that the work is based on, such as main or master');
  const common = (await ask(['merge-base', 'HEAD', base.value])) ?? base.value;
  const found = await ask(['rev-parse', '--verify', '-q', '--end-of-options', `${common}^{tree}`]);
  return found === null ? fail('not_found', `${base.value} is no commit`) : ok(found);
}

async function emptyTree({ own }: OpenTree): Promise<Result<string>> {
  const empty = await own.run({ args: ['hash-object', '-t', 'tree', '-w', '--stdin'], stdin: Buffer.alloc(0) });
  return empty.kind === 'ended' && empty.code === 0
    ? ok(empty.stdout.toString().trim())
    : gitFailure('hash-object', empty);
}

async function hasEntry(repo: ViewMaker, { tree }: OpenTree, path: string): Promise<Result<boolean>> {
  const answer = await inView(repo, tree, { args: ['ls-files', '-c', '-z', '--', path] });
  return answer.kind === 'ended' && answer.code === 0 ? ok(answer.stdout.length > 0) : gitFailure('ls-files', answer);
}
