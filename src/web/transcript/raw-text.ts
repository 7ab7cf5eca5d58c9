/** The text of a row without any formatting: what is left to show when its card fails. */
import type { Row } from './rows.ts';

/** In the order in which a card shows them. */
const FIELDS = ['title', 'text', 'command', 'output', 'stdout', 'stderr', 'diff', 'name', 'input', 'error'] as const;

export function rawTextOf(row: Row): string {
  switch (row.kind) {
    case 'entry':
    case 'message':
      return textIn(row.entry);
    case 'live':
      return textIn(row.item);
    case 'reasoning':
      return [...row.entries, ...row.live].map((one) => one.text).join('\n\n');
    case 'agent':
      return [...row.entries, ...(row.live === null ? [] : [row.live])].map(textIn).join('\n\n');
    case 'events':
      return JSON.stringify(row.entry.events, null, 2);
    case 'asking':
      return row.approval.title;
    default:
      return row satisfies never;
  }
}

function textIn(record: object): string {
  const values = new Map<string, unknown>(Object.entries(record));
  return FIELDS.map((field) => values.get(field))
    .filter((value): value is string => typeof value === 'string' && value !== '')
    .join('\n');
}
