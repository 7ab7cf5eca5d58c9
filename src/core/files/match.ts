/** How well a path fits what was typed after `@`: all its characters in order, best in the last segment, at word starts and in one run. */
import { BITS, type PathTable, SLASH, SMALL } from './path-table.ts';

export interface Query {
  /** UTF-8, ASCII letters in small. */
  readonly bytes: Uint8Array;
  readonly mask: number;
}

/** A path that does not fit. */
export const NO_MATCH = Number.NEGATIVE_INFINITY;
/** A path that may fit, but not well enough to be worth a look. */
export const TOO_LOW = -1e9;

const PER_CHARACTER = 16;
const IN_A_RUN = 12;
const AT_WORD_START = 10;
const IN_LAST_SEGMENT = 30;
const AT_SEGMENT_START = 24;
const WHOLE_STEM = 60;
/** One run that is the whole query is what people mean most often. */
const ONE_RUN = 20;
/** The most a single letter can get that does not begin the last segment. */
const BEST_INNER = PER_CHARACTER + AT_WORD_START + ONE_RUN + IN_LAST_SEGMENT;
const MAX_GAP_PENALTY = 8;
const PER_DEPTH = 2;
/** Eight more characters weigh one point. */
const LENGTH_SHIFT = 3;

/** Spaces only separate what is typed; a `./` in front says nothing. */
export function parseQuery(typed: string): Query {
  const bytes = new TextEncoder()
    .encode(typed.replace(/^\.\/+/, '').replaceAll(/\s+/g, ''))
    .map((byte) => SMALL[byte] ?? 0);
  let mask = 0;
  for (const byte of bytes) mask |= BITS[byte] ?? 0;
  return { bytes, mask };
}

/** Whether everything that fits `next` also fits `before`. */
export function extendsQuery(next: Query, before: Query): boolean {
  return before.bytes.length <= next.bytes.length && before.bytes.every((byte, at) => byte === next.bytes[at]);
}

/**
 * Higher is better. Without a query the paths nearest to the top are best. One letter fits nearly every path: there, what cannot
 * reach `floor` is not looked at.
 */
export function scorePath(table: PathTable, index: number, query: Query, floor = NO_MATCH): number {
  const depth = table.depths[index] ?? 0;
  const start = table.starts[index] ?? 0;
  const end = (table.starts[index + 1] ?? 0) - 1;
  if (query.bytes.length === 0) return -(depth << 12) - (end - start);
  const wanted = query.mask;
  if (((table.masks[index] ?? 0) & wanted) !== wanted) return NO_MATCH;
  const base = start + (table.bases[index] ?? 0);
  const cost = depth * PER_DEPTH + ((end - start) >> LENGTH_SHIFT);
  if (query.bytes.length === 1 && SMALL[table.bytes[base] ?? 0] !== query.bytes[0] && BEST_INNER - cost < floor)
    return TOO_LOW;
  if (((table.baseMasks[index] ?? 0) & wanted) === wanted) {
    const first = lastStart(table.bytes, base, end, query.bytes);
    if (first >= 0) return scoreRun(table.bytes, base, end, query.bytes, first) + IN_LAST_SEGMENT - cost;
  }
  const first = lastStart(table.bytes, start, end, query.bytes);
  return first < 0 ? NO_MATCH : scoreRun(table.bytes, start, end, query.bytes, first) - cost;
}

/** The last place from which the query can be read to the end; -1 when it cannot. */
function lastStart(bytes: Uint8Array, from: number, end: number, query: Uint8Array): number {
  let wanted = query.length - 1;
  for (let at = end - 1; at >= from; at -= 1) {
    if (SMALL[bytes[at] ?? 0] !== query[wanted]) continue;
    if (wanted === 0) return at;
    wanted -= 1;
  }
  return -1;
}

/** Reads the query from `first` on, taking each character where it comes first. */
function scoreRun(bytes: Uint8Array, from: number, end: number, query: Uint8Array, first: number): number {
  let start = first;
  // A single character, or one that begins the segment as well, is worth more there.
  if (start !== from && SMALL[bytes[from] ?? 0] === query[0] && isOrdered(bytes, from, end, query)) start = from;
  let score = 0;
  let wanted = 0;
  let last = -2;
  let runs = 0;
  for (let at = start; at < end && wanted < query.length; at += 1) {
    if (SMALL[bytes[at] ?? 0] !== query[wanted]) continue;
    if (wanted > 0 && at !== last + 1 && !isWordStart(bytes, from, at)) {
      at = laterWordStart(bytes, from, at, end, query, wanted);
    }
    wanted += 1;
    score += PER_CHARACTER;
    if (at === last + 1) score += IN_A_RUN;
    else {
      runs += 1;
      if (last >= 0) score -= Math.min(at - last - 1, MAX_GAP_PENALTY);
    }
    if (isWordStart(bytes, from, at)) score += AT_WORD_START;
    last = at;
  }
  if (start === from) score += AT_SEGMENT_START;
  if (runs === 1) {
    score += ONE_RUN;
    if (start === from && isStemEnd(bytes, last + 1, end)) score += WHOLE_STEM;
  }
  return score;
}

/** A word start further on for the character at `at`, if the rest still fits after it; else `at` itself. */
function laterWordStart(
  bytes: Uint8Array,
  from: number,
  at: number,
  end: number,
  query: Uint8Array,
  wanted: number,
): number {
  for (let later = at + 1; later < end; later += 1) {
    if (SMALL[bytes[later] ?? 0] !== query[wanted] || !isWordStart(bytes, from, later)) continue;
    return canFinish(bytes, later + 1, end, query, wanted + 1) ? later : at;
  }
  return at;
}

function canFinish(bytes: Uint8Array, from: number, end: number, query: Uint8Array, wanted: number): boolean {
  let next = wanted;
  for (let at = from; at < end && next < query.length; at += 1) {
    if (SMALL[bytes[at] ?? 0] === query[next]) next += 1;
  }
  return next === query.length;
}

/** Whether beginning at the segment's start costs no run: the next character follows at once. */
function isOrdered(bytes: Uint8Array, from: number, end: number, query: Uint8Array): boolean {
  for (let at = 1; at < query.length; at += 1) {
    if (from + at >= end || SMALL[bytes[from + at] ?? 0] !== query[at]) return false;
  }
  return true;
}

function isStemEnd(bytes: Uint8Array, at: number, end: number): boolean {
  return at === end || bytes[at] === 0x2e;
}

function isWordStart(bytes: Uint8Array, from: number, at: number): boolean {
  if (at === from) return true;
  const before = bytes[at - 1] ?? 0;
  const here = bytes[at] ?? 0;
  if (before === SLASH || before === 0x5f || before === 0x2d || before === 0x2e || before === 0x20) return true;
  return isUpper(here) && !isUpper(before);
}

const isUpper = (byte: number): boolean => byte >= 0x41 && byte <= 0x5a;
