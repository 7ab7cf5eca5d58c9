/** A git-style unified diff → files, hunks and numbered lines. Anything that is not part of a hunk or a header is kept as a note. */

export interface DiffLine {
  readonly type: 'same' | 'add' | 'del' | 'note';
  readonly oldLine: number | null;
  readonly newLine: number | null;
  readonly text: string;
}

export interface Hunk {
  readonly header: string;
  readonly lines: readonly DiffLine[];
}

export interface FileDiff {
  readonly path: string;
  readonly from: string | null;
  readonly kind: 'add' | 'update' | 'delete' | 'move';
  readonly hunks: readonly Hunk[];
  readonly added: number;
  readonly removed: number;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/;

interface Draft {
  from: string;
  to: string;
  isRename: boolean;
  hunks: { header: string; lines: DiffLine[] }[];
  added: number;
  removed: number;
}

export function parseDiff(diff: string): readonly FileDiff[] {
  const files: FileDiff[] = [];
  let draft: Draft | null = null;
  let oldLine = 0;
  let newLine = 0;
  let oldLeft = 0;
  let newLeft = 0;
  const begin = (from: string, to: string): Draft => {
    if (draft !== null) files.push(finish(draft));
    draft = { from, to, isRename: false, hunks: [], added: 0, removed: 0 };
    return draft;
  };

  const lines = diff.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    const current: Draft | null = draft;
    const hunk = current?.hunks.at(-1);
    if (current !== null && hunk !== undefined && (oldLeft > 0 || newLeft > 0 || line.startsWith('\\'))) {
      const sign = line[0];
      const text = line.slice(1);
      if (sign === '+') {
        hunk.lines.push({ type: 'add', oldLine: null, newLine, text });
        current.added += 1;
        newLine += 1;
        newLeft -= 1;
      } else if (sign === '-') {
        hunk.lines.push({ type: 'del', oldLine, newLine: null, text });
        current.removed += 1;
        oldLine += 1;
        oldLeft -= 1;
      } else if (sign === '\\') hunk.lines.push({ type: 'note', oldLine: null, newLine: null, text: text.trim() });
      else {
        hunk.lines.push({ type: 'same', oldLine, newLine, text });
        oldLine += 1;
        newLine += 1;
        oldLeft -= 1;
        newLeft -= 1;
      }
      continue;
    }
    const start = HUNK.exec(line);
    if (start !== null) {
      oldLine = Number(start[1]);
      newLine = Number(start[3]);
      oldLeft = Number(start[2] ?? 1);
      newLeft = Number(start[4] ?? 1);
      (current ?? begin('', '')).hunks.push({ header: (start[5] ?? '').trim(), lines: [] });
    } else if (line.startsWith('diff --git ')) {
      const names = /^diff --git a\/(.*) b\/(.*)$/.exec(line);
      begin(names?.[1] ?? '', names?.[2] ?? '');
    } else if (line.startsWith('--- ')) {
      const target: Draft = current === null || current.hunks.length > 0 ? begin('', '') : current;
      target.from = pathOf(line.slice(4), 'a/');
    } else if (line.startsWith('+++ ') && current !== null) current.to = pathOf(line.slice(4), 'b/');
    else if (line.startsWith('rename ') && current !== null) current.isRename = true;
  }
  if (draft !== null) files.push(finish(draft));
  return files;
}

function finish(draft: Draft): FileDiff {
  const { from, to, hunks, added, removed } = draft;
  const rest = { hunks, added, removed };
  if (from === '/dev/null') return { path: to, from: null, kind: 'add', ...rest };
  if (to === '/dev/null') return { path: from, from: null, kind: 'delete', ...rest };
  if (draft.isRename && from !== to) return { path: to, from, kind: 'move', ...rest };
  return { path: to === '' ? from : to, from: null, kind: 'update', ...rest };
}

function pathOf(word: string, prefix: string): string {
  const path = word.split('\t', 1)[0] ?? '';
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}
