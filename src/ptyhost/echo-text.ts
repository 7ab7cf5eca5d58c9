/** The command as the screen shows it, for a shell that could not tell (bash, when its history does not take the line). */
import headless, { type Terminal } from '@xterm/headless';
import { cleanText } from '../core/text/clean.ts';

/** Prompt and command, drawn again and again while somebody edits. */
export const MAX_ECHO_BYTES = 64 * 1024;
const ROWS = 500;

interface Spot {
  readonly row: number;
  readonly col: number;
}

/** `bytes`: from the beginning of the prompt to where the command began to run. */
export function readEcho(bytes: Buffer, cols: number): string {
  const terminal: Terminal = new headless.Terminal({ cols, rows: ROWS, allowProposedApi: true, logLevel: 'off' });
  const spans: { from: Spot; to: Spot | null }[] = [];
  const here = (): Spot => ({ row: terminal.buffer.active.cursorY, col: terminal.buffer.active.cursorX });
  terminal.parser.registerOscHandler(133, (payload) => {
    if (payload.startsWith('B')) {
      // The prompt is drawn again when the line is edited at its end or the size changes: the last one of a row counts.
      const from = here();
      if (spans.at(-1)?.to === null) spans.pop();
      spans.push({ from, to: null });
    } else if (payload.startsWith('P;k=s')) closeSpan(spans, here());
    return true;
  });
  writeNow(terminal, bytes);
  closeSpan(spans, here());
  const text = spans.map(({ from, to }) => textBetween(terminal, from, to ?? here())).join('\n');
  terminal.dispose();
  return cleanText(text);
}

/** The line feed of the Enter stands before the next prompt. */
function closeSpan(spans: { from: Spot; to: Spot | null }[], at: Spot): void {
  const last = spans.at(-1);
  if (last !== undefined && last.to === null) last.to = at;
}

function textBetween(terminal: Terminal, from: Spot, to: Spot): string {
  const rows: string[] = [];
  for (let row = from.row; row < to.row; row += 1) {
    const line = terminal.buffer.active.getLine(row);
    const isContinued = terminal.buffer.active.getLine(row + 1)?.isWrapped === true;
    rows.push(line?.translateToString(!isContinued, row === from.row ? from.col : 0) ?? '');
  }
  return rows.join('');
}

/** The emulator parses in the background; a block cannot begin before its command is known. */
function writeNow(terminal: Terminal, bytes: Buffer): void {
  const core: unknown = Reflect.get(terminal, '_core');
  if (typeof core !== 'object' || core === null || !('writeSync' in core)) return;
  if (typeof core.writeSync === 'function') core.writeSync(bytes);
}
