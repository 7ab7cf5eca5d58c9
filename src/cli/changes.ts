/** `changes`, `undo`, `checkpoint list|show|restore`: thin calls over the client. */
import { realpathSync } from 'node:fs';
import type { ChangedFile, Checkpoint, UndoChoice, UndoStep } from '../contract/changes.ts';
import { type Failure, fail, ok, type Result } from '../contract/result.ts';
import type { RouteOutput } from '../contract/routes.ts';
import { printableLine } from '../core/text/printable.ts';
import type { Client } from './client.ts';
import { confirmedCall } from './confirmed-call.ts';
import { type Output, type Part, type Style, styled } from './output.ts';
import { pagesOf, pickConversation } from './pick-conversation.ts';

export interface ChangesOptions {
  readonly turn?: number;
  readonly diff?: boolean;
}

export interface UndoOptions {
  readonly turn?: number;
  readonly changedSince?: UndoChoice;
  readonly dryRun?: boolean;
}

export interface RestoreOptions {
  readonly after?: boolean;
  readonly dryRun?: boolean;
}

const MAX_NAME_CHARS = 200;

export async function showChanges(
  out: Output,
  client: Client,
  words: string | undefined,
  { turn, diff }: ChangesOptions,
): Promise<number> {
  const id = await pickHere(client, words);
  if (!id.ok) return out.fail(id.error);
  const status = await client.call('changesStatus', { id: id.value });
  if (!status.ok) return out.fail(status.error);
  const found = await findCheckpoint(client, id.value, turn);
  // Without checkpoints there is still a status; a turn that was named must be there.
  if (!found.ok && (turn !== undefined || found.error.code !== 'not_found')) return out.fail(found.error);
  const shown = found.ok ? await client.call('readCheckpoint', { id: id.value, checkpoint_id: found.value.id }) : null;
  if (shown?.ok === false) return out.fail(shown.error);
  const text = diff === true && shown !== null ? await diffOf(client, id.value, shown.value.checkpoint) : null;
  if (text?.ok === false) return out.fail(text.error);
  if (out.isJson) {
    await out.json({ ...status.value, turn: shown?.value ?? null, ...(text !== null && { diff: text.value }) });
    return 0;
  }
  await printStatus(out, status.value);
  if (shown === null) out.say('no turn of this conversation was kept yet');
  else {
    await out.print(styled('bold', headOf(shown.value.checkpoint)));
    for (const file of shown.value.files) await out.print(...fileLine(file));
    if (shown.value.files.length === 0) out.say('no file was changed');
    for (const { path, reason } of shown.value.checkpoint.before.left_out)
      out.say(styled('yellow', `not kept: ${printableLine(path, MAX_NAME_CHARS)} (${reason.replaceAll('_', ' ')})`));
  }
  if (text !== null) for (const line of text.value.split('\n')) await out.print(printableLine(line, 4_000));
  return 0;
}

export async function listCheckpoints(out: Output, client: Client, words: string | undefined): Promise<number> {
  const id = await pickHere(client, words);
  if (!id.ok) return out.fail(id.error);
  const answer = await client.call('listCheckpoints', { id: id.value });
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) await out.json(answer.value);
  else if (answer.value.checkpoints.length === 0) out.say('no checkpoints');
  else for (const one of answer.value.checkpoints) await out.print(headOf(one));
  return 0;
}

export async function undoTurn(
  out: Output,
  client: Client,
  home: string,
  words: string | undefined,
  { turn, changedSince, dryRun }: UndoOptions,
): Promise<number> {
  const id = await pickHere(client, words);
  if (!id.ok) return out.fail(id.error);
  const found = await findCheckpoint(client, id.value, turn);
  if (!found.ok) return out.fail(found.error);
  const call = { id: id.value, checkpoint_id: found.value.id };
  const trial = await client.call('undoCheckpoint', { ...call, is_trial: true });
  if (!trial.ok) return out.fail(trial.error);
  const conflicts = trial.value.steps.filter(({ action }) => action === 'conflict');
  if (dryRun === true) return tell(out, trial);
  if (conflicts.length > 0 && changedSince === undefined) {
    if (!out.isJson) for (const step of conflicts) await out.print(...stepLine(step));
    const message = `${conflicts.length} of the files were changed since, so nothing was undone: say what becomes of them with --changed-since keep, older or both`;
    return out.fail({ code: 'conflict', message, details: { files: conflicts.map(({ path }) => path) } });
  }
  const choices = Object.fromEntries(conflicts.map(({ path }) => [path, changedSince ?? 'keep']));
  return tell(out, await confirmedCall(client, home, 'undoCheckpoint', { ...call, choices }));
}

export async function restoreCheckpoint(
  out: Output,
  client: Client,
  home: string,
  number: number,
  words: string | undefined,
  { after, dryRun }: RestoreOptions,
): Promise<number> {
  const id = await pickHere(client, words);
  if (!id.ok) return out.fail(id.error);
  const found = await findCheckpoint(client, id.value, number);
  if (!found.ok) return out.fail(found.error);
  const side = after === true ? ('after' as const) : ('before' as const);
  const call = { id: id.value, checkpoint_id: found.value.id, side };
  if (dryRun === true) return tell(out, await client.call('restoreCheckpoint', { ...call, is_trial: true }));
  return tell(out, await confirmedCall(client, home, 'restoreCheckpoint', call));
}

type Undone = RouteOutput<'undoCheckpoint'>;

async function tell(out: Output, done: Result<Undone, Failure>): Promise<number> {
  if (!done.ok) return out.fail(done.error);
  const { steps, skipped, checkpoint } = done.value;
  if (out.isJson) await out.json(done.value);
  else {
    for (const step of steps) await out.print(...stepLine(step));
    for (const { path } of skipped)
      out.say(
        styled('yellow', `left as it is, since it changed in the meantime: ${printableLine(path, MAX_NAME_CHARS)}`),
      );
    if (checkpoint !== null) out.say(`done; to take it back: signalbox undo --turn ${checkpoint.number}`);
    else if (steps.length === 0) out.say('nothing to do');
  }
  return skipped.length === 0 ? 0 : 1;
}

/** The conversation that is named, or the newest one whose directory is this one. */
export async function pickHere(client: Client, words: string | undefined): Promise<Result<string>> {
  if (words !== undefined) return pickConversation(client, words);
  const here = realpathSync(process.cwd());
  for await (const page of pagesOf(client, {})) {
    if (!page.ok) return page;
    const found = page.value.find(({ cwd }) => cwd === here);
    if (found !== undefined) return ok(found.id);
  }
  return fail('unknown_conversation', `no conversation works in ${here}: name one`);
}

async function findCheckpoint(client: Client, id: string, number: number | undefined): Promise<Result<Checkpoint>> {
  const listed = await client.call('listCheckpoints', { id });
  if (!listed.ok) return listed;
  const { checkpoints } = listed.value;
  const found =
    number === undefined
      ? checkpoints.findLast(({ kind }) => kind === 'turn')
      : checkpoints.find((one) => one.number === number);
  if (found !== undefined) return ok(found);
  return fail(
    'not_found',
    number === undefined ? 'no turn of this conversation was kept' : `there is no checkpoint ${number}`,
  );
}

async function diffOf(client: Client, id: string, { id: own, after }: Checkpoint): Promise<Result<string>> {
  const to = after === null ? 'work_tree' : `${own}:after`;
  const answer = await client.call('changesDiff', { id, from: `${own}:before`, to });
  return answer.ok ? ok(answer.value.diff) : answer;
}

async function printStatus(out: Output, { repository, reason }: RouteOutput<'changesStatus'>): Promise<void> {
  if (repository === null) return out.say(`no checkpoints here: ${printableLine(reason ?? '', 400)}`);
  const { branch, head, ahead, behind, counts } = repository;
  const where = branch ?? `detached at ${head?.slice(0, 12) ?? 'nothing'}`;
  const apart = ahead === null ? '' : `, ${ahead} ahead, ${behind} behind`;
  const files = `${counts.staged} staged, ${counts.unstaged} changed, ${counts.untracked} untracked`;
  await out.print(styled('bold', printableLine(where, MAX_NAME_CHARS)), styled('dim', `${apart}  ${files}`));
}

function headOf({ number, kind, before, after }: Checkpoint): string {
  const end = after === null ? 'running, or its end was not kept' : after.at;
  return `${String(number).padStart(4)}  ${kind.padEnd(7)}  ${before.at}  ${end}`;
}

const COLORS: Readonly<Record<ChangedFile['status'], Style>> = {
  added: 'green',
  changed: 'yellow',
  deleted: 'red',
  renamed: 'yellow',
  mode_changed: 'yellow',
  type_changed: 'yellow',
};

function fileLine({ path, old_path, status, added, removed, is_late, also_changed_by }: ChangedFile): Part[] {
  const lines = added === null ? 'binary' : `+${added} −${removed ?? 0}`;
  const notes = [
    ...(old_path === null ? [] : [`from ${printableLine(old_path, MAX_NAME_CHARS)}`]),
    ...(is_late ? ['its content before the turn is not certain'] : []),
    ...also_changed_by.map((other) => `also changed by ${other}`),
  ];
  const name = printableLine(path, MAX_NAME_CHARS);
  return [
    styled(COLORS[status], status.replace('_', ' ').padEnd(12)),
    ` ${name}  `,
    styled('dim', [lines, ...notes].join(', ')),
  ];
}

function stepLine({ action, path, to, beside }: UndoStep): Part[] {
  const what = action === 'restore' && to === null ? 'delete' : action.replace('_', ' ');
  const note = beside === null ? '' : `  the older content is in ${printableLine(beside, MAX_NAME_CHARS)}`;
  return [what.padEnd(9), ` ${printableLine(path, MAX_NAME_CHARS)}`, styled('dim', note)];
}
