/** A git-style unified diff → files, hunks and numbered lines. */

export interface DiffLine {
  readonly type: 'same' | 'add' | 'del' | 'note';
  readonly oldLine: number | null;
  readonly newLine: number | null;
  readonly text: string;
}

/** First and last line; `last` is less than `first` where there are no lines. */
interface LineSpan {
  readonly first: number;
  readonly last: number;
}

interface Hunk {
  readonly header: string;
  readonly old: LineSpan;
  readonly new: LineSpan;
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

interface OpenHunk {
  readonly header: string;
  readonly old: LineSpan;
  readonly new: LineSpan;
  readonly lines: DiffLine[];
  oldLine: number;
  newLine: number;
  /** Lines that the hunk's header still promises. */
  oldLeft: number;
  newLeft: number;
}

interface OpenFile {
  from: string;
  to: string;
  isRename: boolean;
  readonly hunks: OpenHunk[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/;

export function parseDiff(diff: string): readonly FileDiff[] {
  const files: OpenFile[] = [];
  const lines = diff.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    const hunk = files.at(-1)?.hunks.at(-1);
    const isInside = hunk !== undefined && (hunk.oldLeft > 0 || hunk.newLeft > 0 || line.startsWith('\\'));
    if (isInside) takeLine(hunk, line);
    else takeHeader(files, line);
  }
  return files.map(finish);
}

function takeLine(hunk: OpenHunk, line: string): void {
  const { oldLine, newLine } = hunk;
  const text = line.slice(1);
  switch (line[0]) {
    case '+':
      hunk.lines.push({ type: 'add', oldLine: null, newLine, text });
      break;
    case '-':
      hunk.lines.push({ type: 'del', oldLine, newLine: null, text });
      break;
    case '\\':
      hunk.lines.push({ type: 'note', oldLine: null, newLine: null, text: text.trim() });
      return;
    default:
      hunk.lines.push({ type: 'same', oldLine, newLine, text });
  }
  if (line[0] !== '+') {
    hunk.oldLine += 1;
    hunk.oldLeft -= 1;
  }
  if (line[0] !== '-') {
    hunk.newLine += 1;
    hunk.newLeft -= 1;
  }
}

function takeHeader(files: OpenFile[], line: string): void {
  const file = files.at(-1);
  const hunk = HUNK.exec(line);
  if (hunk !== null) {
    const [oldLine, oldLeft] = [Number(hunk[1]), Number(hunk[2] ?? 1)];
    const [newLine, newLeft] = [Number(hunk[3]), Number(hunk[4] ?? 1)];
    (file ?? begin(files, '', '')).hunks.push({
      header: (hunk[5] ?? '').trim(),
      old: { first: oldLine, last: oldLine + oldLeft - 1 },
      new: { first: newLine, last: newLine + newLeft - 1 },
      lines: [],
      oldLine,
      newLine,
      oldLeft,
      newLeft,
    });
  } else if (line.startsWith('diff --git ')) {
    const names = /^diff --git a\/(.*) b\/(.*)$/.exec(line);
    begin(files, names?.[1] ?? '', names?.[2] ?? '');
  } else if (line.startsWith('--- ')) {
    const target = file === undefined || file.hunks.length > 0 ? begin(files, '', '') : file;
    target.from = pathOf(line.slice(4), 'a/');
  } else if (line.startsWith('+++ ') && file !== undefined) file.to = pathOf(line.slice(4), 'b/');
  else if (line.startsWith('rename ') && file !== undefined) file.isRename = true;
}

function begin(files: OpenFile[], from: string, to: string): OpenFile {
  const file: OpenFile = { from, to, isRename: false, hunks: [] };
  files.push(file);
  return file;
}

function finish({ from, to, isRename, hunks }: OpenFile): FileDiff {
  const count = (type: DiffLine['type']) =>
    hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.type === type).length, 0);
  const rest = { hunks, added: count('add'), removed: count('del') };
  if (from === '/dev/null') return { path: to, from: null, kind: 'add', ...rest };
  if (to === '/dev/null') return { path: from, from: null, kind: 'delete', ...rest };
  if (isRename && from !== to) return { path: to, from, kind: 'move', ...rest };
  return { path: to === '' ? from : to, from: null, kind: 'update', ...rest };
}

function pathOf(word: string, prefix: string): string {
  const path = word.split('\t', 1)[0] ?? '';
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

const SIGN = { same: ' ', add: '+', del: '-', note: '\\ ' } as const;

/** The hunks as a patch again, for copying. */
export function patchOf({ hunks }: FileDiff): string {
  return hunks.flatMap(({ lines }) => lines.map(({ type, text }) => SIGN[type] + text)).join('\n');
}
