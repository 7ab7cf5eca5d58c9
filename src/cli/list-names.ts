/** `conversations names`: what completions offer, one name a line. */
import type { ConversationRow } from '../contract/conversation.ts';
import { ok, type Result } from '../contract/result.ts';
import { listedTitleOf } from '../core/export/render-title.ts';
import { printableLine } from '../core/text/printable.ts';
import type { Client } from './client.ts';
import type { Output } from './output.ts';
import { pagesOf } from './pick-conversation.ts';

/** Whoever presses Tab waits for it, and reads no longer list. */
const MAX_NAMES = 200;

export async function listNames(out: Output, client: Client, options: { readonly threads?: boolean }): Promise<number> {
  const names = options.threads === true ? await threadNames(client) : await conversationNames(client);
  if (!names.ok) return out.fail(names.error);
  if (out.isJson) await out.json({ names: names.value });
  else for (const name of names.value) await out.print(name);
  return 0;
}

async function conversationNames(client: Client): Promise<Result<readonly string[]>> {
  for await (const page of pagesOf(client, { archived: 'false' })) {
    if (!page.ok) return page;
    return ok(namesOf(page.value).slice(0, MAX_NAMES));
  }
  return ok([]);
}

/** The title of each conversation that no other one has, and the id of the others. */
export function namesOf(rows: readonly ConversationRow[]): readonly string[] {
  const counts = new Map<string, number>();
  const titleKey = (row: ConversationRow) => listedTitleOf(row).toLowerCase();
  for (const row of rows) counts.set(titleKey(row), (counts.get(titleKey(row)) ?? 0) + 1);
  return rows.map((row) => (counts.get(titleKey(row)) === 1 ? listedTitleOf(row) : row.id));
}

async function threadNames(client: Client): Promise<Result<readonly string[]>> {
  const answer = await client.call('rollouts', { limit: 100 });
  return answer.ok ? ok(answer.value.rollouts.map(({ thread_id }) => printableLine(thread_id))) : answer;
}
