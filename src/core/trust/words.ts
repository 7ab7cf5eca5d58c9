/** How values of a hostile file are shown: on one line, with every invisible character written out, and bounded. Pure. */
import type { Finding } from '../../contract/trust.ts';
import { joinWords } from '../text/shell-words.ts';

/** A command line that is longer says how much is missing, and the whole is in the file that is named beside it. */
const MAX_DETAIL_CHARS = 2_000;
const MAX_TITLE_CHARS = 200;
/** Control, format and unassigned characters, line and paragraph separators, variation selectors, fillers. Spaces are kept. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\p{Variation_Selector}|[^\S ]/gu;

export function visible(text: string, maxChars = MAX_DETAIL_CHARS): string {
  const whole = text
    .toWellFormed()
    .slice(0, maxChars * 2)
    .replace(INVISIBLE, escaped);
  if (text.length <= maxChars && whole.length <= maxChars) return whole;
  return `${[...whole.slice(0, maxChars)].join('').toWellFormed()}… (cut, ${text.length} characters in all)`;
}

function escaped(char: string): string {
  if (char === '\n') return '\\n';
  if (char === '\t') return '\\t';
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

export function finding(kind: Finding['kind'], file: string, title: string, detail = ''): Finding {
  return {
    kind,
    file: visible(file, MAX_TITLE_CHARS),
    title: visible(title, MAX_TITLE_CHARS),
    detail: visible(detail),
  };
}

export const unreadableFinding = (file: string, reason: string): Finding =>
  finding('unreadable', file, 'Cannot be checked', reason);

export function commandLine(command: unknown, args: unknown): string {
  const words = [command, ...(Array.isArray(args) ? args : [])];
  return joinWords(words.map((word) => (typeof word === 'string' ? word : (JSON.stringify(word) ?? ''))));
}

/** A value as it would be written, on one line. */
export const shown = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
