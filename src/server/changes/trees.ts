/** Commits, refs and differences of checkpoints: what git is asked about trees that are there already. */
import type { ConversationId } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { openPathspecs } from '../../core/changes/closed-folders.ts';
import { parseTreeDiff, type TreeChange } from '../../core/changes/parse-git.ts';
import { pathBytes } from '../../core/changes/path-text.ts';
import type { Git, GitAnswer } from '../../node/git.ts';
import type { OwnGitDir, WorkTree } from './repository.ts';
import { gitFailure } from './snapshot.ts';

/** The same for everybody: a checkpoint says nothing about the person, and their identity need not be configured. */
const IDENTITY = { NAME: 'Signalbox', EMAIL: 'signalbox@localhost' };

export async function commitTree(git: Git, tree: WorkTree, treeId: string, message: string): Promise<Result<string>> {
  const env = {
    GIT_AUTHOR_NAME: IDENTITY.NAME,
    GIT_AUTHOR_EMAIL: IDENTITY.EMAIL,
    GIT_COMMITTER_NAME: IDENTITY.NAME,
    GIT_COMMITTER_EMAIL: IDENTITY.EMAIL,
  };
  const args = ['commit-tree', '--no-gpg-sign', treeId, '-F', '-'];
  const answer = await git({ cwd: tree.root, args, env, stdin: Buffer.from(message) });
  return answer.kind === 'ended' && answer.code === 0
    ? ok(answer.stdout.toString().trim())
    : gitFailure('commit-tree', answer);
}

/** `key`: a turn, or a checkpoint without one. Characters that a ref cannot have are written in hexadecimal. */
export function refName(conversationId: ConversationId, key: string, side: 'before' | 'after'): string {
  const safe = key.replace(/[^A-Za-z0-9-]/g, (char) => `_${char.charCodeAt(0).toString(16)}`);
  return `refs/signalbox/${conversationId}/${safe}/${side}`;
}

/** All or none; an `oid` of null deletes the ref. */
export async function updateRefs(
  git: Git,
  tree: Pick<WorkTree, 'root'>,
  updates: readonly { readonly ref: string; readonly oid: string | null }[],
): Promise<Result<null>> {
  if (updates.length === 0) return ok(null);
  const lines = updates.map(({ ref, oid }) => (oid === null ? `delete ${ref}\0\0` : `update ${ref}\0${oid}\0\0`));
  const args = ['update-ref', '--no-deref', '-z', '--stdin'];
  const answer = await git({ cwd: tree.root, args, stdin: Buffer.from(lines.join('')) });
  return answer.kind === 'ended' && answer.code === 0 ? ok(null) : gitFailure('update-ref', answer);
}

export interface DiffOptions {
  readonly renames: boolean;
}

export async function diffTrees(
  own: OwnGitDir,
  from: string,
  to: string,
  { renames }: DiffOptions,
): Promise<Result<TreeChange[]>> {
  if (from === to) return ok([]);
  const shown = renames ? ['--numstat', '-M'] : ['--no-renames'];
  const args = [
    'diff-tree',
    '-r',
    '-z',
    '--raw',
    ...shown,
    '--no-ext-diff',
    '--no-textconv',
    from,
    to,
    ...openPathspecs(undefined, own.closed),
  ];
  const answer = await own.run({ args, env: pathspecEnv(own.closed) });
  return answer.kind === 'ended' && answer.code === 0
    ? ok(parseTreeDiff(answer.stdout))
    : gitFailure('diff-tree', answer);
}

/** Text of one answer: a page renders 20,000 changed lines at most. */
export const MAX_DIFF_BYTES = 4 * 1024 * 1024;

export interface DiffText {
  readonly text: string;
  readonly isCut: boolean;
}

export const PATCH = ['-p', '-M', '--no-ext-diff', '--no-textconv', '--no-color', '--submodule=short', '--full-index'];

/** The difference of two trees as text; of one file, if a path is given. */
export async function diffText(
  own: OwnGitDir,
  from: string,
  to: string,
  path: string | undefined,
): Promise<Result<DiffText>> {
  const paths = pathArgs(path, own.closed);
  if (!paths.ok) return paths;
  const args = ['diff-tree', '-r', ...PATCH, from, to, ...paths.value];
  return textOf(await own.run({ args, env: pathspecEnv(own.closed), maxBytes: MAX_DIFF_BYTES }));
}

/** A path of bytes that are no UTF-8 cannot be an argument of a process here. */
export function pathArgs(path: string | undefined, closed: readonly string[]): Result<readonly string[]> {
  if (path === undefined) return ok(openPathspecs(undefined, closed));
  const bytes = pathBytes(path);
  if (bytes === null) return fail('invalid_request', `${path} is not a path`);
  const text = Buffer.from(bytes).toString('utf8');
  if (!Buffer.from(text).equals(bytes))
    return fail('invalid_request', 'the name of this file is no UTF-8: ask for the whole difference instead');
  return ok(openPathspecs(text, closed));
}

/** Paths are taken by their letters everywhere, except where folders are left out: there each path says so itself. */
export const pathspecEnv = (closed: readonly string[]): Record<string, string> =>
  closed.length === 0 ? {} : { GIT_LITERAL_PATHSPECS: '0' };

export function textOf(answer: GitAnswer): Result<DiffText> {
  if (answer.kind === 'too_long') return ok({ text: wholeLines(answer.stdout), isCut: true });
  return answer.kind === 'ended' && answer.code <= 1
    ? ok({ text: answer.stdout.toString('utf8'), isCut: false })
    : gitFailure('diff', answer);
}

function wholeLines(bytes: Buffer): string {
  const end = bytes.lastIndexOf(10);
  return bytes.subarray(0, end < 0 ? bytes.length : end + 1).toString('utf8');
}

/** The tree of HEAD; the empty tree before the first commit. */
export async function headTree(git: Git, own: OwnGitDir, tree: WorkTree): Promise<Result<string>> {
  const answer = await git({ cwd: tree.root, args: ['rev-parse', '--verify', '--quiet', 'HEAD^{tree}'] });
  if (answer.kind === 'ended' && answer.code === 0) return ok(answer.stdout.toString().trim());
  const empty = await own.run({ args: ['hash-object', '-t', 'tree', '-w', '--stdin'], stdin: Buffer.alloc(0) });
  return empty.kind === 'ended' && empty.code === 0
    ? ok(empty.stdout.toString().trim())
    : gitFailure('rev-parse', answer);
}
