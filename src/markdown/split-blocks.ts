/**
 * Streaming text → blocks. All but the last block are finished: their tokens keep their identity while the text grows,
 * so they are neither parsed nor rendered again. Only marked's lexer is used; its HTML never exists.
 */
import { type BlockToken, lexBlocks, plainToken } from './lex-blocks.ts';

interface Block {
  /** Where it begins in the text: its key. */
  readonly start: number;
  readonly token: BlockToken;
}

export interface BlockList {
  readonly text: string;
  readonly finished: readonly Block[];
  /** The block that may still grow, if any, and what follows it. */
  readonly open: readonly Block[];
  readonly openStart: number;
  /** Inline work of the finished blocks, so that a text has the same limit streamed and replayed. */
  readonly spent: number;
}

export const NO_BLOCKS: BlockList = { text: '', finished: [], open: [], openStart: 0, spent: 0 };

export function splitBlocks(before: BlockList, text: string): BlockList {
  if (text === before.text) return before;
  const grows = text.length > before.text.length && text.startsWith(before.text);
  const { finished, openStart, spent } = grows ? before : NO_BLOCKS;
  const tail = text.slice(openStart);
  const fence = openFence(tail);
  if (fence !== null) return { text, finished, open: [{ start: openStart, token: fence }], openStart, spent };
  const blocks: Block[] = [];
  let start = openStart;
  let done = spent;
  const lexed = lexBlocks(tail, spent);
  if (typeof lexed === 'string') {
    // The whole segment, as when it is replayed: there no block is finished before the lexer gives up.
    return { ...NO_BLOCKS, text, open: [{ start: 0, token: plainToken(text, lexed) }] };
  }
  for (const [at, { token, work }] of lexed.entries()) {
    if (token.type !== 'space' && token.type !== 'def') blocks.push({ start, token });
    start += token.raw.length;
    if (at < lexed.length - 1) done += work;
  }
  const last = blocks.at(-1);
  if (last === undefined) return { text, finished, open: [], openStart, spent };
  return {
    text,
    finished: blocks.length === 1 ? finished : [...finished, ...blocks.slice(0, -1)],
    open: [last],
    openStart: last.start,
    spent: done,
  };
}

const MAX_FENCE_INDENT = 3;

/** A fence that has begun and not ended need not be lexed at each delta, however long it gets. */
function openFence(tail: string): BlockToken | null {
  const begin = /^ {0,3}(?:`{3}|~{3})/.exec(tail);
  const lineEnd = tail.indexOf('\n');
  if (begin === null || lineEnd < 0) return null;
  const line = tail.slice(0, lineEnd).trimStart();
  const sign = line.charAt(0);
  const length = countSame(line, 0);
  const lang = line.slice(length);
  // Backticks after the opening ones make it a code span, not a fence.
  if (lang.includes('`')) return null;
  const body = tail.slice(lineEnd + 1);
  if (hasFenceEnd(body, sign, length)) return null;
  return { type: 'code', raw: tail, lang: lang.trim(), text: body.endsWith('\n') ? body.slice(0, -1) : body };
}

function hasFenceEnd(body: string, sign: string, length: number): boolean {
  if (!body.includes(sign.repeat(length))) return false;
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf('\n', at);
    const line = body.slice(at, end < 0 ? undefined : end);
    if (isFenceEnd(line, sign, length)) return true;
    if (end < 0) return false;
    at = end + 1;
  }
  return false;
}

function isFenceEnd(line: string, sign: string, length: number): boolean {
  const marks = line.trimStart();
  const isMark = marks.startsWith(sign) && line.length - marks.length <= MAX_FENCE_INDENT;
  if (!isMark) return false;
  const count = countSame(marks, 0);
  return count >= length && marks.slice(count).trim() === '';
}

/** How many characters equal to the one at `from` follow each other. */
function countSame(text: string, from: number): number {
  let to = from + 1;
  while (to < text.length && text[to] === text[from]) to += 1;
  return to - from;
}
