/** `conversations list|new|fork|import`: conversations as rows, and new ones. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { ConversationRow } from '../contract/conversation.ts';
import { conversationIdOfThread, ThreadId } from '../contract/ids.ts';
import type { Result } from '../contract/result.ts';
import type { RouteCall } from '../contract/routes.ts';
import { listedTitleOf } from '../core/export/render-title.ts';
import { printableLine } from '../core/text/printable.ts';
import type { Client } from './client.ts';
import { localTime } from './local-time.ts';
import { type Output, type Part, styled } from './output.ts';
import { pagesOf, pickConversation } from './pick-conversation.ts';
import { makeWorktree, sayMade } from './worktrees.ts';

const COLORS = { draft: 'dim', idle: 'dim', running: 'green', waiting: 'yellow', failed: 'red' } as const;

export interface ListOptions {
  readonly archived?: boolean;
  readonly query?: string;
  readonly limit: number;
}

export async function listConversations(out: Output, client: Client, options: ListOptions): Promise<number> {
  const rows: ConversationRow[] = [];
  const archived = options.archived === true ? 'true' : 'false';
  const query = { archived, ...(options.query !== undefined && { q: options.query }) } as const;
  for await (const page of pagesOf(client, query)) {
    if (!page.ok) return out.fail(page.error);
    rows.push(...page.value);
    if (rows.length >= options.limit) break;
  }
  const shown = rows.slice(0, options.limit);
  if (out.isJson) await out.json({ conversations: shown });
  else for (const row of shown) await out.print(...renderRow(row));
  if (!out.isJson && shown.length === 0) out.say('no conversations: `signalbox conversations new` makes one');
  return 0;
}

function renderRow(row: ConversationRow): Part[] {
  const notes = [
    row.pending_approvals > 0 ? `${row.pending_approvals} to approve` : '',
    row.queued > 0 ? `${row.queued} queued` : '',
  ];
  return [
    row.id,
    '  ',
    styled(COLORS[row.state], row.state.padEnd(8)),
    localTime(row.updated_at),
    '  ',
    listedTitleOf(row),
    styled('dim', `  ${printableLine(row.cwd, 80)}`),
    styled(
      'yellow',
      notes
        .filter(Boolean)
        .map((note) => `  ${note}`)
        .join(''),
    ),
  ];
}

export interface NewOptions {
  readonly cwd?: string;
  readonly label?: string;
  readonly model?: string;
  readonly effort?: string;
  readonly approval?: string;
  readonly sandbox?: RouteCall<'createConversation'>['sandbox'];
  /** The branch of a new work tree. */
  readonly worktree?: string;
  readonly from?: string;
}

export async function newConversation(out: Output, client: Client, options: NewOptions): Promise<number> {
  const cwd = resolve(options.cwd ?? '.');
  const made = options.worktree === undefined ? null : await makeWorktree(client, cwd, options.worktree, options);
  if (made?.ok === false) return out.fail(made.error);
  if (made !== null && !out.isJson) sayMade(out, made.value);
  const answer = await client.call('createConversation', {
    cwd: made?.value.worktree.path ?? cwd,
    ...(options.label !== undefined && { label: options.label }),
    ...(options.model !== undefined && { model: options.model }),
    ...(options.effort !== undefined && { reasoning_effort: options.effort }),
    ...(options.approval !== undefined && { approval: options.approval }),
    ...(options.sandbox !== undefined && { sandbox: options.sandbox }),
  });
  return tellId(out, answer);
}

/** By the thread's id or its rollout file. Asking for it is enough: the conversation of a thread has an id that follows from the thread's. */
export async function importThread(out: Output, client: Client, threadId: string): Promise<number> {
  if (threadId.endsWith('.jsonl'))
    return tellId(out, await client.call('createConversation', { rollout_path: resolve(threadId) }));
  const thread = ThreadId.safeParse(threadId);
  if (!thread.success)
    return out.fail({ code: 'invalid_request', message: `${threadId} is not the id of a Codex thread` });
  const answer = await client.call('readConversation', { id: conversationIdOfThread(thread.data) });
  if (!answer.ok && answer.error.code === 'unknown_conversation')
    return out.fail({ code: 'unknown_thread', message: `Codex has no thread ${threadId}` });
  return tellId(
    out,
    answer.ok ? { ok: true, value: { id: answer.value.row.id, conversation: answer.value.conversation } } : answer,
  );
}

interface Made {
  readonly id: string;
  readonly conversation: unknown;
  readonly warnings?: readonly string[] | undefined;
}

export interface ForkOptions {
  readonly turn?: string;
  /** The branch of a new work tree. */
  readonly worktree?: string;
}

/** A new conversation that shares the history up to a turn; without one, up to the end. */
export async function forkConversation(
  out: Output,
  client: Client,
  words: string,
  { turn, worktree: branch }: ForkOptions,
): Promise<number> {
  const id = await pickConversation(client, words);
  if (!id.ok) return out.fail(id.error);
  return tellId(
    out,
    await client.call('forkConversation', {
      id: id.value,
      ...(turn !== undefined && { turn_id: turn }),
      ...(branch !== undefined && { worktree: { request_id: randomUUID(), branch } }),
    }),
  );
}

async function tellId(out: Output, answer: Result<Made>) {
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) {
    await out.json(answer.value);
    return 0;
  }
  await out.print(answer.value.id);
  for (const text of answer.value.warnings ?? []) out.say(styled('yellow', 'warning: '), text);
  return 0;
}
