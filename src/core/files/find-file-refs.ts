/**
 * Names of files in a text: `src/x.ts:12`, `./a.py(3`, `File "a.py", line 3`, `x.rs#L5-L9`. Whether the files exist is not known here.
 * Each character is looked at a fixed number of times, so the time is linear in the text, whatever it holds. Pure.
 */

export interface FileRef {
  readonly path: string;
  readonly line: number | null;
}

export interface FoundRef extends FileRef {
  /** Where the name stands in the text, with its line number. */
  readonly start: number;
  readonly end: number;
}

/** Of one text. More names than this are a listing, which nobody opens file by file. */
const MAX_REFS = 200;
/** Longer runs of path characters are data, not names. */
const MAX_REF_CHARS = 512;

/** Endings that make a name without a directory a file's: `x.ts:12` is one, `example.com:443` is not. */
const KNOWN_ENDINGS: ReadonlySet<string> = new Set(
  (
    'astro bash bat c cc cfg cjs clj conf cpp cs css csv cxx dart diff ex exs fish go gradle graphql h hpp hs htm html ini ipynb java jl js ' +
    'json jsonc jsonl jsx kt kts less lock log lua m md mdx mjs ml mts nix patch php pl png jpg jpeg gif webp svg proto ps1 py pyi r rb rs rst ' +
    'sass scala scss sh sql svelte swift tex tf toml ts tsx txt vue xml yaml yml zig zsh'
  ).split(' '),
);
const KNOWN_NAMES: ReadonlySet<string> = new Set(
  'Dockerfile Makefile Justfile Procfile Gemfile Rakefile LICENSE README CHANGELOG'.split(' '),
);
/** `github.com/a/b.html` is an address somebody left the scheme off. */
const HOST_ENDING = /\.(?:com|org|net|io|dev|ai|app|edu|gov)$/i;

/** Everything that may be in a name, with the brackets and colons around it; blanks and quotes are not. */
const RUN = /[\p{L}\p{N}_.\-/~@+%=[\]()#:$]+/gu;
const LINE_SUFFIX = /(?::(\d{1,9})(?:[:-]\d{1,9})?|#L(\d{1,9})(?:-L?\d{1,9})?|\((\d{1,9}))$/;
const PYTHON_LINE = /^["'], line (\d{1,9})/;
const PYTHON_CHARS = 24;

/** `isCode`: the text is marked as code, where a bare `x.ts` is a file as well. */
export function findFileRefs(text: string, isCode = false): readonly FoundRef[] {
  const found: FoundRef[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (found.length >= MAX_REFS) break;
    if (run.length > MAX_REF_CHARS || run.includes('://') || !(run.includes('.') || run.includes('/'))) continue;
    const [from, to] = trimmed(run);
    const ref = readRef(run.slice(from, to));
    if (ref === null) continue;
    const after = ref.line === null ? text.slice(index + to, index + to + PYTHON_CHARS) : '';
    const told = PYTHON_LINE.exec(after)?.[1];
    const line = told === undefined ? ref.line : Number(told);
    if (isFileName(ref.path, line !== null, isCode))
      found.push({ path: ref.path, line, start: index + from, end: index + to });
  }
  return found;
}

/** The target of a link that is no web address: a file with an optional line; null for anything else. */
export function fileOfHref(href: string): FileRef | null {
  const text = decoded(href.startsWith('file://') ? href.slice('file://'.length) : href);
  if (text === null || text === '' || text.length > 4 * MAX_REF_CHARS || /^(?:#|\?|\/\/)/.test(text)) return null;
  return readRef(text);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Without brackets that surround the name and punctuation behind it. */
function trimmed(run: string): readonly [number, number] {
  let from = 0;
  let to = run.length;
  while (from < to && '([@'.includes(run.charAt(from)) && !isRouteFolder(run, from)) from += 1;
  while (to > from && '.:)]=#'.includes(run.charAt(to - 1))) {
    const opener = { ')': '(', ']': '[' }[run.charAt(to - 1)];
    if (opener !== undefined && run.lastIndexOf(opener, to - 1) >= from) break;
    to -= 1;
  }
  return [from, to];
}

/** `[id]/page.tsx` and `(group)/page.tsx` begin with a bracket that is part of the name. */
function isRouteFolder(run: string, at: number): boolean {
  const closer = { '[': ']/', '(': ')/' }[run.charAt(at)];
  return closer !== undefined && run.indexOf(closer, at) > 0;
}

/** A name and its line; null where a colon is left over, as in `node:fs` or `javascript:`, and where no file can have the name. */
function readRef(text: string): FileRef | null {
  const suffix = LINE_SUFFIX.exec(text);
  const path = suffix === null ? text : text.slice(0, suffix.index).replace(LINE_SUFFIX, '');
  // `x.ts:12:3` ends with the column; the line is what the second look found.
  const outer = suffix === null ? null : LINE_SUFFIX.exec(text.slice(0, suffix.index));
  const line = (outer ?? suffix)?.slice(1).find((part) => part !== undefined);
  if (path === '' || path.includes(':') || /[\p{Cc}\p{Cs}]/u.test(path)) return null;
  return { path, line: line === undefined || Number(line) === 0 ? null : Number(line) };
}

function isFileName(path: string, hasLine: boolean, isCode: boolean): boolean {
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  const dot = name.lastIndexOf('.');
  const ending = dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
  const isKnown = KNOWN_ENDINGS.has(ending) || KNOWN_NAMES.has(name);
  if (slash < 0) return isKnown && (hasLine || isCode) && dot !== 0;
  if (HOST_ENDING.test(path.slice(0, path.indexOf('/')))) return false;
  return isKnown || (/^[a-z][a-z0-9]{0,9}$/.test(ending) && !path.endsWith('/'));
}
