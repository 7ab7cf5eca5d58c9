/**
 * What a request would run or send, as parts to show: every character visible, long runs of blanks named instead of drawn, so
 * that nothing can be pushed out of view.
 */
import { en } from '../strings/en.ts';
import { formatCount } from '../ui/format.ts';
import { splitUnseen } from './ansi.ts';

interface ExactPart {
  /** `gap`: blanks that are left out, in words. `escape`: a character that does not print, as an escape. */
  readonly kind: 'text' | 'gap' | 'escape';
  readonly text: string;
}

export interface ExactText {
  readonly parts: readonly ExactPart[];
  readonly lines: number;
  readonly chars: number;
}

/** Two empty lines are layout; more push what follows away. */
const MIN_EMPTY_LINES = 3;
/** Deeper than code is indented; a run of so many blanks moves what follows out of sight. */
const MIN_BLANKS = 32;
/** Each part is an element. A text with more of them is shown as one part, with its escapes in it. */
const MAX_PARTS = 2_000;

export function readExact(text: string): ExactText {
  const lines = text.split('\n');
  const parts: ExactPart[] = [];
  for (let at = 0; at < lines.length; ) {
    const end = blankEnd(lines, at);
    // The last line may be what follows the final line feed: that is no empty line.
    const count = Math.min(end, lines.length - 1) - at;
    if (count >= MIN_EMPTY_LINES) {
      parts.push({ kind: 'gap', text: en.approval.emptyLines(formatCount(count)) }, { kind: 'text', text: '\n' });
      at += count;
      continue;
    }
    pushLine(parts, lines[at] ?? '');
    if (at < lines.length - 1) parts.push({ kind: 'text', text: '\n' });
    at += 1;
  }
  return { parts: joined(parts), lines: lines.length, chars: text.length };
}

function blankEnd(lines: readonly string[], from: number): number {
  let to = from;
  while (to < lines.length && /^[ \t]*$/.test(lines[to] ?? '')) to += 1;
  return to;
}

const BLANKS = new RegExp(`[ \\t]{${MIN_BLANKS},}`, 'g');

function pushLine(parts: ExactPart[], line: string): void {
  let from = 0;
  for (const found of line.matchAll(BLANKS)) {
    parts.push(...seen(line.slice(from, found.index)), {
      kind: 'gap',
      text: en.approval.blanks(formatCount(found[0].length)),
    });
    from = found.index + found[0].length;
  }
  parts.push(...seen(line.slice(from)));
}

function seen(text: string): readonly ExactPart[] {
  return splitUnseen(text).map(({ text: piece, isEscape }) => ({ kind: isEscape ? 'escape' : 'text', text: piece }));
}

/** Neighbors of one kind as one part. */
function joined(parts: readonly ExactPart[]): readonly ExactPart[] {
  const runs: { kind: ExactPart['kind']; texts: string[] }[] = [];
  for (const { kind, text } of parts) {
    const last = runs.at(-1);
    if (last?.kind === kind) last.texts.push(text);
    else if (text !== '') runs.push({ kind, texts: [text] });
  }
  const all = runs.map(({ kind, texts }): ExactPart => ({ kind, text: texts.join('') }));
  return all.length <= MAX_PARTS ? all : [{ kind: 'text', text: all.map((part) => part.text).join('') }];
}

/** The same as one string, for places that show a command beside other things. */
export function showCommand(command: string): string {
  return readExact(command)
    .parts.map((part) => part.text)
    .join('');
}

/** Lines and characters from which on the length is told in words. */
const LONG_LINES = 8;
const LONG_CHARS = 600;

export function isLong({ lines, chars }: Pick<ExactText, 'lines' | 'chars'>): boolean {
  return lines > LONG_LINES || chars > LONG_CHARS;
}

/** JSON with line breaks, or null for a value that is nested too deeply to be written. */
export function exactJson(value: unknown): string | null {
  try {
    return JSON.stringify(value, null, 2) ?? '';
  } catch {
    return null;
  }
}
