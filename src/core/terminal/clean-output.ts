/** What a command printed, as text to read: no escape sequences but colors where wanted, nothing hidden, overwritten parts of lines gone, line feeds alone. */
import { withoutEscapes } from '../text/escape-sequences.ts';
import { withoutHidden } from '../text/hidden.ts';

const ALT_SCREEN = /\x1b\[\?(?:1049|1047|47)h[\s\S]*?(?:\x1b\[\?(?:1049|1047|47)l|$)/g;
const ERASE_LINE = /\x1b\[[012]?K/g;
/** Stands for "erase to the end of the line" while a line is put together; no text holds it, since controls go before. */
const ERASED = '\u0001';
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Colors and weight: what a card shows, and nothing that could move the cursor. */
const COLOR = /(\x1b\[[\d;:]*m)/;

export function cleanOutput(raw: string, keepsColors = false): string {
  const text = raw.replace(ALT_SCREEN, '').replaceAll('\r\n', '\n');
  return text
    .split('\n')
    .map((line) => (keepsColors ? colorLine(line) : cleanLine(line)))
    .join('\n')
    .toWellFormed();
}

/** A line that was written over has lost which part had which color. */
function colorLine(line: string): string {
  const bare = withoutLastReturns(line);
  if (/[\r\b]/.test(bare)) return cleanLine(bare);
  return bare
    .split(COLOR)
    .map((part, at) => (at % 2 === 1 ? part : cleanLine(part)))
    .join('');
}

function cleanLine(line: string): string {
  const bare = withoutLastReturns(line);
  if (!/[\r\b]/.test(bare)) return withoutHidden(withoutEscapes(bare).replace(CONTROLS, ''));
  const marked = withoutEscapes(bare.replaceAll(ERASED, '').replace(ERASE_LINE, ERASED)).replace(
    /[\u0000\u0002-\u0007\u000b\u000c\u000e-\u001f\u007f-\u009f]/g,
    '',
  );
  // What is hidden takes no cell of a terminal.
  return overwrite(withoutHidden(marked)).trimEnd();
}

/** By hand: a pattern for it takes the square of their number, and a program may print a million of them. */
function withoutLastReturns(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end -= 1;
  return line.slice(0, end);
}

/** Carriage returns and backspaces as a terminal takes them; wide characters count as one, which only shifts what is overwritten. */
function overwrite(line: string): string {
  const cells: string[] = [];
  let at = 0;
  for (const char of line) {
    if (char === '\r') at = 0;
    else if (char === '\b') at = Math.max(0, at - 1);
    else if (char === ERASED) cells.length = Math.min(cells.length, at);
    else {
      cells[at] = char;
      at += 1;
    }
  }
  return Array.from(cells, (cell) => cell ?? ' ').join('');
}
