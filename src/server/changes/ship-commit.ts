/** Commits as `git commit` in the person's terminal makes them: with hooks, filters, template and signature. */
import { fail, ok, type Result } from '../../contract/result.ts';
import { isSafePath, pathBytes } from '../../core/changes/path-text.ts';
import { NO_IDENTITY } from '../../core/changes/ship-output.ts';
import { commitOf } from './linked.ts';
import {
  conflictedFiles,
  doneAt,
  failedWith,
  HOOKS_MS,
  type Place,
  runGit,
  type ShipTools,
  unfinished,
} from './ship-place.ts';
import { failedRun, type Job } from './ship-runs.ts';
import { readStatus } from './status.ts';

export interface CommitRequest {
  readonly message: string;
  readonly what: 'staged' | 'all' | 'paths';
  readonly paths: readonly string[];
  readonly amend: boolean;
}

/** Checks what git would refuse only after the hooks have run, and answers the job. */
export async function prepareCommit(
  { git, folder }: ShipTools,
  place: Place,
  request: CommitRequest,
): Promise<Result<Job>> {
  const { message, what, amend } = request;
  const { tree } = place;
  if (message.includes('\0')) return fail('invalid_request', 'a message has no NUL characters');
  if (message.trim() === '' && !amend) return fail('invalid_request', 'a commit needs a message');
  const conflicts = await conflictedFiles(git, tree);
  if (conflicts.length > 0)
    return fail('conflict', `resolve these files first: ${conflicts.slice(0, 10).join(', ')}`, {
      reason: 'conflict',
      files: conflicts,
    });
  const paths =
    what === 'paths' ? await findPaths({ git, folder }, place, request.paths) : ok({ named: [], untracked: [] });
  if (!paths.ok) return paths;
  const head = await commitOf(git, tree, 'HEAD');
  if (amend && head === null) return fail('conflict', 'there is no commit yet to amend', { reason: 'nothing' });
  const status = await readStatus(git, folder, tree);
  if (!status.ok) return status;
  const { staged, unstaged } = status.value.counts;
  const changed = what === 'staged' ? staged : staged + unstaged + paths.value.untracked.length;
  // A merge may be committed although it changed nothing.
  if (changed === 0 && !amend && (await unfinished(tree)) === null)
    return fail(
      'conflict',
      what === 'staged' ? 'nothing is staged: stage files, or commit all changes' : 'there is nothing to commit',
      { reason: 'nothing' },
    );

  const job: Job = async (context) => {
    const run = (args: readonly string[], stdin?: Uint8Array) =>
      runGit(context.run, place, { args, timeoutMs: HOOKS_MS, ...(stdin !== undefined && { stdin }) });
    const who = await runGit(context.run, place, {
      args: ['var', 'GIT_AUTHOR_IDENT'],
      timeoutMs: HOOKS_MS,
      isQuiet: true,
    });
    if (who.kind === 'ended' && who.code !== 0)
      return failedWith({ reason: 'identity', message: NO_IDENTITY, files: [] });
    const { untracked, named } = paths.value;
    if (untracked.length > 0) {
      const added = await run(['add', '--intent-to-add', ...FROM_STDIN], pathspecs(untracked));
      if (added.kind !== 'ended' || added.code !== 0) return failedRun('commit', added, context);
    }
    const answer = await run(
      [
        'commit',
        ...(amend ? ['--amend'] : []),
        ...(message.trim() === '' ? ['--no-edit'] : ['-m', message.trim()]),
        ...(what === 'all' ? ['--all'] : []),
        ...(what === 'paths' ? ['--only', ...FROM_STDIN] : []),
      ],
      what === 'paths' ? pathspecs(named) : undefined,
    );
    if (answer.kind === 'ended' && answer.code === 0) return doneAt(git, place);
    // New files that were named are untracked again.
    if (untracked.length > 0)
      await runGit(context.cleanUp, place, {
        args: ['reset', '-q', ...FROM_STDIN],
        stdin: pathspecs(untracked),
        timeoutMs: HOOKS_MS,
        takesBack: true,
      });
    return failedRun('commit', answer, context);
  };
  return ok(job);
}

const FROM_STDIN = ['--pathspec-from-file=-', '--pathspec-file-nul'];

const pathspecs = (paths: readonly string[]): Uint8Array =>
  Buffer.concat(
    paths.flatMap((path) => [Buffer.from(':(top,literal)'), pathBytes(path) ?? new Uint8Array(), Buffer.from([0])]),
  );

interface Paths {
  readonly named: readonly string[];
  readonly untracked: readonly string[];
}

/** A renamed file has two paths; one of them alone would commit half of the renaming. */
async function findPaths(
  { git, folder }: Pick<ShipTools, 'git' | 'folder'>,
  { tree }: Place,
  paths: readonly string[],
): Promise<Result<Paths>> {
  if (paths.length === 0) return fail('invalid_request', 'name the files of the commit');
  const wrong = paths.find((path) => !isSafePath(path));
  if (wrong !== undefined) return fail('invalid_request', `${JSON.stringify(wrong)} is no path in the work tree`);
  const status = await readStatus(git, folder, tree);
  if (!status.ok) return status;
  const changed = new Map(status.value.files.map((file) => [file.path, file]));
  const unknown = paths.filter((path) => !changed.has(path));
  if (unknown.length > 0)
    return fail('conflict', `these files have no changes: ${unknown.slice(0, 10).join(', ')}`, {
      reason: 'nothing',
      files: unknown,
    });
  const old = paths.flatMap((path) => changed.get(path)?.old_path ?? []);
  return ok({
    named: [...new Set([...paths, ...old])],
    untracked: paths.filter((path) => changed.get(path)?.unstaged === '?'),
  });
}
