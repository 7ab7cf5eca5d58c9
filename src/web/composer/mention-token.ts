/** `@path` in a text: the one being typed, those that were picked, and what a Backspace takes away as a whole. Pure. */

export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Typed extends Range {
  readonly query: string;
}

const MAX_QUERY_CHARS = 200;
const BEFORE_AT = /[\s([{"'`,;]/;

/** The `@word` that ends at the caret; an `@` inside a word (an address) is none. */
export function typedMention(text: string, caret: number): Typed | null {
  const start = text.lastIndexOf('@', caret - 1);
  if (start < 0 || caret - start > MAX_QUERY_CHARS) return null;
  if (start > 0 && !BEFORE_AT.test(text[start - 1] ?? '')) return null;
  const query = text.slice(start + 1, caret);
  if (/\s/.test(query) || query.startsWith('"')) return null;
  const rest = /^\S*/.exec(text.slice(caret))?.[0] ?? '';
  return { start, end: caret + rest.length, query };
}

/** A path with a space is quoted, so that its end can be seen. */
export function renderMention(path: string): string {
  return /\s/.test(path) ? `@"${path}"` : `@${path}`;
}

const TOKEN = /@"[^"\n]+"|@[^\s@]+/g;

/** Everything that looks like a mention, for a text that was not typed here. */
export function mentionsIn(text: string): readonly string[] {
  return [...text.matchAll(TOKEN)].filter((match) => isToken(text, match.index)).map((match) => match[0]);
}

function isToken(text: string, at: number): boolean {
  return at === 0 || BEFORE_AT.test(text[at - 1] ?? '');
}

/** Where the known mentions stand. One that somebody has changed is no longer known. */
export function tokenRanges(text: string, known: ReadonlySet<string>): readonly Range[] {
  if (known.size === 0) return [];
  return [...text.matchAll(TOKEN)].flatMap((match) =>
    known.has(match[0]) && isToken(text, match.index)
      ? [{ start: match.index, end: match.index + match[0].length }]
      : [],
  );
}

/** What Backspace takes at the caret: the whole mention that ends there, with the space that was put behind it. */
export function wholeBefore(text: string, caret: number, known: ReadonlySet<string>): Range | null {
  for (const { start, end } of tokenRanges(text, known)) {
    if (end === caret) return { start, end };
    if (end + 1 === caret && text[end] === ' ') return { start, end: caret };
  }
  return null;
}
