/** Web addresses in a line of the terminal. Pure. Only http and https: nothing else is ever offered to be opened. */
import { trimEndOf } from '../../core/text/trim-end.ts';

export interface FoundLink {
  readonly url: string;
  /** Columns, from 0; `end` is behind the last. */
  readonly start: number;
  readonly end: number;
}

const URL_TEXT = /https?:\/\/[^\s"'`<>\\^{}|\u0000-\u0020\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/gi;
/** At the end of a sentence, not of an address. */
const TRAILING = '.,;:!?]';

export function findLinks(line: string): readonly FoundLink[] {
  return [...line.matchAll(URL_TEXT)].flatMap((match) => {
    const raw = match[0];
    const url = trimEndOf(raw, raw.includes('(') ? TRAILING : `${TRAILING})`);
    return isWebAddress(url) ? [{ url, start: match.index, end: match.index + url.length }] : [];
  });
}

export function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && hostname !== '';
}
