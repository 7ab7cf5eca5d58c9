/** Which conversation a person means: an id, the beginning of one, a thread's id, or a label or title that only one conversation has. */
import type { ConversationRow } from '../contract/conversation.ts';
import { ConversationId } from '../contract/ids.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { listedTitleOf, titleOf } from '../core/export/render-title.ts';
import type { Client } from './client.ts';

/** Rows asked for at once. */
const PAGE = 500;
/** Shorter beginnings would be typed by mistake. */
const MIN_PREFIX = 4;

export async function pickConversation(client: Client, words: string): Promise<Result<ConversationId>> {
  const id = ConversationId.safeParse(words);
  if (id.success) return ok(id.data);
  const rows: ConversationRow[] = [];
  // Archived ones have to be asked for.
  for (const archived of ['false', 'true'] as const) {
    for await (const page of pagesOf(client, { archived })) {
      if (!page.ok) return page;
      rows.push(...page.value);
    }
  }
  return pickFrom(rows, words);
}

/** Exact matches come before beginnings. */
export function pickFrom(rows: readonly ConversationRow[], words: string): Result<ConversationId> {
  const wanted = words.trim().toLowerCase();
  const bare = wanted.replace(/^conv_/, '').replaceAll('-', '');
  const isHex = /^[0-9a-f]+$/.test(bare) && bare.length >= MIN_PREFIX;
  const rules: ((row: ConversationRow) => boolean)[] = [
    (row) => row.label?.trim().toLowerCase() === wanted,
    (row) => isHex && row.id.slice('conv_'.length).startsWith(bare),
    (row) => isHex && (row.thread_id ?? '').replaceAll('-', '').toLowerCase().startsWith(bare),
    // What a list prints of a conversation without a label is its title.
    (row) => [titleOf(row), listedTitleOf(row)].some((title) => title.toLowerCase() === wanted),
    (row) => wanted !== '' && (row.label?.trim().toLowerCase().startsWith(wanted) ?? false),
    (row) => wanted.length >= MIN_PREFIX && titleOf(row).toLowerCase().startsWith(wanted),
  ];
  for (const rule of rules) {
    const ids = [...new Set(rows.filter(rule).map((row) => row.id))];
    const [only] = ids;
    if (ids.length > 1)
      return fail('invalid_request', `${words} can mean ${ids.length} conversations: ${ids.slice(0, 5).join(', ')}`, {
        candidates: ids.slice(0, 20),
      });
    if (only !== undefined) return ok(only);
  }
  return fail('unknown_conversation', `there is no conversation ${words}: see \`signalbox conversations list\``);
}

export async function* pagesOf(
  client: Client,
  query: { readonly archived?: 'true' | 'false'; readonly q?: string },
): AsyncGenerator<Result<readonly ConversationRow[]>> {
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof client.call<'listConversations'>>> = await client.call('listConversations', {
      limit: PAGE,
      ...query,
      ...(cursor !== null && { cursor }),
    });
    if (!page.ok) {
      yield page;
      return;
    }
    yield ok(page.value.conversations);
    cursor = page.value.next_cursor;
  } while (cursor !== null);
}
