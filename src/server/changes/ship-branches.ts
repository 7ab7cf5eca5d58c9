/** New branches, and switching between branches. The files are kept before anything replaces them. */
import { fail, ok, type Result } from '../../contract/result.ts';
import { isBranchName, localBranch } from '../../core/changes/parse-refs.ts';
import { commitOf } from './linked.ts';
import {
  doneAt,
  failedWith,
  HOOKS_MS,
  keepFiles,
  type Place,
  refuseUnfinished,
  runGit,
  type ShipTools,
} from './ship-place.ts';
import { failedRun, type Job } from './ship-runs.ts';
import { readStatus } from './status.ts';

export interface BranchRequest {
  readonly name: string;
  readonly from?: string | undefined;
}

export async function prepareBranch(
  tools: ShipTools,
  place: Place,
  { name, from }: BranchRequest,
): Promise<Result<Job>> {
  const { git } = tools;
  const { tree } = place;
  const free = await refuseUnfinished(tree, 'branch');
  if (!free.ok) return free;
  if (!isBranchName(name)) return fail('invalid_request', `${JSON.stringify(name)} is no name for a branch`);
  if ((await commitOf(git, tree, `refs/heads/${name}`)) !== null)
    return fail('conflict', `there is a branch ${name} already: switch to it, or choose another name`);
  const start = from === undefined ? null : await commitOf(git, tree, from);
  if (from !== undefined && start === null) return fail('not_found', `${from} is no commit of this repository`);
  const args = ['switch', '--no-recurse-submodules', '--no-track', '-c', name, ...(start === null ? [] : [start])];
  return ok(changeFiles(tools, place, { action: 'branch', why: `the branch ${name}`, args, mustKeep: start !== null }));
}

export interface SwitchRequest {
  readonly branch: string;
  readonly overwrite: boolean;
}

export async function prepareSwitch(tools: ShipTools, place: Place, request: SwitchRequest): Promise<Result<Job>> {
  const { git } = tools;
  const { tree } = place;
  const free = await refuseUnfinished(tree, 'switch');
  if (!free.ok) return free;
  const isRemote = request.branch.startsWith('refs/remotes/');
  const name = isRemote ? (localBranch(request.branch) ?? '') : request.branch.replace(/^refs\/heads\//, '');
  if (!isBranchName(name)) return fail('invalid_request', `${JSON.stringify(request.branch)} is no name of a branch`);
  const isHere = (await commitOf(git, tree, `refs/heads/${name}`)) !== null;
  if (!isHere && !isRemote) return fail('not_found', `there is no branch ${name} here`);
  if (!isHere && (await commitOf(git, tree, request.branch)) === null)
    return fail('not_found', `there is no branch ${request.branch} here: pull or fetch first`);
  const target = isHere ? [name] : ['--track', '-c', name, request.branch];
  const discard = request.overwrite ? ['--discard-changes'] : [];
  const args = ['switch', '--no-recurse-submodules', '--no-guess', ...discard, ...target];
  return ok(changeFiles(tools, place, { action: 'switch', why: `the switch to ${name}`, args, mustKeep: true }));
}

interface Change {
  readonly action: 'branch' | 'switch';
  readonly why: string;
  readonly args: readonly string[];
  /** Files of the work tree may be replaced. */
  readonly mustKeep: boolean;
}

function changeFiles(tools: ShipTools, place: Place, { action, why, args, mustKeep }: Change): Job {
  return async (context) => {
    if (mustKeep) {
      const status = await readStatus(tools.git, tools.folder, place.tree);
      if (!status.ok) return failed(status.error.message);
      if (status.value.files.length > 0) {
        const kept = await keepFiles(tools, place.tree, why);
        if (!kept.ok) return failed(`The files could not be kept first, so nothing was done: ${kept.error.message}`);
        context.keep(kept.value);
      }
    }
    const answer = await runGit(context.run, place, { args, timeoutMs: HOOKS_MS, replacesFiles: mustKeep });
    return answer.kind === 'ended' && answer.code === 0 ? doneAt(tools.git, place) : failedRun(action, answer, context);
  };
}

const failed = (message: string) => failedWith({ reason: 'other', message, files: [] });
