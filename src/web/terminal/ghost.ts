/** What a prompt suggests behind the caret, steps through, and completes: from earlier commands and from paths. Pure. */

/** The newest earlier command that goes on from what was typed; else the one path that does. Only its rest. */
export function ghostOf(text: string, history: readonly string[], paths: readonly string[]): string {
  if (text.trim() === '' || text.includes('\n')) return '';
  const earlier = history.findLast((one) => one.length > text.length && one.startsWith(text) && !one.includes('\n'));
  if (earlier !== undefined) return earlier.slice(text.length);
  const { word } = wordAt(text, text.length);
  const [path, ...others] = paths.filter((one) => one.length > word.length && one.startsWith(word));
  return word === '' || path === undefined || others.length > 0 ? '' : escapePath(path.slice(word.length));
}

/** The word under the caret, as the shell would take it, and where its letters begin in the text. */
export function wordAt(text: string, caret: number): { readonly word: string; readonly start: number } {
  let start = 0;
  let word = '';
  for (let at = 0; at < caret; at++) {
    const one = text[at] ?? '';
    if (one === '\\' && at + 1 < caret) {
      at += 1;
      word += text[at] ?? '';
    } else if (/[\s;|&<>()=]/.test(one)) {
      start = at + 1;
      word = '';
    } else word += one;
  }
  return { word, start };
}

/** As it must be typed to be one word. */
export function escapePath(path: string): string {
  return path.replace(/[^A-Za-z0-9_@%+:,./~-]/g, '\\$&');
}

export interface Completion {
  /** What the word becomes. */
  readonly insert: string;
  /** To choose from, when there is more than one. */
  readonly choices: readonly string[];
}

/** All that the paths share goes in at once; a directory ends in a slash and asks for more, a file in a space. */
export function completeWord(word: string, paths: readonly string[]): Completion | null {
  const fitting = [...new Set(paths.filter((one) => one.startsWith(word)).map((one) => nextPart(one, word)))].sort();
  const [only, ...others] = fitting;
  if (only === undefined) return null;
  if (others.length === 0) return { insert: escapePath(only) + (only.endsWith('/') ? '' : ' '), choices: [] };
  const shared = fitting.reduce((a, b) => commonStart(a, b));
  return { insert: escapePath(shared.length > word.length ? shared : word), choices: fitting };
}

/** `src/web/App.tsx` for `src/w` is `src/web/`: one part at a time, as a shell does it. */
function nextPart(path: string, word: string): string {
  const slash = path.indexOf('/', word.length);
  return slash < 0 ? path : path.slice(0, slash + 1);
}

function commonStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return a.slice(0, length);
}

export interface HistoryPlace {
  /** How many steps back; 0 is what was typed. */
  readonly back: number;
  /** What was typed before the first step. */
  readonly typed: string;
}

export const AT_NOW: HistoryPlace = { back: 0, typed: '' };

/** ↑ and ↓ go through earlier commands that begin with what was typed; null when there is no further one. */
export function stepHistory(
  history: readonly string[],
  place: HistoryPlace,
  by: 1 | -1,
  text: string,
): { readonly place: HistoryPlace; readonly text: string } | null {
  const typed = place.back === 0 ? text : place.typed;
  const fitting = distinct(history).filter((one) => one.startsWith(typed) && one !== typed);
  const back = place.back + by;
  if (back < 0 || back > fitting.length) return null;
  return { place: { back, typed }, text: back === 0 ? typed : (fitting.at(-back) ?? typed) };
}

/** Each command once, at its latest place. */
function distinct(history: readonly string[]): readonly string[] {
  return [...new Set(history.toReversed())].toReversed();
}
