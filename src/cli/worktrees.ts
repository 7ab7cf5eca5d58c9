/** `worktree list|add|finish|remove`: thin calls over the client. */
import { resolve } from 'node:path';
import type { Result } from '../contract/result.ts';
import type { RouteOutput } from '../contract/routes.ts';
import type { AttemptRow, FinishMode, KeptWorktree, Worktree, WorktreeLosses } from '../contract/worktrees.ts';
import { printableLine } from '../core/text/printable.ts';
import { pickHere } from './changes.ts';
import type { Client } from './client.ts';
import { type Output, styled } from './output.ts';

export interface AddOptions {
  readonly from?: string;
  readonly existing?: boolean;
}

export interface RemoveOptions {
  readonly withBranch?: boolean;
  readonly lose?: boolean;
  readonly dryRun?: boolean;
}

export interface FinishOptions {
  readonly mode?: FinishMode;
  readonly into?: string;
  readonly keep?: boolean;
  readonly lose?: boolean;
  readonly dryRun?: boolean;
}

const MAX_CHARS = 400;
/** Names of one kind that are printed; `--json` has up to 200. */
const MAX_NAMES = 20;

export async function listWorktrees(out: Output, client: Client): Promise<number> {
  const answer = await client.call('listWorktrees', { cwd: process.cwd() });
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) await out.json(answer.value);
  else if (answer.value.reason !== null) out.say(printableLine(answer.value.reason, MAX_CHARS));
  else for (const one of answer.value.worktrees) await out.print(...lineOf(one));
  return 0;
}

export async function addWorktree(out: Output, client: Client, branch: string, options: AddOptions): Promise<number> {
  const made = await makeWorktree(client, process.cwd(), branch, options);
  if (!made.ok) return out.fail(made.error);
  if (out.isJson) await out.json(made.value);
  else {
    await out.print(made.value.worktree.path);
    sayMade(out, made.value);
  }
  return 0;
}

export function makeWorktree(
  client: Client,
  cwd: string,
  branch: string,
  { from, existing }: AddOptions,
): Promise<Result<RouteOutput<'addWorktree'>>> {
  return client.call('addWorktree', {
    cwd: resolve(cwd),
    branch,
    ...(from !== undefined && { from }),
    ...(existing === true && { existing }),
  });
}

/** Beside the result, which is for scripts. */
export function sayMade(out: Output, { copied, warnings }: RouteOutput<'addWorktree'>): void {
  if (copied.length > 0) out.say(styled('dim', `copied: ${namesOf(copied)}`));
  for (const text of warnings) out.say(styled('yellow', 'warning: '), printableLine(text, MAX_CHARS));
}

export async function finishWorktree(
  out: Output,
  client: Client,
  path: string | undefined,
  { mode, into, keep, lose, dryRun }: FinishOptions,
): Promise<number> {
  const answer = await client.call('finishWorktree', {
    path: resolve(path ?? '.'),
    ...(mode !== undefined && { mode }),
    ...(into !== undefined && { into }),
    ...(keep === true && { keep }),
    ...(lose === true && { lose }),
    ...(dryRun === true && { is_trial: true }),
  });
  if (!answer.ok) return out.fail(answer.error);
  const done = answer.value;
  if (out.isJson) await out.json(done);
  if (done.conflicts.length > 0) {
    const message = `${done.branch} and ${done.into} changed the same files, so nothing was done: ${namesOf(done.conflicts)}`;
    return out.isJson ? 1 : out.fail({ code: 'conflict', message });
  }
  const isDone = done.is_brought && (done.is_removed || keep === true);
  if (!out.isJson) {
    const brought = `${done.commits} ${done.commits === 1 ? 'commit' : 'commits'} of ${done.branch} into ${done.into}`;
    await out.print(done.is_brought ? `brought ${brought}` : `to bring: ${brought} (${done.how.replace('_', ' ')})`);
    sayRemoval(out, done, done.kept, keep === true ? null : done.is_removed);
  }
  return isDone || dryRun === true ? 0 : 1;
}

export async function removeWorktree(
  out: Output,
  client: Client,
  path: string,
  { withBranch, lose, dryRun }: RemoveOptions,
): Promise<number> {
  const answer = await client.call('removeWorktree', {
    path: resolve(path),
    ...(withBranch === true && { with_branch: true }),
    ...(lose === true && { lose }),
    ...(dryRun === true && { is_trial: true }),
  });
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) await out.json(answer.value);
  else sayRemoval(out, answer.value, answer.value.kept, answer.value.is_removed);
  return answer.value.is_removed || dryRun === true ? 0 : 1;
}

/** `isRemoved` is null where the work tree was to be kept. */
function sayRemoval(
  out: Output,
  { losses }: { readonly losses: WorktreeLosses },
  kept: KeptWorktree | null,
  isRemoved: boolean | null,
): void {
  if (isRemoved === null) return;
  if (isRemoved) {
    out.say('removed the work tree');
    const places = [kept?.files, kept?.branch].filter((one) => one !== null && one !== undefined);
    if (places.length > 0) out.say(styled('dim', `its files and branch are kept for 90 days: ${places.join(' ')}`));
    return;
  }
  if (losses.files.length > 0) out.say(styled('yellow', `not committed: ${namesOf(losses.files)}`));
  if (losses.ignored.length > 0) out.say(styled('yellow', `ignored by git: ${namesOf(losses.ignored)}`));
  if (losses.commits > 0) out.say(styled('yellow', `commits that are nowhere else: ${losses.commits}`));
  out.say('the work tree is still there; --lose removes it all the same, and keeps files and commits for 90 days');
}

const STATES: Readonly<Record<AttemptRow['state'], string>> = {
  draft: 'not begun',
  running: 'running',
  waiting: 'waits for you',
  failed: 'failed',
  done: 'done',
};

/** Without a conversation: of the newest one in this directory. */
export async function listAttempts(out: Output, client: Client, words: string | undefined): Promise<number> {
  const id = await pickHere(client, words);
  if (!id.ok) return out.fail(id.error);
  const answer = await client.call('listAttempts', { id: id.value });
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) await out.json(answer.value);
  else for (const one of answer.value.attempts) await out.print(...attemptLine(one));
  if (!out.isJson && answer.value.attempts.length === 0)
    out.say('this conversation is not one of several attempts: begin them in the page for a new conversation');
  return 0;
}

function attemptLine({ id, number, branch, state, files, answer }: AttemptRow) {
  const counts = files === null ? 'not known' : `${files.count} files +${files.added} −${files.removed}`;
  return [
    styled('bold', `${number}  ${printableLine(branch ?? 'no branch', 100)}`),
    `  ${STATES[state]}  ${counts}  ${id}`,
    styled('dim', answer === null ? '' : `  ${printableLine(answer, 80)}`),
  ];
}

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => printableLine(name, 100));
  const more = names.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

function lineOf({ path, branch, head, is_main, is_locked, is_missing, conversations }: Worktree) {
  const where = branch ?? `detached at ${head?.slice(0, 12) ?? 'nothing'}`;
  const notes = [
    ...(is_main ? ['main'] : []),
    ...(is_locked ? ['locked'] : []),
    ...(is_missing ? ['its folder is gone: `git worktree prune`'] : []),
    ...(conversations.length === 0
      ? []
      : [conversations.length === 1 ? '1 conversation' : `${conversations.length} conversations`]),
  ];
  return [
    styled('bold', printableLine(where, 100)),
    `  ${printableLine(path, MAX_CHARS)}`,
    styled('dim', notes.length === 0 ? '' : `  ${notes.join(', ')}`),
  ];
}
