/** A whole transcript as one document, oldest entry first, a page at a time: its pieces in order. The caller reads the pages. */
import type { ConversationMeta } from '../../contract/conversation.ts';
import type { Entry } from '../../contract/entry.ts';
import { ok, type Result } from '../../contract/result.ts';
import { gatherDeliveries } from '../conversations/reduce-deliveries.ts';
import type { ReadEntry, TranscriptRenderer } from './render-transcript.ts';

/** As many entries as the server gives at once. */
const PAGE = 1000;

export interface ExportPage {
  readonly entries: readonly ReadEntry[];
  readonly firstSeq: number | null;
  readonly lastSeq: number | null;
  readonly hasMore: boolean;
}

interface PageQuery {
  readonly before?: number;
  readonly after?: number;
  readonly limit: number;
}

export interface DocumentSource {
  readonly conversation: ConversationMeta;
  /** The last entry when the export began. A conversation that goes on would never end. */
  readonly lastSeq: number;
  readPage(query: PageQuery): Promise<Result<ExportPage>>;
}

/** Ends after the first failure, without a tail: a document that is not whole must not look whole. */
export async function* renderDocument(
  source: DocumentSource,
  renderer: TranscriptRenderer,
): AsyncGenerator<Result<string>> {
  const first = source.conversation.history === null ? ok(1) : await findFirstSeq(source);
  if (!first.ok) {
    yield first;
    return;
  }
  yield ok(renderer.head(source.conversation));
  // Rendered one page late: what became of a message is recorded after the message, sometimes on the next page.
  let held: readonly ReadEntry[] = [];
  for await (const page of entriesFrom(source, first.value)) {
    if (!page.ok) {
      yield page;
      return;
    }
    yield ok(renderEntries(renderer, held, [...held, ...page.value], 'part'));
    held = page.value;
  }
  yield ok(renderEntries(renderer, held, held, 'end'));
  yield ok(renderer.tail());
}

function renderEntries(
  renderer: TranscriptRenderer,
  entries: readonly ReadEntry[],
  around: readonly ReadEntry[],
  extent: 'part' | 'end',
): string {
  const known = around.flatMap((entry): Entry[] => (entry.known === null ? [] : [entry.known]));
  const deliveries = gatherDeliveries(known, extent);
  return entries.map((entry) => renderer.entry(entry, deliveries)).join('');
}

/** History from before Signalbox is read from Codex backwards, so its first number is known only when all of it was read. */
async function findFirstSeq({ readPage }: DocumentSource): Promise<Result<number>> {
  let before = 1;
  for (;;) {
    const page = await readPage({ before, limit: PAGE });
    if (!page.ok) return page;
    const { firstSeq, hasMore } = page.value;
    if (firstSeq === null || firstSeq >= before) return ok(before);
    before = firstSeq;
    if (!hasMore) return ok(before);
  }
}

async function* entriesFrom(
  { readPage, lastSeq: last }: DocumentSource,
  first: number,
): AsyncGenerator<Result<readonly ReadEntry[]>> {
  let after = first - 1;
  while (after < last) {
    const page = await readPage({ after, limit: PAGE });
    if (!page.ok) {
      yield page;
      return;
    }
    const { entries, lastSeq } = page.value;
    if (lastSeq === null || lastSeq <= after) return;
    // An entry that cannot be read has no number that is known; it is kept.
    yield ok(entries.filter(({ known }) => known === null || known.seq <= last));
    after = lastSeq;
  }
}
