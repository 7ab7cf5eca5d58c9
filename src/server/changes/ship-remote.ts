/** Pull and push. A pull with conflicts is taken back; a push says what it pushes, and replaces nothing without a lease. */
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ConfigEntry } from '../../core/changes/repository-programs.ts';
import { lastOf } from '../../core/changes/repository-programs.ts';
import { commitOf } from './linked.ts';
import {
  conflictedFiles,
  currentBranch,
  doneAt,
  failedWith,
  keepFiles,
  type Place,
  refuseUnfinished,
  runGit,
  type ShipTools,
  TRANSFER_MS,
  unfinished,
} from './ship-place.ts';
import { failedRun, type Job } from './ship-runs.ts';
import { readStatus } from './status.ts';

export type PullMode = 'ff' | 'merge' | 'rebase';

const PULL_ARGS: Readonly<Record<PullMode, readonly string[]>> = {
  ff: ['--no-rebase', '--ff-only'],
  merge: ['--no-rebase', '--ff', '--no-edit'],
  rebase: ['--rebase=true'],
};

export async function preparePull(tools: ShipTools, place: Place, mode: PullMode): Promise<Result<Job>> {
  const { git, folder } = tools;
  const { tree, programs } = place;
  const free = await refuseUnfinished(tree, 'pull');
  if (!free.ok) return free;
  const branch = await currentBranch(git, tree);
  if (branch === null) return fail('conflict', 'HEAD is on no branch: switch to one first');
  const upstream = settingOf(programs.config, `branch.${branch}.merge`);
  if (upstream === null || settingOf(programs.config, `branch.${branch}.remote`) === null)
    return fail('conflict', `${branch} has no upstream branch: push it first`);
  const status = await readStatus(git, folder, tree);
  if (!status.ok) return status;
  const { staged, unstaged } = status.value.counts;
  if (mode === 'rebase' && staged + unstaged > 0)
    return fail('conflict', 'a rebase needs a work tree without changes: commit them first');
  return ok(async (context) => {
    if (status.value.files.length > 0) {
      const kept = await keepFiles(tools, tree, 'a pull');
      if (!kept.ok) return failedWith({ reason: 'other', message: kept.error.message, files: [] });
      context.keep(kept.value);
    }
    const args = ['pull', '--progress', '--no-recurse-submodules', '--no-autostash', ...PULL_ARGS[mode]];
    const answer = await runGit(context.run, place, { args, timeoutMs: TRANSFER_MS, replacesFiles: true });
    if (answer.kind === 'ended' && answer.code === 0) return doneAt(git, place);
    const files = await conflictedFiles(git, tree);
    const begun = await unfinished(tree);
    if (begun === 'merge' || begun === 'rebase') {
      const aborted = await runGit(context.cleanUp, place, {
        args: [begun, '--abort'],
        timeoutMs: TRANSFER_MS,
        replacesFiles: true,
        takesBack: true,
      });
      if ((await unfinished(tree)) !== null)
        return failedWith({
          reason: 'conflict',
          files,
          message: `The ${begun} has conflicts and could not be taken back (${aborted.kind}). Run \`git ${begun} --abort\` in a terminal.`,
        });
    }
    if (files.length === 0) return failedRun('pull', answer, context);
    return failedWith({
      reason: 'conflict',
      files,
      message: 'Both sides changed these files. Nothing was changed here: your branch and your files are as they were.',
    });
  });
}

export interface PushRequest {
  readonly remote?: string | undefined;
  readonly force_with_lease: boolean;
}

export async function preparePush(tools: ShipTools, place: Place, request: PushRequest): Promise<Result<Job>> {
  const { git } = tools;
  const { tree, programs } = place;
  const branch = await currentBranch(git, tree);
  if (branch === null) return fail('conflict', 'HEAD is on no branch: create one first');
  if ((await commitOf(git, tree, `refs/heads/${branch}`)) === null)
    return fail('conflict', `${branch} has no commit yet`);
  const remote = request.remote ?? pushRemote(programs.config, branch);
  if (remote === null || !remoteNames(programs.config).includes(remote))
    return fail(
      'not_found',
      remote === null
        ? 'this repository has no remote: add one with `git remote add origin ADDRESS`'
        : `there is no remote ${remote}`,
    );
  const ref = `refs/heads/${branch}`;
  const hasUpstream = settingOf(programs.config, `branch.${branch}.merge`) !== null;
  // The commit that the person has seen on the remote. An empty one: the remote must not have the branch.
  const seen = await commitOf(git, tree, `refs/remotes/${remote}/${branch}`);
  const lease = request.force_with_lease ? [`--force-with-lease=${ref}:${seen ?? ''}`] : [];
  const args = [
    'push',
    '--progress',
    '--no-follow-tags',
    '--no-signed',
    '--recurse-submodules=no',
    ...(hasUpstream ? [] : ['--set-upstream']),
    ...lease,
    '--',
    remote,
    `${ref}:${ref}`,
  ];
  return ok(async (context) => {
    const answer = await runGit(context.run, place, { args, timeoutMs: TRANSFER_MS });
    return answer.kind === 'ended' && answer.code === 0 ? doneAt(git, place) : failedRun('push', answer, context);
  });
}

function settingOf(config: readonly ConfigEntry[], key: string): string | null {
  const value = lastOf(config, key)?.value ?? '';
  return value === '' ? null : value;
}

export function remoteNames(config: readonly ConfigEntry[]): string[] {
  const names = config.flatMap(({ key }) => /^remote\.(.+)\.url$/.exec(key)?.[1] ?? []);
  return [...new Set(names)];
}

/** As git chooses it, else the only remote. */
export function pushRemote(config: readonly ConfigEntry[], branch: string | null): string | null {
  const names = remoteNames(config);
  const wanted =
    (branch === null ? null : settingOf(config, `branch.${branch}.pushremote`)) ??
    settingOf(config, 'remote.pushdefault') ??
    (branch === null ? null : settingOf(config, `branch.${branch}.remote`));
  if (wanted !== null && names.includes(wanted)) return wanted;
  if (names.includes('origin')) return 'origin';
  return names.length === 1 ? (names[0] ?? null) : null;
}

export const remoteUrl = (config: readonly ConfigEntry[], name: string): string =>
  settingOf(config, `remote.${name}.pushurl`) ?? settingOf(config, `remote.${name}.url`) ?? '';
