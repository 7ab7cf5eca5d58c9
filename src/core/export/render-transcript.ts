/** Export formats: a head, entries one by one, a tail. No renderer ever needs more than one entry at a time. */
import type { ConversationMeta } from '../../contract/conversation.ts';
import type { Entry } from '../../contract/entry.ts';
import { type Deliveries, deliveryOf } from '../conversations/reduce-deliveries.ts';
import { escapeHtml } from '../text/escape-html.ts';
import { isRecord } from '../text/is-record.ts';
import { printable, printableJson, printableLine } from '../text/printable.ts';
import { type Block, describeEntry } from './render-entry.ts';
import type { Format } from './render-formats.ts';
import { titleOf } from './render-title.ts';

/** An entry of a transcript. `known` is null if this version cannot read it: JSON keeps it, the other formats name it. */
export interface ReadEntry {
  readonly raw: unknown;
  readonly known: Entry | null;
}

export interface TranscriptRenderer {
  head(conversation: ConversationMeta): string;
  /** `deliveries` says what became of messages; every format says it at the message. */
  entry(entry: ReadEntry, deliveries: Deliveries): string;
  tail(): string;
}

/** Markdown → HTML in which no text can add markup of its own. A port, because the lexer is a package. */
export type MarkdownHtml = (text: string) => string;

export function createRenderer(format: Format, markdownHtml: MarkdownHtml): TranscriptRenderer {
  switch (format) {
    case 'md':
      return { head: markdownHead, entry: markdownEntry, tail: () => '' };
    case 'html':
      return {
        head: htmlHead,
        entry: (entry, deliveries) => htmlEntry(entry, deliveries, markdownHtml),
        tail: () => '</main>\n</body>\n</html>\n',
      };
    case 'json':
      return jsonRenderer();
    default:
      return format satisfies never;
  }
}

interface Section {
  readonly heading: string;
  readonly ts: string;
  readonly blocks: readonly Block[];
}

function sectionOf({ known }: ReadEntry, deliveries: Deliveries): Section | null {
  if (known === null) return { heading: 'An entry this version does not know', ts: '', blocks: [] };
  const described = describeEntry(known, deliveries);
  return described === null ? null : { ...described, ts: known.ts };
}

/** One document, a line for each entry. */
function jsonRenderer(): TranscriptRenderer {
  let separator = '';
  return {
    head: (conversation) => `{"conversation":${printableJson(conversation)},"entries":[`,
    entry(entry, deliveries) {
      const text = `${separator}\n${printableJson(withDelivery(entry, deliveries))}`;
      separator = ',';
      return text;
    },
    tail: () => '\n]}\n',
  };
}

/** A message with what became of it; the `delivery` entries stay in the document as they are. */
function withDelivery({ raw, known }: ReadEntry, deliveries: Deliveries): unknown {
  if (known?.role !== 'user' || known.state === undefined || !isRecord(raw)) return raw;
  const { state, reason, text, turn_id, item_id } = deliveryOf(known, deliveries);
  return { ...raw, ...(state !== 'unknown' && { delivery: { state, reason, text, turn_id, item_id } }) };
}

function markdownHead(conversation: ConversationMeta): string {
  const facts = factsOf(conversation).map(([name, value]) => `- ${name}: ${codeSpan(value)}`);
  return `# ${escapeMarkdown(titleOf(conversation))}\n\n${facts.join('\n')}\n`;
}

function markdownEntry(entry: ReadEntry, deliveries: Deliveries): string {
  const section = sectionOf(entry, deliveries);
  if (section === null) return '';
  const time = section.ts === '' ? '' : ` · ${section.ts}`;
  const blocks = section.blocks.map(markdownBlock).join('');
  return `\n## ${escapeMarkdown(printableLine(section.heading))}${time}\n${blocks}`;
}

function markdownBlock(block: Block): string {
  const text = printable(block.text).trimEnd();
  if (block.kind !== 'code') return `\n${text}\n`;
  // Longer than any run of backticks inside, so that the text cannot end its own fence.
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `\n${fence}${block.language}\n${text}\n${fence}\n`;
}

const escapeMarkdown = (line: string): string => line.replace(/[\\`*_[\]<>#]/g, '\\$&');

function codeSpan(text: string): string {
  return `\`${printableLine(text, 400).replaceAll('`', "'")}\``;
}

function factsOf(conversation: ConversationMeta): [string, string][] {
  return [
    ['conversation', conversation.conversation_id],
    ...(conversation.thread_id === null ? [] : [['thread', conversation.thread_id] satisfies [string, string]]),
    ['directory', conversation.cwd],
    ...(conversation.model === null ? [] : [['model', conversation.model] satisfies [string, string]]),
    ['created', conversation.created_at],
  ];
}

/** Nothing is loaded and nothing runs, whatever the text says: the policy allows the style below and nothing else. */
const STYLE = `body{font:16px/1.5 system-ui,sans-serif;margin:0;background:Canvas;color:CanvasText;color-scheme:light dark}
main{max-width:52rem;margin:0 auto;padding:1rem}
section{border-top:1px solid color-mix(in srgb,CanvasText 20%,Canvas);padding:.5rem 0}
h2{font-size:1rem;margin:.5rem 0}time{font-weight:normal;font-size:.8rem;opacity:.7}
p,pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0}
pre{background:color-mix(in srgb,CanvasText 7%,Canvas);padding:.5rem;border-radius:.25rem;font:14px/1.45 ui-monospace,monospace}
.md p,.md li{white-space:normal}.md h3,.md h4,.md h5,.md h6{font-size:1rem;margin:1rem 0 .25rem}
.md :not(pre)>code{background:color-mix(in srgb,CanvasText 7%,Canvas);padding:0 .25em;border-radius:.2em;font:.9em ui-monospace,monospace}
.md blockquote{margin:.5rem 0;padding-left:.75rem;border-left:3px solid color-mix(in srgb,CanvasText 20%,Canvas)}
.md .table{overflow-x:auto}table{border-collapse:collapse}th,td{border:1px solid color-mix(in srgb,CanvasText 20%,Canvas);padding:.25rem .5rem;text-align:left}`;

function htmlHead(conversation: ConversationMeta): string {
  const title = escapeHtml(titleOf(conversation));
  const facts = factsOf(conversation).map(([name, value]) => `<li>${name}: <code>${escapeHtml(value)}</code></li>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
${STYLE}
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<ul>${facts.join('')}</ul>
`;
}

function htmlEntry(entry: ReadEntry, deliveries: Deliveries, markdownHtml: MarkdownHtml): string {
  const section = sectionOf(entry, deliveries);
  if (section === null) return '';
  const time = section.ts === '' ? '' : ` <time>${escapeHtml(section.ts)}</time>`;
  const blocks = section.blocks.map((block) => htmlBlock(block, markdownHtml));
  return `<section>\n<h2>${escapeHtml(section.heading)}${time}</h2>\n${blocks.join('')}</section>\n`;
}

function htmlBlock({ kind, text }: Block, markdownHtml: MarkdownHtml): string {
  switch (kind) {
    case 'markdown':
      return `<div class="md">${markdownHtml(text)}</div>\n`;
    case 'prose':
      return `<p>${escapeHtml(text.trimEnd())}</p>\n`;
    case 'code':
      return `<pre>${escapeHtml(text.trimEnd())}</pre>\n`;
    default:
      return kind satisfies never;
  }
}
