/** `conversations export`: the whole transcript as one document on stdout. */
import { Entry } from '../contract/entry.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { type ExportPage, renderDocument } from '../core/export/render-document.ts';
import type { Format } from '../core/export/render-formats.ts';
import { createRenderer } from '../core/export/render-transcript.ts';
import { isRecord } from '../core/text/is-record.ts';
import { renderMarkdownHtml } from '../markdown/render-html.ts';
import type { Client } from './client.ts';
import type { Output } from './output.ts';
import { pickConversation } from './pick-conversation.ts';

export async function exportConversation(
  out: Output,
  client: Client,
  words: string,
  named: Format | undefined,
): Promise<number> {
  const format = named ?? (out.isJson ? 'json' : 'md');
  if (out.isJson && format !== 'json')
    return out.fail({ code: 'invalid_request', message: `--json and --format ${format} ask for different things` });
  const id = await pickConversation(client, words);
  if (!id.ok) return out.fail(id.error);
  const found = await client.call('readConversation', { id: id.value });
  if (!found.ok) return out.fail(found.error);
  const { conversation, row } = found.value;
  const source = {
    conversation,
    lastSeq: row.last_seq,
    readPage: async (query: object) =>
      readPage(await client.callRaw('transcriptRange', { conversation_id: id.value, ...query, aliases: 'false' })),
  };
  for await (const piece of renderDocument(source, createRenderer(format, renderMarkdownHtml))) {
    if (!piece.ok) return out.fail(piece.error);
    await out.write(piece.value);
  }
  return 0;
}

function readPage(answer: Result<unknown>): Result<ExportPage> {
  if (!answer.ok) return answer;
  const page = isRecord(answer.value) ? answer.value : {};
  if (!Array.isArray(page.entries)) return fail('internal', 'the server answered with something that is no page');
  return ok({
    entries: page.entries.map((raw: unknown) => ({ raw, known: Entry.safeParse(raw).data ?? null })),
    firstSeq: typeof page.first_seq === 'number' ? page.first_seq : null,
    lastSeq: typeof page.last_seq === 'number' ? page.last_seq : null,
    hasMore: page.has_more === true,
  });
}
