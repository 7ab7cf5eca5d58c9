/** `conversations show`: the end of a transcript, as many entries as asked for of those a person would see. */
import { Entry } from '../contract/entry.ts';
import type { ConversationId } from '../contract/ids.ts';
import { ok, type Result } from '../contract/result.ts';
import { gatherDeliveries } from '../core/conversations/reduce-deliveries.ts';
import { describeEntry } from '../core/export/render-entry.ts';
import { isRecord } from '../core/text/is-record.ts';
import type { Client } from './client.ts';
import { localTime } from './local-time.ts';
import { type Output, styled } from './output.ts';
import { pickConversation } from './pick-conversation.ts';

/** Entries that only count (turn ends, token use, deliveries) are about half of a transcript. */
const PAGE_FACTOR = 3;
const MAX_PAGE = 1000;

export async function showConversation(
  out: Output,
  client: Client,
  words: string,
  options: { readonly lines: number },
): Promise<number> {
  const id = await pickConversation(client, words);
  if (!id.ok) return out.fail(id.error);
  const end = await readEnd(client, id.value, options.lines);
  if (!end.ok) return out.fail(end.error);
  if (out.isJson) {
    const seqs = end.value.flatMap(({ known }) => (known === null ? [] : [known.seq]));
    await out.json({
      entries: end.value.map(({ raw }) => raw),
      first_seq: seqs[0] ?? null,
      last_seq: seqs.at(-1) ?? null,
    });
    return 0;
  }
  const entries = end.value.flatMap(({ known }) => (known === null ? [] : [known]));
  const deliveries = gatherDeliveries(entries, 'end');
  for (const entry of entries) {
    const described = describeEntry(entry, deliveries);
    if (described === null) continue;
    await out.print(styled('bold', described.heading), styled('dim', `  ${localTime(entry.ts, 'seconds')}`));
    for (const block of described.blocks) await out.print(indent(block.kind === 'code', block.text));
    await out.print('');
  }
  return 0;
}

interface Read {
  readonly raw: unknown;
  readonly known: Entry | null;
}

/** Read backwards until enough entries are among them that say something; from the first of these on. */
async function readEnd(client: Client, id: ConversationId, wanted: number): Promise<Result<readonly Read[]>> {
  const limit = Math.min(MAX_PAGE, wanted * PAGE_FACTOR);
  let entries: readonly Read[] = [];
  let before: number | undefined;
  for (;;) {
    const answer = await client.callRaw('transcriptRange', {
      aliases: 'false',
      conversation_id: id,
      limit,
      ...(before !== undefined && { before }),
    });
    if (!answer.ok) return answer;
    const page = isRecord(answer.value) ? answer.value : {};
    const raws: readonly unknown[] = Array.isArray(page.entries) ? page.entries : [];
    entries = [...raws.map((raw) => ({ raw, known: Entry.safeParse(raw).data ?? null })), ...entries];
    const shown = entries.flatMap((entry, at) => (isShown(entry) ? [at] : []));
    const first = shown.at(-wanted);
    if (first !== undefined) return ok(entries.slice(first));
    if (page.has_more !== true || typeof page.first_seq !== 'number' || page.first_seq === before) return ok(entries);
    before = page.first_seq;
  }
}

const isShown = ({ known }: Read): boolean => known !== null && describeEntry(known) !== null;

function indent(isCode: boolean, text: string): string {
  return isCode ? text.trimEnd().replace(/^/gm, '  ') : text.trimEnd();
}
