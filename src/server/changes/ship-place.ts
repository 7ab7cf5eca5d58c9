/** What every action that ships work needs of its place: the work tree, what the repository would run, and how git is started there. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversationId } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ShipAction, ShipDone, ShipFailure } from '../../contract/ship.ts';
import { splitNul } from '../../core/changes/parse-git.ts';
import { pathText } from '../../core/changes/path-text.ts';
import { lastOf } from '../../core/changes/repository-programs.ts';
import type { Git } from '../../node/git.ts';
import type { PersonAnswer } from '../../node/person-program.ts';
import type { FoundPrograms } from './find-programs.ts';
import { commitOf } from './linked.ts';
import type { WorkTree } from './repository.ts';
import type { JobEnd, RunContext } from './ship-runs.ts';
import { updateRefs } from './trees.ts';

export interface Place {
  readonly id: ConversationId;
  readonly tree: WorkTree;
  readonly programs: FoundPrograms;
  /** Whether the repository would still run what was found. */
  readonly isSame: () => Promise<boolean>;
}

/** What actions are performed with. */
export interface ShipTools {
  readonly git: Git;
  /** `changes` in the home. */
  readonly folder: string;
  /** The files of a work tree as they are now, as a commit without a ref. */
  readonly keep: (cwd: string, message: string) => Promise<Result<string>>;
  readonly now: () => number;
}

interface GitCall {
  readonly args: readonly string[];
  readonly stdin?: Uint8Array;
  readonly timeoutMs: number;
  readonly isQuiet?: boolean;
  /** Files of the work tree are replaced, hooks that lie there too: the new ones nobody has seen. */
  readonly replacesFiles?: boolean;
  /** Takes something back, which has to happen whatever has changed. */
  readonly takesBack?: boolean;
}

/** Hooks of a commit may run tests; a transfer may be slow. A question that nobody can answer ends here. */
export const HOOKS_MS = 15 * 60_000;
export const TRANSFER_MS = 30 * 60_000;

/** As the person's own git, in a repository whose programs are trusted. They are compared once more just before. */
export async function runGit(
  run: RunContext['run'],
  { tree, programs, isSame }: Place,
  { args, stdin, timeoutMs, isQuiet = false, replacesFiles = false, takesBack = false }: GitCall,
): Promise<PersonAnswer> {
  if (!takesBack && !(await isSame()))
    return { kind: 'not_started', reason: 'what this repository would run has changed. Look at it again' };
  const hasHooks = programs.hasHooks && !(programs.areHooksInTree && replacesFiles);
  const config: (readonly [string, string])[] = hasHooks ? [] : [['core.hooksPath', '/dev/null']];
  const sshCommand = lastOf(programs.config, 'core.sshcommand')?.value ?? null;
  const input = stdin === undefined ? {} : { stdin };
  return run({ program: 'git', cwd: tree.root, args, config, sshCommand, timeoutMs, isQuiet, ...input });
}

/** The end of an action that worked: where the branch is now. */
export async function doneAt(git: Git, { tree }: Place, url: string | null = null): Promise<JobEnd> {
  const commit = await commitOf(git, tree, 'HEAD');
  const shown = await git({ cwd: tree.root, args: ['log', '-1', '--format=%s', 'HEAD', '--'], timeoutMs: 10_000 });
  const subject = shown.kind === 'ended' && shown.code === 0 ? shown.stdout.toString('utf8').trim() : null;
  const done: ShipDone = { commit, subject, branch: await currentBranch(git, tree), url };
  return { kind: 'done', done };
}

export const failedWith = (failure: ShipFailure): JobEnd => ({ kind: 'failed', failure });

/** Null when HEAD is detached. */
export async function currentBranch(git: Git, { root }: WorkTree): Promise<string | null> {
  const answer = await git({ cwd: root, args: ['symbolic-ref', '-q', '--short', 'HEAD'], timeoutMs: 10_000 });
  return answer.kind === 'ended' && answer.code === 0 ? answer.stdout.toString('utf8').trim() : null;
}

const OPERATIONS = [
  ['MERGE_HEAD', 'merge'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
] as const;

/** A merge, a rebase or the like that waits for a person. */
export async function unfinished({ gitDir }: WorkTree): Promise<string | null> {
  for (const [file, name] of OPERATIONS) if (await lstat(join(gitDir, file)).catch(() => null)) return name;
  return null;
}

export async function refuseUnfinished(tree: WorkTree, action: ShipAction): Promise<Result<null>> {
  const what = await unfinished(tree);
  return what === null
    ? ok(null)
    : fail(
        'conflict',
        `a ${what} is not finished here: end it with \`git ${what} --continue\` or \`--abort\` before this ${action}`,
      );
}

export async function conflictedFiles(git: Git, { root }: WorkTree): Promise<string[]> {
  const answer = await git({ cwd: root, args: ['diff', '--name-only', '--diff-filter=U', '-z'], timeoutMs: 30_000 });
  return answer.kind === 'ended' && answer.code === 0 ? [...new Set(splitNul(answer.stdout).map(pathText))] : [];
}

const KEPT = 'refs/signalbox/kept/';
const KEPT_MS = 90 * 24 * 3_600_000;

/** Before files are replaced: a commit of them all, under a ref of its own for 90 days. */
export async function keepFiles(
  { git, keep, now }: ShipTools,
  { root }: WorkTree,
  why: string,
): Promise<Result<string>> {
  const commit = await keep(root, `Files of ${root} before ${why}\n`);
  if (!commit.ok) return commit;
  const listed = await git({ cwd: root, args: ['for-each-ref', '--format=%(refname)', KEPT], timeoutMs: 10_000 });
  const known = listed.kind === 'ended' ? listed.stdout.toString('utf8').split('\n') : [];
  const expired = known.filter((ref) => ref !== '' && Number(ref.slice(KEPT.length)) < now() - KEPT_MS);
  const stored = await updateRefs(git, { root }, [
    { ref: `${KEPT}${now()}`, oid: commit.value },
    ...expired.map((ref) => ({ ref, oid: null })),
  ]);
  return stored.ok ? commit : stored;
}
