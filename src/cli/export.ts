/** `conversations export`: the whole transcript, oldest first, a page at a time. */
import { Entry } from '../contract/entry.ts';
import type { ConversationId } from '../contract/ids.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { type Deliveries, gatherDeliveries } from '../core/conversations/reduce-deliveries.ts';
import { isRecord } from '../core/text/is-record.ts';
import type { Client } from './client.ts';
import { readAll } from './decode-frame.ts';
import type { Format } from './formats.ts';
import type { Output } from './output.ts';
import { pickConversation } from './pick-conversation.ts';
import { createRenderer, type TranscriptRenderer } from './render-transcript.ts';

/** As many as the server gives at once. */
const PAGE = 1000;

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
  const first = conversation.history === null ? ok(1) : await findFirstSeq(client, id.value);
  if (!first.ok) return out.fail(first.error);
  const renderer = createRenderer(format);
  await out.write(renderer.head(conversation));
  // One page behind: what became of a message is recorded after it, and ever so seldom on the next page.
  let held: readonly unknown[] = [];
  for await (const page of entriesFrom(client, id.value, first.value, row.last_seq)) {
    // What was written is no whole document: the exit code says so, and no tail makes it look like one.
    if (!page.ok) return out.fail(page.error);
    await writeEntries(out, renderer, held, gatherDeliveries(readAll(Entry, [...held, ...page.value]), 'part'));
    held = page.value;
  }
  await writeEntries(out, renderer, held, gatherDeliveries(readAll(Entry, held), 'end'));
  await out.write(renderer.tail());
  return 0;
}

async function writeEntries(
  out: Output,
  renderer: TranscriptRenderer,
  entries: readonly unknown[],
  deliveries: Deliveries,
): Promise<void> {
  for (const entry of entries) await out.write(renderer.entry(entry, deliveries));
}

/** History from before Signalbox is fetched from Codex backwards, so where it begins is known only once all of it is here. */
async function findFirstSeq(client: Client, id: ConversationId): Promise<Result<number>> {
  let before = 1;
  for (;;) {
    const page = await readPage(client, { conversation_id: id, before, limit: PAGE });
    if (!page.ok) return page;
    const { firstSeq, hasMore } = page.value;
    if (firstSeq === null || firstSeq >= before) return ok(before);
    before = firstSeq;
    if (!hasMore) return ok(before);
  }
}

/** Up to what was there when we began: a conversation that goes on would never end. */
async function* entriesFrom(
  client: Client,
  id: ConversationId,
  first: number,
  last: number,
): AsyncGenerator<Result<readonly unknown[]>> {
  let after = first - 1;
  while (after < last) {
    const page = await readPage(client, { conversation_id: id, after, limit: PAGE });
    if (!page.ok) {
      yield page;
      return;
    }
    const { entries, lastSeq } = page.value;
    if (lastSeq === null || lastSeq <= after) return;
    yield ok(entries.filter((entry) => !isRecord(entry) || Number(entry.seq) <= last));
    after = lastSeq;
  }
}

interface Page {
  readonly entries: readonly unknown[];
  readonly firstSeq: number | null;
  readonly lastSeq: number | null;
  readonly hasMore: boolean;
}

async function readPage(
  client: Client,
  query: { readonly conversation_id: ConversationId; readonly before?: number; readonly after?: number; limit: number },
): Promise<Result<Page>> {
  const answer = await client.callRaw('transcriptRange', query);
  if (!answer.ok) return answer;
  const page = isRecord(answer.value) ? answer.value : {};
  if (!Array.isArray(page.entries)) return fail('internal', 'the server answered with something that is no page');
  return ok({
    entries: page.entries,
    firstSeq: typeof page.first_seq === 'number' ? page.first_seq : null,
    lastSeq: typeof page.last_seq === 'number' ? page.last_seq : null,
    hasMore: page.has_more === true,
  });
}
