/** `commit`, `branch`, `switch`, `pull`, `push`, `pr`: starts the action, confirms it as the person at this terminal, and prints what it prints. */
import { fail, ok, type Result } from '../contract/result.ts';
import type { RouteCall } from '../contract/routes.ts';
import type { RepositoryPrograms, ShipRun } from '../contract/ship.ts';
import { printableLine } from '../core/text/printable.ts';
import { pickHere } from './changes.ts';
import type { Client } from './client.ts';
import { confirmedCall } from './confirmed-call.ts';
import { type Output, styled } from './output.ts';

/** What every one of them takes. */
export interface ShipFlags {
  /** The code of the programs of the repository that the person has seen. */
  readonly trustPrograms?: string;
}

export interface CommitOptions extends ShipFlags {
  readonly message?: string;
  readonly all?: boolean;
  readonly path?: readonly string[];
  readonly amend?: boolean;
}

export interface PullOptions extends ShipFlags {
  readonly mode?: 'ff' | 'merge' | 'rebase';
}

export interface PushOptions extends ShipFlags {
  readonly remote?: string;
  readonly forceWithLease?: boolean;
}

export interface RequestOptions extends ShipFlags {
  readonly title?: string;
  readonly body?: string;
  readonly base?: string;
  readonly draft?: boolean;
  readonly show?: boolean;
}

/** Where a command works, and how it talks. */
export interface Here {
  readonly out: Output;
  readonly client: Client;
  readonly home: string;
  /** Of the conversation; the newest one in this directory if absent. */
  readonly words: string | undefined;
}

type ActRoute = 'commitChanges' | 'createBranch' | 'switchBranch' | 'pullChanges' | 'pushChanges' | 'openPullRequest';

const MAX_CHARS = 400;
/** Enough to tell one state of the programs from another at a glance. */
const CODE_CHARS = 8;

export async function commit(here: Here, options: CommitOptions): Promise<number> {
  const id = await pickHere(here.client, here.words);
  if (!id.ok) return here.out.fail(id.error);
  const what =
    options.path !== undefined ? ('paths' as const) : options.all === true ? ('all' as const) : ('staged' as const);
  const amend = options.amend === true;
  const message =
    options.message ?? (amend ? '' : await suggested(here.client, id.value, what === 'staged' ? 'staged' : 'all'));
  if (message === null) return here.out.fail({ code: 'invalid_request', message: 'give a message with -m' });
  return act(here, 'commitChanges', { id: id.value, message, what, paths: [...(options.path ?? [])], amend }, options);
}

/** Null if there is nothing to make a message from. */
async function suggested(client: Client, id: string, what: 'staged' | 'all'): Promise<string | null> {
  const answer = await client.call('suggestCommit', { id, what });
  return answer.ok && answer.value.message !== '' ? answer.value.message : null;
}

export async function createBranch(
  here: Here,
  name: string,
  { from, ...flags }: ShipFlags & { readonly from?: string },
): Promise<number> {
  const id = await pickHere(here.client, here.words);
  if (!id.ok) return here.out.fail(id.error);
  return act(here, 'createBranch', { id: id.value, name, from }, flags);
}

export async function switchBranch(
  here: Here,
  branch: string,
  { overwrite, ...flags }: ShipFlags & { readonly overwrite?: boolean },
): Promise<number> {
  const id = await pickHere(here.client, here.words);
  if (!id.ok) return here.out.fail(id.error);
  return act(here, 'switchBranch', { id: id.value, branch, overwrite: overwrite === true }, flags);
}

export async function pull(here: Here, { mode, ...flags }: PullOptions): Promise<number> {
  const id = await pickHere(here.client, here.words);
  return id.ok ? act(here, 'pullChanges', { id: id.value, mode: mode ?? 'ff' }, flags) : here.out.fail(id.error);
}

export async function push(here: Here, { remote, forceWithLease, ...flags }: PushOptions): Promise<number> {
  const id = await pickHere(here.client, here.words);
  if (!id.ok) return here.out.fail(id.error);
  return act(here, 'pushChanges', { id: id.value, remote, force_with_lease: forceWithLease === true }, flags);
}

export async function pullRequest(here: Here, options: RequestOptions): Promise<number> {
  const { out, client } = here;
  const id = await pickHere(client, here.words);
  if (!id.ok) return out.fail(id.error);
  const answer = await client.call('draftPullRequest', { id: id.value });
  if (!answer.ok) return out.fail(answer.error);
  const { draft } = answer.value;
  const [title, body, base] = [options.title ?? draft.title, options.body ?? draft.body, options.base ?? draft.base];
  if (options.show === true) {
    if (out.isJson) await out.json({ draft });
    else {
      await out.print(styled('bold', printableLine(title, MAX_CHARS)));
      await out.write(`\n${body}\n`);
      if (draft.compare_url !== null) out.say(draft.compare_url);
    }
    return 0;
  }
  return act(here, 'openPullRequest', { id: id.value, title, body, base, is_draft: options.draft === true }, options);
}

async function act<Id extends ActRoute>(
  here: Here,
  route: Id,
  call: RouteCall<Id> & { readonly id: string },
  flags: ShipFlags,
): Promise<number> {
  const { out, client, home } = here;
  const state = await client.call('readShip', { id: call.id });
  if (!state.ok) return out.fail(state.error);
  const { programs, reason } = state.value;
  if (programs === null)
    return out.fail({ code: 'not_found', message: printableLine(reason ?? 'no repository', MAX_CHARS) });
  const seen = await checkPrograms(out, programs, flags.trustPrograms);
  if (!seen.ok) return out.fail(seen.error);
  const started = await confirmed(client, home, route, { ...call, programs: programs.hash });
  return started.ok ? follow(here, call.id, started.value) : out.fail(started.error);
}

/** What the repository would run is printed first. Only the code of exactly this lets it run. */
async function checkPrograms(
  out: Output,
  programs: RepositoryPrograms,
  code: string | undefined,
): Promise<Result<null>> {
  if (programs.is_trusted) return ok(null);
  const own = programs.hash.slice(0, CODE_CHARS);
  if (code === own) return ok(null);
  if (!out.isJson)
    for (const { kind, name, detail } of programs.items)
      await out.print(styled('yellow', kind.padEnd(8)), ` ${printableLine(`${name}: ${detail}`, MAX_CHARS)}`);
  return fail(
    'confirmation_required',
    `this repository would run the above as you, outside every sandbox. If you trust it, repeat the command with --trust-programs ${own}`,
    { items: programs.items, code: own },
  );
}

async function confirmed<Id extends ActRoute | 'cancelShipRun'>(
  client: Client,
  home: string,
  route: Id,
  call: RouteCall<Id>,
): Promise<Result<ShipRun>> {
  const started: Result<{ run: ShipRun }> = await confirmedCall(client, home, route, call);
  return started.ok ? ok(started.value.run) : started;
}

/** Prints whole lines as they come. Ctrl-C cancels the action instead of leaving it. */
async function follow({ out, client, home }: Here, id: string, started: ShipRun): Promise<number> {
  let run = started;
  let printed = 0;
  const cancel = () => void confirmed(client, home, 'cancelShipRun', { id, run: started.id });
  process.once('SIGINT', cancel);
  try {
    while (run.state === 'running') {
      const next = await client.call('readShipRun', { id, after: run.version });
      if (!next.ok) return out.fail(next.error);
      if (next.value.run?.id !== started.id)
        return out.fail({ code: 'conflict', message: 'another action was started meanwhile' });
      run = next.value.run;
      const lines = run.output === '' ? [] : run.output.split('\n');
      const whole = run.state === 'running' ? lines.length - 1 : lines.length;
      if (!out.isJson)
        for (const line of lines.slice(printed, whole)) out.say(styled('dim', printableLine(line, 4_000)));
      printed = Math.max(printed, whole);
    }
  } finally {
    process.removeListener('SIGINT', cancel);
  }
  return tell(out, run);
}

async function tell(out: Output, run: ShipRun): Promise<number> {
  const { failure, done, kept } = run;
  if (failure !== null) {
    if (!out.isJson) for (const file of failure.files) await out.print(printableLine(file, MAX_CHARS));
    return out.fail({
      code: 'conflict',
      message: failure.message,
      details: { reason: failure.reason, files: failure.files, run },
    });
  }
  if (out.isJson) await out.json(run);
  else if (done !== null) {
    const at = done.commit?.slice(0, 12) ?? 'no commit';
    await out.print(done.url ?? `${done.branch ?? 'detached'} ${at} ${printableLine(done.subject ?? '', MAX_CHARS)}`);
    if (kept !== null) out.say(styled('dim', `the files as they were before are kept for 90 days: ${kept}`));
  }
  return 0;
}
