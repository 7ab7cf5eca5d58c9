/** A Codex that does not start, stops or does not answer → words for a person: what happened, how often it was tried, what to do. Pure. */
import { cleanText } from '../text/clean.ts';
import { withoutEscapes } from '../text/escape-sequences.ts';
import { withoutHidden } from '../text/hidden.ts';

/** What a banner can hold of one line. */
const MAX_LINE_CHARS = 300;
/** Text in any language has few of these; bytes that are no text have many. */
const MAX_UNREADABLE_SHARE = 0.1;
/** A character that was no UTF-8, or a control character other than tab and line feed. */
const UNREADABLE = /[\ufffd\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Lines that Codex printed, as text for a person. Lines that are no text are replaced by a note, so that no binary data is shown. */
export function readableLines(lines: readonly string[]): readonly string[] {
  const readable = lines.map((line) => {
    const plain = withoutEscapes(line);
    const unreadable = plain.match(UNREADABLE)?.length ?? 0;
    if (unreadable > plain.length * MAX_UNREADABLE_SHARE) return null;
    const text = withoutHidden(cleanText(plain)).replaceAll('\ufffd', '').trim();
    return text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS).toWellFormed()}…` : text;
  });
  const texts = readable.filter((line): line is string => line !== null && line !== '');
  return readable.includes(null) ? [...texts, '(it printed data that is not text)'] : texts;
}

/** `why` with the last lines of Codex, if it printed any. */
export function describeEndOf(why: string, lastLines: readonly string[]): string {
  const words = readableLines(lastLines);
  return words.length === 0 ? why : `${why}. Its last output: ${words.join(' / ')}`;
}

interface Tries {
  /** How often Codex was lost or did not start within the last minute. */
  readonly count: number;
  readonly limit: number;
  /** False if Codex never became ready: then nothing of it ran. */
  readonly wasReady: boolean;
  readonly why: string;
}

const sentence = (text: string): string => (/[.!?…)]$/.test(text) ? text : `${text}.`);

export function describeRetry({ count, limit, wasReady, why }: Tries, delayMs: number): string {
  const what = wasReady ? 'Codex stopped' : 'Codex did not start';
  return sentence(`${what}: ${sentence(why)} Attempt ${count} of ${limit}; the next one in ${delayMs / 1000} s`);
}

export function describeGivenUp({ count, wasReady, why }: Tries): string {
  const what = wasReady ? `Codex stopped ${count} times within a minute` : `Codex did not start in ${count} attempts`;
  return (
    `${what} and is not started again by itself. The last time: ${sentence(why)} ` +
    'Your conversations are saved. Check the installation with `signalbox doctor` and the output with `signalbox shells logs app_server`, then start Codex again.'
  );
}

export function describeSilence(pid: number | null, method: string, waitedMs: number): string {
  const who = pid === null ? 'Codex' : `Codex (process ${pid})`;
  return (
    `${who} runs but did not answer a request (${method}) within ${waitedMs / 1000} s. ` +
    'Your conversations are saved. If it stays silent, restart it; a turn that runs in it is then lost.'
  );
}

/** Codex keeps a folder for its sockets at a fixed place below `/tmp`, and does not start to listen if somebody else made that folder. */
export function isSocketFolderTaken(lastLines: readonly string[]): boolean {
  return lastLines.some((line) => line.includes('app-server socket directory must be a user-owned directory'));
}

/** Why Codex is run over a pipe although a socket was wanted. */
export function describePipe(version: string | null, cause: 'too_old' | 'folder_taken'): string {
  const what = 'so it is run over a pipe: a running turn ends when the server stops.';
  if (cause === 'too_old')
    return `Codex${version === null ? '' : ` ${version}`} is too old to listen on a socket, ${what}`;
  return (
    `Codex cannot listen on a socket, ${what} Another user made the folder that Codex keeps below /tmp for its sockets ` +
    '(codex-daemon-…). Have it removed, then restart the server.'
  );
}

/** The Codex of the last server is replaced. */
export const describeReplaced = (pid: number, why: string): string =>
  `The Codex of the last server (process ${pid}) cannot be used again: ${sentence(why)} It is being ended, and a new one started.`;
