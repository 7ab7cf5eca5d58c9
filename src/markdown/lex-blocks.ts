/**
 * Markdown → top-level blocks with marked's lexer, within limits. The lexer recurses once per nesting level and rescans the rest
 * of a paragraph for each token, so a few KB of hostile text would overflow its stack or take minutes. A block that exceeds a
 * limit becomes a `plain` block: its raw text. The limits count work instead of time, so that a text is shown alike everywhere.
 */

import { getDefaults, Lexer, type Token, Tokenizer } from 'marked';
import { formulaAt, formulaBlockAt, nextDollarFormula } from './find-math.ts';

/** Why a block is not formatted. `failed`: the lexer threw, which is a bug of the lexer. */
export type PlainReason = 'too_deep' | 'too_long' | 'failed';

export interface PlainToken {
  readonly type: 'plain';
  readonly raw: string;
  readonly reason: PlainReason;
}

export type BlockToken = Token | PlainToken;

export interface LexedBlock {
  readonly token: BlockToken;
  /** Units of inline work this block took. */
  readonly work: number;
}

export function isPlain(token: BlockToken): token is PlainToken {
  return token.type === 'plain';
}

/** Lists and quotes inside each other. Deeper ones would be indented past the width of a phone. */
const MAX_BLOCK_DEPTH = 16;
/** Emphasis and links inside each other. Deeper nesting has no visible effect. */
const MAX_INLINE_DEPTH = 24;
/** Elements of a table that a browser makes in about 30 ms. */
const MAX_CELLS = 4_000;
/** Inline work of one segment: about 20 ms. A segment of usual text takes a tenth of it. */
const MAX_INLINE_WORK = 3_000_000;
/** Block work of one segment. Block rules are cheap; the limit stops quotes that are lexed again for each continuation. */
const MAX_BLOCK_WORK = 12_000_000;
/** Square of the length of a list or quote → units of work, as measured with task lists and quotes with lazy lines. */
const SQUARE_DIVISOR = 50;
/** The opener of an emphasis looks at every delimiter up to the end of the text, which the other rules do not. */
const OPENER_WEIGHT = 3;
/** Limit for costs that the count of work does not know. High, so that a stalled machine does not change what is shown. */
const MAX_MS = 1_000;
const STEPS_PER_CLOCK_READ = 32;

/** Thrown through marked's code, which has no other way to stop early. */
class LimitExceeded extends Error {
  readonly reason: PlainReason;

  constructor(reason: PlainReason) {
    super(reason);
    this.reason = reason;
  }
}

/** Counts the work of one lexer: per token the length of the text that is still to be lexed. */
class Meter {
  work = 0;
  #limit = MAX_BLOCK_WORK;
  #steps = 0;
  readonly #end = performance.now() + MAX_MS;

  begin(limit: number): void {
    this.work = 0;
    this.#limit = limit;
  }

  step(work: number): void {
    this.work += work;
    this.#steps += 1;
    if (this.work > this.#limit) throw new LimitExceeded('too_long');
    if (this.#steps % STEPS_PER_CLOCK_READ === 0 && performance.now() > this.#end) throw new LimitExceeded('too_long');
  }
}

/**
 * `space` and `escape` are the first rules that the lexer tries for each block token and each inline token; `blockquote` and
 * `list` are the rules that lex blocks inside a block.
 */
class LimitedTokenizer extends Tokenizer {
  /** Top-level blocks that are not formatted. */
  readonly refused = new Map<Token, PlainReason>();
  readonly #meter: Meter;
  #depth = 0;
  /** Set when a part of the current top-level block exceeds a limit. */
  #reason: PlainReason | null = null;

  constructor(meter: Meter) {
    super();
    this.#meter = meter;
  }

  override space(src: string): ReturnType<Tokenizer['space']> {
    this.#meter.step(src.length);
    return super.space(src);
  }

  override escape(src: string): ReturnType<Tokenizer['escape']> {
    const isOpener = src.startsWith('*') || src.startsWith('_') || src.startsWith('~');
    this.#meter.step(isOpener ? src.length * OPENER_WEIGHT : src.length);
    const formula = formulaAt(src);
    // A formula travels as an escape: its text is shown as it was written wherever formulas are not made.
    if (formula !== null) return { type: 'escape', raw: formula.raw, text: formula.raw };
    return super.escape(src);
  }

  /** Text ends where a formula begins; the rule of the lexer does not know the dollar. */
  override inlineText(src: string): ReturnType<Tokenizer['inlineText']> {
    const token = super.inlineText(src);
    const at = token === undefined ? -1 : nextDollarFormula(src, token.raw.length);
    if (token === undefined || at < 0) return token;
    return { ...token, raw: token.raw.slice(0, at), text: token.raw.slice(0, at) };
  }

  /** A formula on lines of its own is code in the language `math`, like a fence of that name. */
  override fences(src: string): ReturnType<Tokenizer['fences']> {
    const formula = formulaBlockAt(src);
    if (formula === null) return super.fences(src);
    const { raw, tex } = formula;
    return { type: 'code', raw, lang: tex === '' ? '' : 'math', text: tex === '' ? raw : tex };
  }

  override blockquote(src: string): ReturnType<Tokenizer['blockquote']> {
    return this.#nest(this.rules.block.blockquote, src, () => super.blockquote(src));
  }

  override list(src: string): ReturnType<Tokenizer['list']> {
    return this.#nest(this.rules.block.list, src, () => super.list(src));
  }

  /** Short rows are filled up to the width of the header, so a few KB could make millions of cells. */
  override table(src: string): ReturnType<Tokenizer['table']> {
    const found = this.rules.block.table.exec(src);
    if (found === null) return undefined;
    const [raw] = found;
    if (countCells(raw) <= MAX_CELLS) return super.table(src);
    this.#reason = 'too_long';
    return this.#settle({ type: 'table', raw, align: [], header: [], rows: [] });
  }

  #nest<T extends Token>(rule: RegExp, src: string, lex: () => T | undefined): T | undefined {
    if (this.#depth >= MAX_BLOCK_DEPTH) {
      if (rule.test(src)) this.#reason = 'too_deep';
      return undefined;
    }
    if (this.#depth === 0 && rule.test(src)) this.#meter.step(squareWork(src));
    this.#depth += 1;
    const token = lex();
    this.#depth -= 1;
    return this.#settle(token);
  }

  /** A block is refused as a whole, whatever level of it exceeds a limit. */
  #settle<T extends Token>(token: T | undefined): T | undefined {
    if (this.#depth > 0 || this.#reason === null) return token;
    if (token !== undefined) this.refused.set(token, this.#reason);
    this.#reason = null;
    return token;
  }
}

function countCells(table: string): number {
  const headerEnd = table.indexOf('\n');
  const header = table.slice(0, headerEnd).trim();
  let columns = 1 - Number(header.startsWith('|')) - Number(header.endsWith('|'));
  for (let at = table.indexOf('|'); at >= 0 && at < headerEnd; at = table.indexOf('|', at + 1)) columns += 1;
  let rows = 1;
  for (let at = headerEnd; at >= 0; at = table.indexOf('\n', at + 1)) rows += 1;
  return columns * rows;
}

/** The work of a list or a quote grows with the square of its length. It ends at the latest where a fence begins a line. */
function squareWork(src: string): number {
  const ends = [src.indexOf('\n```'), src.indexOf('\n~~~'), src.length].filter((at) => at >= 0);
  const length = Math.min(...ends);
  return (length * length) / SQUARE_DIVISOR;
}

class LimitedLexer extends Lexer {
  #depth = 0;

  override inlineTokens(src: string, tokens?: Token[]): Token[] {
    if (this.#depth > MAX_INLINE_DEPTH) throw new LimitExceeded('too_deep');
    this.#depth += 1;
    try {
      return super.inlineTokens(src, tokens);
    } finally {
      this.#depth -= 1;
    }
  }
}

/**
 * The blocks of a text, or why it cannot be divided into blocks. `spent`: inline work that earlier blocks of the same segment
 * took.
 */
export function lexBlocks(text: string, spent: number): readonly LexedBlock[] | PlainReason {
  const meter = new Meter();
  const tokenizer = new LimitedTokenizer(meter);
  const lexer = new LimitedLexer({ ...getDefaults(), tokenizer });
  try {
    lexer.blockTokens(text, lexer.tokens);
  } catch (error) {
    return reasonOf(error);
  }
  const sources = new Map(lexer.inlineQueue.map((one) => [one.tokens, one.src]));
  let left = MAX_INLINE_WORK - spent;
  return lexer.tokens.map((token) => {
    meter.begin(left);
    const reason = tokenizer.refused.get(token);
    const lexed = reason === undefined ? lexInline(lexer, token, sources) : plainToken(token.raw, reason);
    left -= meter.work;
    return { token: lexed, work: meter.work };
  });
}

/** Lexes what is queued for one block, at any level inside it. */
function lexInline(lexer: Lexer, block: Token, sources: ReadonlyMap<Token[], string>): BlockToken {
  try {
    for (const tokens of queuedIn(block, sources)) {
      lexer.state.inLink = false;
      lexer.state.inRawBlock = false;
      lexer.inlineTokens(sources.get(tokens) ?? '', tokens);
    }
    return block;
  } catch (error) {
    return plainToken(block.raw, reasonOf(error));
  }
}

/** Walks with a list of its own instead of recursion; blocks are at most `MAX_BLOCK_DEPTH` deep here. */
function queuedIn(block: Token, sources: ReadonlyMap<Token[], string>): readonly Token[][] {
  const found: Token[][] = [];
  const open: Token[] = [block];
  for (let token = open.pop(); token !== undefined; token = open.pop()) {
    for (const tokens of childrenOf(token)) {
      if (sources.has(tokens)) found.push(tokens);
      else open.push(...tokens);
    }
  }
  return found;
}

function childrenOf(token: Token): readonly Token[][] {
  if (token.type === 'list') return [token.items];
  if (token.type === 'table')
    return [token.header, ...token.rows].flat().map((cell: { tokens: Token[] }) => cell.tokens);
  return 'tokens' in token && token.tokens !== undefined ? [token.tokens] : [];
}

export function plainToken(raw: string, reason: PlainReason): PlainToken {
  return { type: 'plain', raw, reason };
}

function reasonOf(error: unknown): PlainReason {
  return error instanceof LimitExceeded ? error.reason : 'failed';
}
