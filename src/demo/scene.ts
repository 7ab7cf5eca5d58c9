/** What an ability of the demo model gets to see, and the phrases that all of them use. */
import type { JsonObject, ModelEvent } from './model-event.ts';
import type { ToolOutput } from './model-request.ts';
import { type Outcome, readOutcome } from './tool-call.ts';

export interface Scene {
  readonly body: JsonObject;
  /** The user's own words. */
  readonly text: string;
  /** Outputs of the calls this turn has made so far. */
  readonly outputs: readonly ToolOutput[];
}

const MAX_QUOTED_LINES = 12;
const MAX_QUOTED_CHARS = 1200;

/** How far the turn is: 0 when nothing was called yet. */
export const stepOf = (scene: Scene): number => scene.outputs.length;

export function lastOutcome(scene: Scene): Outcome | undefined {
  const output = scene.outputs.at(-1);
  return output === undefined ? undefined : readOutcome(output);
}

/** A remark between two calls. */
export const remark = (say: string): ModelEvent => ({ say, phase: 'commentary' });

export const conclude = (say: string): ModelEvent => ({ say, phase: 'final_answer' });

/** The last lines of an output as a code block. */
export function quoteOutput(text: string): string {
  const lines = text.trimEnd().split('\n');
  const kept = lines.slice(-MAX_QUOTED_LINES).join('\n').slice(-MAX_QUOTED_CHARS);
  const left = lines.length > MAX_QUOTED_LINES ? `… ${lines.length - MAX_QUOTED_LINES} lines before\n` : '';
  return kept === '' ? '(no output)' : fence(`${left}${kept}`);
}

/** A code block that its own text cannot close. */
function fence(text: string, language = 'text'): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${language}\n${text}\n${ticks}`;
}

/** One line, in backticks. */
export function inlineCode(text: string, maxChars = 200): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const cut = line.length > maxChars ? `${line.slice(0, maxChars)}…` : line;
  return `\`${cut.replaceAll('`', 'ˋ')}\``;
}
