/** Export formats: a head, entries one by one, a tail. No renderer ever needs more than one entry at a time. */
import type { ConversationMeta } from '../contract/conversation.ts';
import { Entry } from '../contract/entry.ts';
import { type Deliveries, deliveryOf } from '../core/conversations/reduce-deliveries.ts';
import { isRecord } from '../core/text/is-record.ts';
import { type Block, describeEntry } from './describe-entry.ts';
import type { Format } from './formats.ts';
import { printable, printableJson, printableLine } from './printable.ts';

export interface TranscriptRenderer {
  head(conversation: ConversationMeta): string;
  /**
   * As the server gave it: what this version does not know is kept in JSON, and named in the others. `deliveries` says what became
   * of messages; every format says it at the message.
   */
  entry(value: unknown, deliveries: Deliveries): string;
  tail(): string;
}

export function createRenderer(format: Format): TranscriptRenderer {
  switch (format) {
    case 'md':
      return { head: markdownHead, entry: markdownEntry, tail: () => '' };
    case 'html':
      return { head: htmlHead, entry: htmlEntry, tail: () => '</main>\n</body>\n</html>\n' };
    case 'json':
      return jsonRenderer();
    default:
      return format satisfies never;
  }
}

export const titleOf = (conversation: { readonly label: string | null; readonly preview: string }): string =>
  printableLine(conversation.label ?? conversation.preview) || 'Untitled conversation';

interface Section {
  readonly heading: string;
  readonly ts: string;
  readonly blocks: readonly Block[];
}

function sectionOf(value: unknown, deliveries: Deliveries): Section | null {
  const entry = Entry.safeParse(value);
  if (!entry.success) return { heading: 'An entry this version does not know', ts: '', blocks: [] };
  const described = describeEntry(entry.data, deliveries);
  return described === null ? null : { ...described, ts: entry.data.ts };
}

/** One document, a line for each entry. */
function jsonRenderer(): TranscriptRenderer {
  let separator = '';
  return {
    head: (conversation) => `{"conversation":${printableJson(conversation)},"entries":[`,
    entry(value, deliveries) {
      const text = `${separator}\n${printableJson(withDelivery(value, deliveries))}`;
      separator = ',';
      return text;
    },
    tail: () => '\n]}\n',
  };
}

/** A message with what became of it; the `delivery` entries stay in the document as they are. */
function withDelivery(value: unknown, deliveries: Deliveries): unknown {
  const entry = Entry.safeParse(value);
  if (!entry.success || entry.data.role !== 'user' || entry.data.state === undefined || !isRecord(value)) return value;
  const { state, reason, text, turn_id, item_id } = deliveryOf(entry.data, deliveries);
  return { ...value, ...(state !== 'unknown' && { delivery: { state, reason, text, turn_id, item_id } }) };
}

function markdownHead(conversation: ConversationMeta): string {
  const facts = factsOf(conversation).map(([name, value]) => `- ${name}: ${codeSpan(value)}`);
  return `# ${escapeMarkdown(titleOf(conversation))}\n\n${facts.join('\n')}\n`;
}

function markdownEntry(value: unknown, deliveries: Deliveries): string {
  const section = sectionOf(value, deliveries);
  if (section === null) return '';
  const time = section.ts === '' ? '' : ` · ${section.ts}`;
  const blocks = section.blocks.map(markdownBlock).join('');
  return `\n## ${escapeMarkdown(printableLine(section.heading))}${time}\n${blocks}`;
}

function markdownBlock(block: Block): string {
  const text = printable(block.text).trimEnd();
  if (block.kind === 'prose') return `\n${text}\n`;
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
pre{background:color-mix(in srgb,CanvasText 7%,Canvas);padding:.5rem;border-radius:.25rem;font:14px/1.45 ui-monospace,monospace}`;

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

function htmlEntry(value: unknown, deliveries: Deliveries): string {
  const section = sectionOf(value, deliveries);
  if (section === null) return '';
  const time = section.ts === '' ? '' : ` <time>${escapeHtml(section.ts)}</time>`;
  const blocks = section.blocks.map((block) => {
    const text = escapeHtml(block.text.trimEnd());
    return block.kind === 'prose' ? `<p>${text}</p>\n` : `<pre>${text}</pre>\n`;
  });
  return `<section>\n<h2>${escapeHtml(section.heading)}${time}</h2>\n${blocks.join('')}</section>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
