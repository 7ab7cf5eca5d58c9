/** Stages and unstages files and hunks. The index is the person's: git writes it, behind git's own lock, and runs no hook and no filter. */
import { fail, ok, type Result } from '../../contract/result.ts';
import { openPathspecs } from '../../core/changes/closed-folders.ts';
import { patchOfHunks } from '../../core/changes/hunks.ts';
import { isSafePath } from '../../core/changes/path-text.ts';
import { parseStatusEntries, type StatusEntry } from '../../core/changes/status-entries.ts';
import type { GitAnswer } from '../../node/git.ts';
import { readConversions, refuseFiltered } from './conversion.ts';
import { findHunks, type IndexSide, readFilePatch } from './index-diff.ts';
import type { WorkTree } from './repository.ts';
import { gitFailure } from './snapshot.ts';
import { pathspecEnv } from './trees.ts';
import { inView, type ViewMaker } from './view.ts';

/** Whole files, or some hunks of one file. */
export interface Selection {
  readonly paths: readonly string[];
  readonly hunks?: readonly string[] | undefined;
}

/** A person's own git is asked once more at most; a larger list is longer than a command line. */
const MAX_PATHSPECS = 200;
const NUL = Buffer.from([0]);

export async function changeIndex(
  repo: ViewMaker,
  tree: WorkTree,
  act: 'stage' | 'unstage',
  { paths, hunks }: Selection,
): Promise<Result<null>> {
  const entries = await readEntries(repo, tree, paths);
  if (!entries.ok) return entries;
  const side: IndexSide = act === 'stage' ? 'unstaged' : 'staged';
  const refused = refuseEntries(paths, entries.value, side);
  if (!refused.ok) return refused;
  const found = paths.flatMap((path) => entries.value.get(path) ?? []);
  if (act === 'stage') {
    const bytes = found.map(({ path }) => path);
    const conversions = await readConversions(repo, tree, bytes);
    const allowed = conversions.ok ? refuseFiltered(bytes, conversions.value) : conversions;
    if (!allowed.ok) return allowed;
  }
  const [path] = paths;
  if (hunks !== undefined && path !== undefined) {
    const patch = await readFilePatch(repo, tree, side, path);
    if (!patch.ok) return patch;
    const chosen = patch.value === null ? null : findHunks(patch.value, hunks);
    if (patch.value === null || chosen === null) return changedSince(path);
    if (!patch.value.isWhole)
      return applyPatch(repo, tree, act, patchOfHunks(patch.value, chosen, act === 'stage' ? 'old' : 'new'), path);
  }
  return act === 'stage' ? stageWhole(repo, tree, found) : unstageWhole(repo, tree, found);
}

export const changedSince = (path: string): Result<never> =>
  fail('conflict', `${path} has changed since it was shown, so nothing was done: look at its changes again`, {
    files: [path],
  });

/** The named paths as git sees them now. */
export async function readEntries(
  repo: ViewMaker,
  tree: WorkTree,
  paths: readonly string[],
): Promise<Result<ReadonlyMap<string, StatusEntry>>> {
  const outside = paths.find((path) => !isSafePath(path));
  if (outside !== undefined) return fail('invalid_request', `${outside} is no path of a file in this work tree`);
  const shown = ['--porcelain=v2', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=dirty'];
  const args = ['status', ...shown, ...pathspecs(paths, tree.closed)];
  const answer = await inView(repo, tree, { args, env: pathspecEnv(tree.closed) });
  return answer.kind === 'ended' && answer.code === 0
    ? ok(parseStatusEntries(answer.stdout))
    : gitFailure('status', answer);
}

/** The whole status where the names are too many, or no text. */
function pathspecs(paths: readonly string[], closed: readonly string[]): readonly string[] {
  const isPlain = paths.length <= MAX_PATHSPECS && paths.every((path) => !path.startsWith('"') && !path.includes('\0'));
  return closed.length > 0 || !isPlain ? openPathspecs(undefined, closed) : ['--', ...paths];
}

export function refuseEntries(
  paths: readonly string[],
  entries: ReadonlyMap<string, StatusEntry>,
  side: IndexSide,
): Result<null> {
  for (const path of paths) {
    const entry = entries.get(path);
    if (entry === undefined || !(side === 'staged' ? entry.isStaged : entry.isUnstaged)) {
      if (!(side === 'staged' && entry?.kind === 'conflicted')) return changedSince(path);
    }
    if (entry?.kind === 'repository')
      return fail('conflict', `${path} is a repository of its own: add it as a submodule with git`, { files: [path] });
    if (side === 'staged' && entry?.kind === 'conflicted')
      return fail('conflict', `${path} has conflicts: resolve them first`, { files: [path] });
  }
  return ok(null);
}

async function stageWhole(repo: ViewMaker, tree: WorkTree, entries: readonly StatusEntry[]): Promise<Result<null>> {
  const stdin = Buffer.concat(entries.flatMap(({ path }) => [path, NUL]));
  const args = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'];
  return indexAnswer(tree, 'update-index', await inView(repo, tree, { args, stdin }));
}

/** The entries get what HEAD has; first those that HEAD does not have, so that a folder can become a file again. */
async function unstageWhole(repo: ViewMaker, tree: WorkTree, entries: readonly StatusEntry[]): Promise<Result<null>> {
  const none = '0'.repeat(tree.objectFormat === 'sha256' ? 64 : 40);
  const lineOf = ({ head, path }: StatusEntry) => [
    Buffer.from(head === null ? `0 ${none}\t` : `${head.mode} ${head.oid}\t`),
    path,
    NUL,
  ];
  const sorted = [...entries.filter(({ head }) => head === null), ...entries.filter(({ head }) => head !== null)];
  const stdin = Buffer.concat(sorted.flatMap(lineOf));
  const args = ['update-index', '--replace', '-z', '--index-info'];
  return indexAnswer(tree, 'update-index', await inView(repo, tree, { args, stdin }));
}

/** Takes entries out of the index; the files stay. */
export async function forgetEntries(
  repo: ViewMaker,
  tree: WorkTree,
  entries: readonly StatusEntry[],
): Promise<Result<null>> {
  if (entries.length === 0) return ok(null);
  const stdin = Buffer.concat(entries.flatMap(({ path }) => [path, NUL]));
  const args = ['update-index', '--force-remove', '-z', '--stdin'];
  return indexAnswer(tree, 'update-index', await inView(repo, tree, { args, stdin }));
}

/** Git compares the lines around each hunk with the index behind its lock, so a change of the index in the same moment is not overwritten. */
async function applyPatch(
  repo: ViewMaker,
  tree: WorkTree,
  act: 'stage' | 'unstage',
  patch: Uint8Array,
  path: string,
): Promise<Result<null>> {
  const config = [['apply.whitespace', 'nowarn'] as const, ['apply.ignoreWhitespace', 'no'] as const];
  const args = ['apply', '--cached', '--whitespace=nowarn', ...(act === 'unstage' ? ['--reverse'] : []), '-'];
  const answer = await inView(repo, tree, { args, stdin: patch, config });
  const isRefused =
    answer.kind === 'ended' && /patch does not apply|does not match index|does not exist in index/.test(answer.stderr);
  return isRefused ? changedSince(path) : indexAnswer(tree, 'apply', answer);
}

function indexAnswer(tree: WorkTree, what: string, answer: GitAnswer): Result<null> {
  if (answer.kind === 'ended' && answer.code === 0) return ok(null);
  if (answer.kind === 'ended' && /index\.lock'?: File exists/.test(answer.stderr))
    return fail(
      'conflict',
      `another git command is using the index of ${tree.root}, so nothing was done: try again when it has ended. If none is running, delete ${tree.gitDir}/index.lock`,
    );
  return gitFailure(what, answer);
}
