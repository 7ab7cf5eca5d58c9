/**
 * Command output → spans of text with colors. Keeps SGR (colors, weight), drops every other control sequence whole,
 * also 8-bit and unfinished ones; a lone CR and bidi controls are made visible, so that no output can hide what it holds.
 */
import { ESCAPE_SEQUENCE } from '../../core/text/escape-sequences.ts';
import { replaceHidden } from '../../core/text/hidden.ts';

export interface Style {
  /** 0–15, `#rrggbb`, or null for the console's own. */
  readonly fg: number | string | null;
  readonly bg: number | string | null;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
}

export interface Span {
  readonly text: string;
  readonly style: Style;
}

const PLAIN: Style = { fg: null, bg: null, isBold: false, isDim: false, isItalic: false, isUnderlined: false };

/** Dropped: escape sequences, of which colors are read, and the remaining control characters. */
const DROPPED = new RegExp(`${ESCAPE_SEQUENCE.source}|[\\x00-\\x08\\x0b-\\x0c\\x0e-\\x1f\\x7f-\\x9f]`, 'g');

const UNSEEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

export function parseAnsi(output: string): readonly Span[] {
  const text = output.replace(/\r\n/g, '\n').replace(/\r/g, '␍');
  const spans: Span[] = [];
  let style = PLAIN;
  let from = 0;
  const push = (to: number) => {
    if (to <= from) return;
    const piece = showText(text.slice(from, to));
    const last = spans.at(-1);
    if (last?.style === style) spans[spans.length - 1] = { text: last.text + piece, style };
    else spans.push({ text: piece, style });
  };
  for (const match of text.matchAll(DROPPED)) {
    push(match.index);
    from = match.index + match[0].length;
    if (match[2] === 'm') style = applySgr(style, match[1] ?? '');
  }
  push(text.length);
  return spans;
}

/** The same spans, line by line. */
export function splitSpans(spans: readonly Span[]): readonly (readonly Span[])[] {
  const lines: Span[][] = [[]];
  for (const { text, style } of spans) {
    for (const [at, part] of text.split('\n').entries()) {
      if (at > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push({ text: part, style });
    }
  }
  return lines;
}

export function stripAnsi(output: string): string {
  return parseAnsi(output)
    .map((span) => span.text)
    .join('');
}

/** Text as it is, but control characters and direction controls are named instead of obeyed. */
export function showText(text: string): string {
  return text.replace(UNSEEN, (one) => `⟨U+${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
}

/** Exactly what is there: characters that do not print or look like another one as escapes, line breaks and tabs as they are. */
export function showExact(text: string): string {
  return replaceHidden(text.replace(BARE, escapeAll), escapeAll);
}

/** A name on one line: line breaks and tabs are escaped too, other blanks stay. */
export function showName(name: string): string {
  return replaceHidden(name.replace(BREAKS, escapeAll), escapeAll);
}

/** The exact text in pieces, so that an escape can be told from the same characters written out. Strict: joiners of emoji too. */
export function splitUnseen(text: string): readonly { readonly text: string; readonly isEscape: boolean }[] {
  const pieces: { text: string; isEscape: boolean }[] = [];
  let from = 0;
  for (const { index, 0: found } of text.matchAll(ESCAPED)) {
    if (index > from) pieces.push({ text: text.slice(from, index), isEscape: false });
    pieces.push({ text: escapeAll(found), isEscape: true });
    from = index + found.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), isEscape: false });
  return pieces;
}

/** Controls, half characters, and every blank but the usual ones: a wide or narrow blank looks like a space and is none. */
const BARE = /(?:(?![\n\t ])[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\p{Cs}\u2800])+/gu;
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u2800]+/gu;
/** The same, and all that is invisible. */
const ESCAPED = /(?:(?![\n\t ])[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\p{Cs}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800])+/gu;

function escapeAll(run: string): string {
  return [...run].map(escapeOne).join('');
}

function escapeOne(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const named = { 9: '\\t', 10: '\\n', 13: '\\r' }[code];
  if (named !== undefined) return named;
  const hexCode = code.toString(16);
  if (hexCode.length <= 2) return `\\x${hexCode.padStart(2, '0')}`;
  return hexCode.length <= 4 ? `\\u${hexCode.padStart(4, '0')}` : `\\u{${hexCode}}`;
}

function applySgr(style: Style, params: string): Style {
  const codes = params.split(/[;:]/).map((word) => (word === '' ? 0 : Number(word)));
  let next = style;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const { color, used } = extendedColor(codes.slice(at + 1));
      next = code === 38 ? { ...next, fg: color } : { ...next, bg: color };
      at += used;
    } else next = simpleSgr(next, code);
  }
  return next;
}

function simpleSgr(style: Style, code: number): Style {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 3) return { ...style, isItalic: true };
  if (code === 4) return { ...style, isUnderlined: true };
  if (code === 22) return { ...style, isBold: false, isDim: false };
  if (code === 23) return { ...style, isItalic: false };
  if (code === 24) return { ...style, isUnderlined: false };
  if (code >= 30 && code <= 37) return { ...style, fg: code - 30 };
  if (code === 39) return { ...style, fg: null };
  if (code >= 40 && code <= 47) return { ...style, bg: code - 40 };
  if (code === 49) return { ...style, bg: null };
  if (code >= 90 && code <= 97) return { ...style, fg: code - 90 + 8 };
  if (code >= 100 && code <= 107) return { ...style, bg: code - 100 + 8 };
  return style;
}

function extendedColor(rest: readonly number[]): { readonly color: number | string | null; readonly used: number } {
  if (rest[0] === 5) return { color: indexedColor(rest[1] ?? 0), used: 2 };
  if (rest[0] === 2) return { color: hex(rest.slice(1, 4)), used: 4 };
  return { color: null, used: 0 };
}

function indexedColor(index: number): number | string {
  if (index < 16) return Math.max(0, index);
  if (index >= 232) return hex(Array.from({ length: 3 }, () => 8 + (Math.min(index, 255) - 232) * 10));
  const cube = index - 16;
  const level = (n: number) => (n === 0 ? 0 : 55 + n * 40);
  return hex([level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)]);
}

function hex(parts: readonly number[]): string {
  const two = (n: number) =>
    Math.min(255, Math.max(0, Math.trunc(n) || 0))
      .toString(16)
      .padStart(2, '0');
  return `#${two(parts[0] ?? 0)}${two(parts[1] ?? 0)}${two(parts[2] ?? 0)}`;
}
