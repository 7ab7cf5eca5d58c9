/** What a command says: data on stdout, talk on stderr, for people or as JSON. Everything printed goes through here, and so through `printable`. */
import { once } from 'node:events';
import { exitCodeOf, type Failure } from '../contract/result.ts';
import { printable, printableJson } from '../core/text/printable.ts';

const STYLES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
export type Style = keyof typeof STYLES;

/** Text from anywhere, or a styled piece of it. Styles are added after the text was made safe. */
export type Part = string | { readonly text: string; readonly style: Style };

export const styled = (style: Style, text: string): Part => ({ text, style });

/** The part of a stream that is used; a test gives its own. */
export interface Sink {
  write(text: string): boolean;
  readonly isTTY?: boolean;
}

export interface Output {
  readonly isJson: boolean;
  /** A line of data for people. */
  print(...parts: readonly Part[]): Promise<void>;
  /** Data without a line end; waits while the reader is slow. */
  write(text: string): Promise<void>;
  /** One value as one line of JSON, on stdout. */
  json(value: unknown): Promise<void>;
  /** A line of talk. */
  say(...parts: readonly Part[]): void;
  /** Tells a failure and answers the exit code that goes with it. */
  fail(failure: Failure): Promise<number>;
}

export interface OutputOptions {
  readonly isJson: boolean;
  /** False after `--no-color`. */
  readonly color: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Sink & NodeJS.EventEmitter;
  readonly stderr: Sink;
}

export function createOutput(options: OutputOptions): Output {
  const { stdout, stderr } = options;
  const render = (parts: readonly Part[], sink: Sink): string => {
    const isColored = options.color && mayColor(options.env, sink.isTTY === true);
    return parts.map((part) => renderPart(part, isColored)).join('');
  };
  const writeData = async (text: string): Promise<void> => {
    if (!stdout.write(text)) await once(stdout, 'drain');
  };
  const say = (...parts: readonly Part[]): void => {
    stderr.write(`${render(parts, stderr)}\n`);
  };
  return {
    isJson: options.isJson,
    print: (...parts) => writeData(`${render(parts, stdout)}\n`),
    write: (text) => writeData(printable(text)),
    json: (value) => writeData(`${printableJson(value)}\n`),
    say,
    async fail(failure) {
      // The same body the server answers with; a script finds it where it looks for the answer.
      if (options.isJson) await writeData(`${printableJson({ ok: false, ...failure })}\n`);
      else say(styled('red', 'signalbox: '), failure.message);
      return exitCodeOf(failure.code);
    },
  };
}

/** https://no-color.org; a dumb terminal and a pipe get none either. */
export function mayColor(env: NodeJS.ProcessEnv, isTTY: boolean): boolean {
  return isTTY && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
}

function renderPart(part: Part, isColored: boolean): string {
  if (typeof part === 'string') return printable(part);
  const text = printable(part.text);
  return isColored ? `\x1b[${STYLES[part.style]}m${text}\x1b[0m` : text;
}
