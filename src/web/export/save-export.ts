/** Exports a conversation as a file that the browser saves. Loaded when somebody exports: no other part of the page needs it. */
import type { ConversationId } from '../../contract/ids.ts';
import { ok, type Result } from '../../contract/result.ts';
import { type DocumentSource, renderDocument } from '../../core/export/render-document.ts';
import type { Format } from '../../core/export/render-formats.ts';
import { titleOf } from '../../core/export/render-title.ts';
import { createRenderer } from '../../core/export/render-transcript.ts';
import { renderMarkdownHtml } from '../../markdown/render-html.ts';
import type { Call } from '../state/call.ts';

const TYPES: Readonly<Record<Format, string>> = {
  md: 'text/markdown',
  html: 'text/html',
  json: 'application/json',
};
/** File systems allow 255 bytes; a character of a title has up to four. */
const MAX_NAME_CHARS = 60;

/** The name of the saved file. */
export async function saveExport(call: Call, id: ConversationId, format: Format): Promise<Result<string>> {
  const found = await call('readConversation', { id });
  if (!found.ok) return found;
  const { conversation, row } = found.value;
  const source: DocumentSource = {
    conversation,
    lastSeq: row.last_seq,
    readPage: async (query) => {
      const page = await call('transcriptRange', { aliases: 'false', conversation_id: id, ...query });
      if (!page.ok) return page;
      const { entries, first_seq: firstSeq, last_seq: lastSeq, has_more: hasMore } = page.value;
      return ok({ entries: entries.map((entry) => ({ raw: entry, known: entry })), firstSeq, lastSeq, hasMore });
    },
  };
  const pieces: string[] = [];
  for await (const piece of renderDocument(source, createRenderer(format, renderMarkdownHtml))) {
    if (!piece.ok) return piece;
    pieces.push(piece.value);
  }
  const name = `${fileNameOf(titleOf(row))}.${format}`;
  save(new Blob(pieces, { type: `${TYPES[format]};charset=utf-8` }), name);
  return ok(name);
}

/** Letters, digits and a few signs that mean nothing to any file system; never a hidden file or a path. */
export function fileNameOf(title: string): string {
  const safe = title.replace(/[^\p{L}\p{N} ._-]/gu, ' ').replace(/\s+/g, ' ');
  const name = [...safe]
    .slice(0, MAX_NAME_CHARS)
    .join('')
    .replace(/^[ .]+|[ .]+$/g, '');
  return name === '' ? 'conversation' : name;
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Revoked after the click was handled: the browser holds the blob from then on.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}
