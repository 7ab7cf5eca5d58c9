/** Finding plain text in a transcript, without regard to case: which lines are worth parsing, and where in an entry the text is. */
import type { NewEntry } from '../../contract/entry.ts';

export interface Needle {
  /** Whether a raw line of a log may hold it; a quick look that is never wrong when it says no. */
  mayBeIn(line: string): boolean;
  /** The first place in a text; null when it is not there. */
  find(text: string): { readonly start: number; readonly end: number } | null;
  count(text: string): number;
}

export interface Snippet {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** What a line of results has room for. */
const BEFORE_CHARS = 60;
const AFTER_CHARS = 140;

/** A regular expression made of nothing but the escaped text: the engine's own search folds case without copying the line. */
export function createNeedle(text: string): Needle {
  const plain = new RegExp(escapePattern(text), 'gi');
  const inJson = new RegExp(escapePattern(JSON.stringify(text).slice(1, -1)), 'i');
  return {
    mayBeIn: (line) => inJson.test(line),
    find(haystack) {
      plain.lastIndex = 0;
      const found = plain.exec(haystack);
      return found === null ? null : { start: found.index, end: found.index + found[0].length };
    },
    count(haystack) {
      let count = 0;
      // `matchAll` begins where the pattern was left.
      plain.lastIndex = 0;
      for (const _found of haystack.matchAll(plain)) count += 1;
      return count;
    },
  };
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** The texts of an entry a person sees, the most telling first. */
function textsOf(entry: NewEntry): readonly (string | undefined)[] {
  switch (entry.role) {
    case 'user':
    case 'assistant':
    case 'reasoning':
    case 'error':
    case 'warning':
    case 'note':
      return [entry.text];
    case 'plan':
      return [entry.text, ...entry.steps.map(({ step }) => step)];
    case 'command':
      return [entry.command, entry.output];
    case 'diff':
      return [entry.path, ...entry.files.map(({ path }) => path), entry.diff];
    case 'approval':
      return [
        ...(entry.questions ?? []).flatMap(({ question, answers }) => [question, ...answers]),
        entry.title,
        entry.command,
        entry.reason,
        entry.path,
        entry.diff,
      ];
    case 'shell_input':
      return [entry.command];
    case 'shell_output':
      return [entry.command, entry.stdout, entry.stderr];
    case 'tool':
      return [entry.name, entry.input, entry.output, entry.error];
    case 'board':
      return [entry.text, entry.who, entry.topic ?? undefined];
    case 'external_event':
      return entry.events.flatMap(({ title, summary, source, type }) => [title, summary, source.name, type]);
    case 'delivery':
    case 'status':
    case 'token_usage':
      return [];
    default:
      entry satisfies never;
      return [];
  }
}

/** The first text of the entry that holds the needle, cut to what fits in a line, and how often the entry holds it. */
export function findInEntry(entry: NewEntry, needle: Needle): (Snippet & { readonly count: number }) | null {
  const texts = textsOf(entry).filter((text) => text !== undefined);
  for (const text of texts) {
    const place = needle.find(text);
    if (place === null) continue;
    return {
      ...snippetOf(text, place.start, place.end),
      count: texts.reduce((sum, one) => sum + needle.count(one), 0),
    };
  }
  return null;
}

function snippetOf(text: string, start: number, end: number): Snippet {
  const from = Math.max(0, start - BEFORE_CHARS);
  const to = Math.min(text.length, end + AFTER_CHARS);
  return {
    before: `${from > 0 ? '…' : ''}${oneLine(text.slice(from, start))}`,
    match: text.slice(start, end),
    after: `${oneLine(text.slice(end, to))}${to < text.length ? '…' : ''}`,
  };
}

/** A cut can halve a surrogate pair, which no JSON reader likes. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').toWellFormed();
}
