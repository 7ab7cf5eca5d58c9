/**
 * Finds the work tree of a directory, and keeps a git directory of our own for each work tree. Snapshots run in our git directory, so they
 * read no configuration, attributes or hooks of the repository; they share its objects.
 */
import { createHash } from 'node:crypto';
import { readdir, realpath, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fail, ok, type Result } from '../../contract/result.ts';
import { closedWithin } from '../../core/changes/closed-folders.ts';
import { parseConverted, parseIndex, splitNul } from '../../core/changes/parse-git.ts';
import { pathText } from '../../core/changes/path-text.ts';
import { ensurePrivateDir } from '../../node/atomic-file.ts';
import type { Git, GitAnswer, GitRun } from '../../node/git.ts';
import { openRegular, readRegular } from '../../node/read-regular.ts';
import { leadsTo } from './git-dir.ts';

export interface WorkTree {
  /** The top of the work tree, without symbolic links. */
  readonly root: string;
  readonly gitDir: string;
  /** Where the objects and refs are; differs from `gitDir` in a linked work tree. */
  readonly commonDir: string;
  readonly objectFormat: string;
  /** Folders of Signalbox and Codex in the work tree, relative to its top: their files are in no checkpoint, difference or status. */
  readonly closed: readonly string[];
}

/** `ownFolders`: real paths of the folders of Signalbox and Codex. Fails with `not_found` outside a repository, and with `conflict` where git itself refuses to work. */
export async function findWorkTree(
  git: Git,
  cwd: string,
  ownFolders: readonly string[] = [],
): Promise<Result<WorkTree>> {
  const isThere = await stat(cwd).catch(() => null);
  if (!isThere?.isDirectory()) return fail('missing_cwd', `the directory ${cwd} does not exist`);
  const args = [
    'rev-parse',
    '--path-format=absolute',
    '--show-object-format',
    '--git-dir',
    '--git-common-dir',
    '--show-toplevel',
  ];
  const answer = await git({ cwd, args, timeoutMs: 10_000 });
  if (answer.kind === 'not_started') return fail('not_found', `git cannot be started: ${answer.reason}`);
  if (answer.kind !== 'ended') return fail('no_answer', 'git did not answer');
  if (answer.code !== 0) {
    if (/dubious ownership|safe\.directory/.test(answer.stderr))
      return fail(
        'conflict',
        `git does not work in ${cwd}, since another user owns it: see safe.directory in \`git help config\``,
      );
    return fail('not_found', `${cwd} is not in the work tree of a git repository`);
  }
  const [objectFormat, gitDir, commonDir, top] = answer.stdout.toString('utf8').split('\n');
  if (!objectFormat || !gitDir || !commonDir || !top) return fail('not_found', `${cwd} is in no work tree`);
  const root = await realpath(top).catch(() => null);
  // `core.worktree` of a repository can name any folder, such as a home. Only a folder that names this repository itself is used.
  if (root === null || !(await leadsTo(join(root, '.git'), gitDir)))
    return fail('not_found', `${top} is a work tree without a .git of its own`);
  const closed = closedWithin(root, ownFolders);
  if (closed === null) return fail('not_found', `${root} belongs to Signalbox or Codex itself`);
  const real = await realpath(cwd);
  // The files of an ignored folder would be in no checkpoint.
  const ignoreArgs = ['check-ignore', '-q', '--', real];
  // `check-ignore` does not know literal pathspecs; an absolute path without a colon in front is literal anyway.
  const ignored =
    real === root ? null : await git({ cwd, args: ignoreArgs, env: { GIT_LITERAL_PATHSPECS: '0' }, timeoutMs: 10_000 });
  if (ignored?.kind === 'ended' && ignored.code === 0)
    return fail('not_found', `${cwd} is ignored by the repository ${root}`);
  return ok({ root, gitDir: resolve(gitDir), commonDir: resolve(commonDir), objectFormat, closed });
}

export interface OwnGitDir {
  readonly path: string;
  readonly indexFile: string;
  /** As in `WorkTree`. */
  readonly closed: readonly string[];
  /** Runs git in the work tree with our git directory. */
  run(run: Omit<GitRun, 'cwd'>): Promise<GitAnswer>;
}

/** Content is kept as it is on disk: line ends, encodings and filters are not converted, and no driver is used for differences. */
const ATTRIBUTES = '* -text -ident !working-tree-encoding !filter !diff !merge\n';

/** `isSparse`: files that are outside a sparse checkout and yet on disk are looked at. */
export const configOf = (objectFormat: string, isSparse = true): string =>
  [
    '[core]',
    '\trepositoryFormatVersion = 1',
    '\tbare = false',
    '\tautocrlf = false',
    '\tsplitIndex = false',
    ...(isSparse ? ['\tsparseCheckout = true'] : []),
    '\tignoreCase = false',
    '\tprecomposeUnicode = false',
    '[extensions]',
    `\tobjectFormat = ${objectFormat}`,
    '',
  ].join('\n');

/** `folder`: where the git directories of all work trees are. */
export async function openOwnGitDir(git: Git, folder: string, tree: WorkTree): Promise<OwnGitDir> {
  const name = createHash('sha256').update(tree.root).update('\0').update(tree.gitDir).digest('hex').slice(0, 32);
  const path = join(folder, name);
  const indexFile = join(path, 'index');
  const env = {
    GIT_DIR: path,
    GIT_WORK_TREE: tree.root,
    GIT_INDEX_FILE: indexFile,
    GIT_OBJECT_DIRECTORY: join(tree.commonDir, 'objects'),
  };
  const run: OwnGitDir['run'] = (wanted) => git({ ...wanted, cwd: tree.root, env: { ...wanted.env, ...env } });
  for (const part of ['objects', 'refs', 'info']) await ensurePrivateDir(join(path, part));
  await writeFile(join(path, 'HEAD'), 'ref: refs/heads/none\n');
  await writeFile(join(path, 'config'), configOf(tree.objectFormat));
  await writeFile(join(path, 'info', 'attributes'), ATTRIBUTES);
  // Only this server writes here, so a lock is left over from one that was killed.
  await rm(`${indexFile}.lock`, { force: true });
  return { path, indexFile, closed: tree.closed, run };
}

/** An index of a million files. */
export const MAX_INDEX_BYTES = 256 * 1024 * 1024;
/** Git keeps one, and older ones for two weeks. */
const MAX_SHARED_INDEXES = 64;

/** Names of the other halves of a split index. */
export async function sharedIndexes(gitDir: string): Promise<readonly string[]> {
  const names = await readdir(gitDir).catch(() => []);
  return names.filter((name) => /^sharedindex\.[0-9a-f]+$/.test(name)).slice(0, MAX_SHARED_INDEXES);
}

/** Nobody writes more by hand. */
const MAX_EXCLUDE_BYTES = 4 * 1024 * 1024;

/** What the person ignores besides the `.gitignore` files. Read at each snapshot, since it may change. */
export async function copyExcludes(own: OwnGitDir, tree: WorkTree): Promise<void> {
  const text = await readRegular(join(tree.commonDir, 'info', 'exclude'), MAX_EXCLUDE_BYTES);
  await writeFile(join(own.path, 'info', 'exclude'), text ?? Buffer.alloc(0));
}

/**
 * Makes our index from the person's, whose stat data says which files need not be read. Entries whose content git converts (line ends,
 * filters) have no content of the disk, and entries that git was told not to look at may be outdated: these are read again.
 */
export async function seedIndex(git: Git, own: OwnGitDir, tree: WorkTree): Promise<void> {
  await rm(own.indexFile, { force: true });
  const theirs = join(tree.gitDir, 'index');
  if (!(await copyIndex(theirs, own.indexFile))) return;
  // The other half of a split index lies beside it.
  for (const name of await sharedIndexes(tree.gitDir)) await copyIndex(join(tree.gitDir, name), join(own.path, name));
  const listed = await own.run({ args: ['ls-files', '-s', '-t', '-v', '-z'] });
  if (listed.kind !== 'ended' || listed.code !== 0) {
    // A damaged index, or one of a newer git: every file is read.
    await rm(own.indexFile, { force: true });
    return;
  }
  const entries = parseIndex(listed.stdout);
  const converted = await findConverted(git, tree, listed.stdout);
  const again = entries.filter(
    ({ path, stage, isSkipped, isAssumedUnchanged }) =>
      stage === 0 && !isSkipped && (isAssumedUnchanged || converted === 'all' || converted.has(pathText(path))),
  );
  if (again.length === 0) return;
  const lines = again.flatMap(({ mode, oid, path }) => [Buffer.from(`${mode} ${oid} 0\t`), path, NUL]);
  await own.run({ args: ['update-index', '-z', '--index-info'], stdin: Buffer.concat(lines) });
}

/**
 * False: no regular file, or a larger one. With its time: git reads the files again that changed in the second in which an index was written, since their times and sizes may be the
 * same. A copy that looks newer would hide such a change.
 */
async function copyIndex(from: string, to: string): Promise<boolean> {
  const file = await openRegular(from);
  if (file === null) return false;
  try {
    const { mtimeMs, size } = await file.stat();
    if (size > MAX_INDEX_BYTES) return false;
    await writeFile(to, await file.readFile());
    const at = new Date(Math.floor(mtimeMs));
    await utimes(to, at, at);
    return true;
  } finally {
    await file.close();
  }
}

const NUL = Buffer.from([0]);

async function findConverted(git: Git, tree: WorkTree, listed: Uint8Array): Promise<ReadonlySet<string> | 'all'> {
  const setting = await git({ cwd: tree.root, args: ['config', '--get', 'core.autocrlf'] });
  if (setting.kind === 'ended' && /^(true|input|1|yes|on)$/i.test(setting.stdout.toString().trim())) return 'all';
  const names = splitNul(listed).flatMap((field) => [field.subarray(field.indexOf(9) + 1), NUL]);
  const args = ['check-attr', '-z', '--stdin', '-a'];
  const answer = await git({ cwd: tree.root, args, stdin: Buffer.concat(names) });
  return answer.kind === 'ended' && answer.code === 0 ? parseConverted(answer.stdout) : 'all';
}
