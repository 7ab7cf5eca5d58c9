/** Which diffs are the same diff, which files a diff touches, and a diff made from an item's changes. */
import type { EntryOf } from '../../contract/entry.ts';
import type { FileChange } from '../codex/item.ts';

type DiffFile = EntryOf<'diff'>['files'][number];

/** `thread:turn:hash`. */
export function diffId(threadId: string, turnId: string, hash: string): string {
  return `${threadId}:${turnId}:${hash}`;
}

/** The same diff with the same end is the same diff. */
export function diffHash(digest: (text: string) => string, status: string, diff: string): string {
  return digest(`${status}\n${diff}`).slice(0, 16);
}

/** Files of a git-style diff, in order. Codex tells a move by two names alone, without git's `rename` lines. */
export function filesOfDiff(diff: string): DiffFile[] {
  const files: DiffFile[] = [];
  let from = '';
  let to = '';
  /** Inside a hunk `--- x` is the removed line `-- x`. */
  let isHeader = true;
  const finish = () => {
    if (from === '' && to === '') return;
    if (from === '/dev/null') files.push({ path: to, kind: 'add' });
    else if (to === '/dev/null') files.push({ path: from, kind: 'delete' });
    else if (from !== to) files.push({ path: from, kind: 'move', moved_to: to });
    else files.push({ path: to, kind: 'update' });
  };
  for (const line of diff.split('\n')) {
    if (line.startsWith('diff --git ')) {
      finish();
      const names = /^diff --git a\/(.*) b\/(.*)$/.exec(line);
      from = names?.[1] ?? '';
      to = names?.[2] ?? '';
      isHeader = true;
    } else if (line.startsWith('@@ ')) isHeader = false;
    else if (isHeader && line.startsWith('--- ')) from = pathOf(line.slice(4), 'a/');
    else if (isHeader && line.startsWith('+++ ')) to = pathOf(line.slice(4), 'b/');
    else if (isHeader && line.startsWith('new file mode')) from = '/dev/null';
    else if (isHeader && line.startsWith('deleted file mode')) to = '/dev/null';
  }
  finish();
  return files;
}

function pathOf(word: string, prefix: string): string {
  const path = word.split('\t', 1)[0] ?? '';
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/**
 * Where the paths of Codex's own diff begin: at the top of the repository, which is the working directory or above it. Found by files
 * whose whole path is known; null if the diff tells of none of them.
 */
export function rootOfDiff(diff: string, knownPaths: readonly string[], cwd: string): string | null {
  const named = filesOfDiff(diff).flatMap(({ path, moved_to }) => [path, moved_to ?? path]);
  const known = new Set(knownPaths);
  const roots = new Set<string>();
  for (const name of named)
    for (const whole of known) if (whole.endsWith(`/${name}`)) roots.add(whole.slice(0, -name.length));
  let best: string | null = null;
  let most = 0;
  for (const root of roots) {
    // A file of the same name in a folder below fits by chance; the real root fits them all.
    const fitting = named.filter((name) => known.has(`${root}${name}`)).length;
    if (!`${cwd}/`.startsWith(root) || fitting <= most) continue;
    best = root;
    most = fitting;
  }
  return best;
}

const NAMES = /^(diff --git )a\/(.*) b\/(.*)$/;

/** The same diff with paths from the working directory on; a file outside of it has its whole path. */
export function diffFromCwd(diff: string, root: string, cwd: string): string {
  const from = (path: string) => (path.startsWith('/') ? path : relativePath(`${root}${path}`, cwd));
  /** Inside a hunk `--- x` is the removed line `-- x`. */
  let isHeader = true;
  const rename = (line: string): string => {
    const names = NAMES.exec(line);
    if (names !== null) {
      isHeader = true;
      return `${names[1]}a/${from(names[2] ?? '')} b/${from(names[3] ?? '')}`;
    }
    if (line.startsWith('@@ ')) isHeader = false;
    if (!isHeader) return line;
    for (const [start, prefix] of [
      ['--- ', 'a/'],
      ['+++ ', 'b/'],
    ] as const) {
      if (line.startsWith(`${start}${prefix}`)) return `${start}${prefix}${from(line.slice(start.length + 2))}`;
    }
    const moved = /^(rename (?:from|to) )(.*)$/.exec(line);
    return moved === null ? line : `${moved[1]}${from(moved[2] ?? '')}`;
  };
  return diff.split('\n').map(rename).join('\n');
}

/** Codex gives hunks for an update and the bare content for an added or deleted file: make one git-style diff of them. */
export function diffOfChanges(changes: readonly FileChange[], cwd: string): string {
  return changes.map((change) => diffOfChange(change, cwd)).join('');
}

function diffOfChange(change: FileChange, cwd: string): string {
  const path = relativePath(change.path, cwd);
  const to = change.movedTo === undefined ? path : relativePath(change.movedTo, cwd);
  const head = `diff --git a/${path} b/${to}\n`;
  switch (change.kind) {
    case 'add':
      return `${head}new file mode 100644\n--- /dev/null\n+++ b/${to}\n${contentHunk(change.diff, '+')}`;
    case 'delete':
      return `${head}deleted file mode 100644\n--- a/${path}\n+++ /dev/null\n${contentHunk(change.diff, '-')}`;
    case 'move':
      return `${head}rename from ${path}\nrename to ${to}\n--- a/${path}\n+++ b/${to}\n${endLine(change.diff.replace(/\n\nMoved to: .*$/s, ''))}`;
    case 'update':
      return `${head}--- a/${path}\n+++ b/${to}\n${endLine(change.diff)}`;
    default:
      return change.kind satisfies never;
  }
}

function contentHunk(content: string, sign: '+' | '-'): string {
  if (content === '') return '';
  const lines = content.replace(/\n$/, '').split('\n');
  const range = sign === '+' ? `-0,0 +1,${lines.length}` : `-1,${lines.length} +0,0`;
  const missingEnd = content.endsWith('\n') ? '' : '\\ No newline at end of file\n';
  return `@@ ${range} @@\n${lines.map((line) => `${sign}${line}\n`).join('')}${missingEnd}`;
}

const endLine = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

export function relativePath(path: string, cwd: string): string {
  const root = cwd.endsWith('/') ? cwd : `${cwd}/`;
  return path.startsWith(root) ? path.slice(root.length) : path;
}
