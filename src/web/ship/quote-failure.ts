/** A failure as it is quoted into a message for Codex: what happened, the files, and the end of what was printed. Pure. */
import type { ShipFailure } from '../../contract/ship.ts';
import { stripAnsi } from '../transcript/ansi.ts';

/** The end says why; a message of more is not read. */
const MAX_CHARS = 4_000;
const MAX_FILES = 20;

export function quoteFailure({ message, files }: ShipFailure, output: string): string {
  const list = files.slice(0, MAX_FILES).map((file) => `- ${JSON.stringify(file)}`);
  const text = stripAnsi(output).trim();
  const shown = text.length > MAX_CHARS ? `…\n${text.slice(-MAX_CHARS)}` : text;
  // Longer than any run of backticks inside, so that the output cannot end its own fence.
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const parts = [message, list.join('\n'), shown === '' ? '' : `${fence}\n${shown}\n${fence}`];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n\n`;
}
