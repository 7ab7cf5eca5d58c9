/**
 * Streaming text → blocks. All but the last block are finished: their tokens keep their identity while the text grows,
 * so they are neither parsed nor rendered again. Only marked's lexer is used; its HTML never exists.
 */
import { lexer, type Token } from 'marked';

interface Block {
  /** Where it begins in the text: its key. */
  readonly start: number;
  readonly token: Token;
}

export interface BlockList {
  readonly text: string;
  readonly finished: readonly Block[];
  /** The block that may still grow, if any, and what follows it. */
  readonly open: readonly Block[];
  readonly openStart: number;
}

export const NO_BLOCKS: BlockList = { text: '', finished: [], open: [], openStart: 0 };

export function splitBlocks(before: BlockList, text: string): BlockList {
  if (text === before.text) return before;
  const grows = text.length > before.text.length && text.startsWith(before.text);
  const finished = grows ? before.finished : [];
  const openStart = grows ? before.openStart : 0;
  const tail = text.slice(openStart);
  const fence = openFence(tail);
  if (fence !== null) {
    const open: Block[] = [{ start: openStart, token: fence }];
    return { text, finished, open, openStart };
  }
  const blocks = blocksOf(tail, openStart);
  const last = blocks.at(-1);
  if (last === undefined) return { text, finished, open: [], openStart };
  return {
    text,
    finished: blocks.length === 1 ? finished : [...finished, ...blocks.slice(0, -1)],
    open: [last],
    openStart: last.start,
  };
}

function blocksOf(text: string, offset: number): Block[] {
  const blocks: Block[] = [];
  let start = offset;
  for (const token of lexer(text)) {
    if (token.type !== 'space' && token.type !== 'def') blocks.push({ start, token });
    start += token.raw.length;
  }
  return blocks;
}

const FENCE_START = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\n`]*)\n/;

/** A fence that has begun and not ended need not be lexed at each delta, however long it gets. */
function openFence(tail: string): Token | null {
  const begin = FENCE_START.exec(tail);
  const mark = begin?.[1];
  if (begin === null || mark === undefined) return null;
  const body = tail.slice(begin[0].length);
  const close = new RegExp(`(^|\\n) {0,3}${mark[0]}{${mark.length},}[ \\t]*(\\n|$)`);
  if (close.test(body)) return null;
  return { type: 'code', raw: tail, lang: (begin[2] ?? '').trim(), text: body.replace(/\n$/, '') };
}
