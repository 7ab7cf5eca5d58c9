/**
 * Formulas in Markdown: `$…$`, `$$…$$`, `\(…\)`, `\[…\]`. The rules for a single dollar are narrow, since prices and shell variables have
 * dollars too. Each look is bounded, so many openers that never close cost little. Pure.
 */

export interface Formula {
  /** With its delimiters. */
  readonly raw: string;
  readonly tex: string;
  /** On a line of its own. */
  readonly isDisplay: boolean;
}

/** A longer formula would not fit the column anyway. */
const MAX_TEX_CHARS = 1_000;

const DELIMITERS = [
  { open: '$$', close: '$$', isDisplay: true },
  { open: '\\[', close: '\\]', isDisplay: true },
  { open: '\\(', close: '\\)', isDisplay: false },
  { open: '$', close: '$', isDisplay: false },
] as const;

/** The formula that a text begins with; null if it begins with none. */
export function formulaAt(src: string): Formula | null {
  const first = src.charAt(0);
  if (first !== '$' && first !== '\\') return null;
  const found = DELIMITERS.find(({ open }) => src.startsWith(open));
  if (found === undefined) return null;
  const { open, close, isDisplay } = found;
  const body = src.slice(open.length, open.length + MAX_TEX_CHARS);
  const end = body.indexOf(close);
  if (end <= 0) return null;
  const tex = body.slice(0, end);
  if (/\n[ \t]*\n/.test(tex) || tex.trim() === '') return null;
  if (open === '$' && !isDollarFormula(tex, src.charAt(open.length + end + 1))) return null;
  return { raw: src.slice(0, open.length + end + close.length), tex, isDisplay };
}

/** `$5 and $6`, `$HOME/$USER` and `$a` are no formulas; `$x$`, `$n_1$` and `$a = b$` are. */
function isDollarFormula(tex: string, after: string): boolean {
  if (tex !== tex.trim() || tex.includes('\n') || /[\p{L}\p{N}]/u.test(after)) return false;
  return /[\\^_=<>+]/.test(tex) || /^-?[\p{L}\d]$/u.test(tex);
}

/** Where the first formula in a text begins after its first character, looking at the dollars in its first `length` characters; -1: nowhere. */
export function nextDollarFormula(src: string, length: number): number {
  for (let at = src.indexOf('$', 1); at > 0 && at < length; at = src.indexOf('$', at + 1)) {
    if (/[\p{L}\p{N}\\]/u.test(src.charAt(at - 1))) continue;
    if (formulaAt(src.slice(at, at + MAX_TEX_CHARS + 4)) !== null) return at;
  }
  return -1;
}

export interface FormulaBlock {
  readonly raw: string;
  readonly tex: string;
}

/**
 * A formula between delimiters on lines of their own. One that is not closed yet, and has no empty line, goes to the end of the text: so its
 * lines are not taken for lists or headings while they arrive.
 */
export function formulaBlockAt(src: string): FormulaBlock | null {
  const open = /^ {0,3}(\$\$|\\\[)[ \t]*(?:\n|$)/.exec(src);
  if (open === null) return null;
  const close = open[1] === '$$' ? '$$' : '\\]';
  const from = open[0].length;
  const body = src.slice(from, from + MAX_TEX_CHARS);
  const blank = body.search(/\n[ \t]*\n/);
  const end = body.indexOf(close);
  if (end >= 0 && (blank < 0 || end < blank)) {
    const rest = /^[ \t]*(?:\n|$)/.exec(
      src.slice(from + end + close.length, from + end + close.length + MAX_TEX_CHARS),
    );
    if (rest === null) return null;
    return { raw: src.slice(0, from + end + close.length + rest[0].length), tex: body.slice(0, end).trim() };
  }
  if (blank >= 0 || src.length > from + MAX_TEX_CHARS) return null;
  return { raw: src, tex: '' };
}
