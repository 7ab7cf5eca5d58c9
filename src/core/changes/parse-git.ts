/** Reads what git prints with `-z`: differences of trees, lists of files, the status of a work tree. */
import type { ChangedFile, FileSide } from '../../contract/changes.ts';
import { pathText } from './path-text.ts';

/** The fields between NUL bytes, as bytes. */
export function splitNul(output: Uint8Array): Uint8Array[] {
  const fields: Uint8Array[] = [];
  for (let start = 0; start < output.length; ) {
    const found = output.indexOf(0, start);
    const end = found < 0 ? output.length : found;
    fields.push(output.subarray(start, end));
    start = end + 1;
  }
  return fields;
}

const ascii = new TextDecoder('utf-8');
const NO_MODE = '000000';

export type TreeChange = Omit<ChangedFile, 'is_late' | 'also_changed_by'>;

/** Output of `diff-tree -r -z --raw --numstat`: every change, then the lines of every change in the same order. */
export function parseTreeDiff(output: Uint8Array): TreeChange[] {
  const fields = splitNul(output);
  const changes: TreeChange[] = [];
  let at = 0;
  for (; at < fields.length; ) {
    const header = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/.exec(ascii.decode(fields[at]));
    if (header === null) break;
    const [, oldMode = '', newMode = '', oldOid = '', newOid = '', letter = ''] = header;
    const isRename = letter === 'R' || letter === 'C';
    const first = pathText(fields[at + 1] ?? new Uint8Array());
    const path = isRename ? pathText(fields[at + 2] ?? new Uint8Array()) : first;
    at += isRename ? 3 : 2;
    const before = sideOf(oldMode, oldOid);
    const after = sideOf(newMode, newOid);
    const status = statusOf(letter, before, after);
    changes.push({ path, old_path: isRename ? first : null, status, before, after, added: null, removed: null });
  }
  for (let index = 0; at < fields.length; index += 1) {
    const counted = /^(\d+|-)\t(\d+|-)\t/.exec(ascii.decode(fields[at]));
    const change = changes[index];
    if (counted === null || change === undefined) break;
    // A rename has an empty name here, and both names in fields of their own.
    at += change.old_path === null ? 1 : 3;
    changes[index] = { ...change, added: numberOf(counted[1]), removed: numberOf(counted[2]) };
  }
  return changes;
}

const sideOf = (mode: string, oid: string): FileSide | null => (mode === NO_MODE ? null : { mode, oid });

const numberOf = (text: string | undefined): number | null =>
  text === undefined || text === '-' ? null : Number(text);

function statusOf(letter: string, before: FileSide | null, after: FileSide | null): TreeChange['status'] {
  if (before === null) return 'added';
  if (after === null) return 'deleted';
  if (letter === 'R' || letter === 'C') return 'renamed';
  if (letter === 'T') return 'type_changed';
  return before.oid === after.oid ? 'mode_changed' : 'changed';
}

/** One file of an index, as `ls-files -s -t -v -z` prints it. */
export interface IndexEntry {
  readonly path: Uint8Array;
  readonly mode: string;
  readonly oid: string;
  readonly stage: number;
  /** The file is outside a sparse checkout, so it is not on disk on purpose. */
  readonly isSkipped: boolean;
  /** Git was told not to look at the file. */
  readonly isAssumedUnchanged: boolean;
}

export function parseIndex(output: Uint8Array): IndexEntry[] {
  return splitNul(output).flatMap((field) => {
    const tab = field.indexOf(9);
    const header = /^(\S) (\d{6}) ([0-9a-f]+) (\d)$/.exec(ascii.decode(field.subarray(0, tab)));
    if (header === null) return [];
    const [, tag = '', mode = '', oid = '', stage = ''] = header;
    return [
      {
        path: field.subarray(tab + 1),
        mode,
        oid,
        stage: Number(stage),
        isSkipped: tag.toUpperCase() === 'S',
        isAssumedUnchanged: tag !== tag.toUpperCase(),
      },
    ];
  });
}

/** A file that may differ from the index, and the mode and content that the index has for it. */
export interface DirtyPath {
  readonly path: Uint8Array;
  readonly mode: string;
  readonly oid: string;
}

/** Output of `diff-files --raw -z`. */
export function parseDirtyPaths(output: Uint8Array): DirtyPath[] {
  const fields = splitNul(output);
  const dirty: DirtyPath[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const path = fields[at + 1];
    const [mode = '', , oid = ''] = ascii.decode(fields[at]?.subarray(1)).split(' ');
    if (path !== undefined) dirty.push({ path, mode, oid });
  }
  return dirty;
}

/** Attributes by which git converts content between the disk and its objects. */
const CONVERTING = new Set(['text', 'eol', 'crlf', 'filter', 'ident', 'working-tree-encoding']);

interface Attributes {
  /** By git itself or by a filter. */
  readonly isConverted: boolean;
  /** The name of a filter. */
  readonly filter: string | null;
}

/** What `check-attr -z -a` says about conversions, by the text of the path. */
export function parseAttributes(output: Uint8Array): ReadonlyMap<string, Attributes> {
  const fields = splitNul(output);
  const found = new Map<string, Attributes>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path, name, value] = [fields[at], ascii.decode(fields[at + 1]), ascii.decode(fields[at + 2])];
    if (path === undefined || !CONVERTING.has(name) || value === 'unset') continue;
    const isFilter = name === 'filter' && value !== 'set';
    const before = found.get(pathText(path))?.filter ?? null;
    found.set(pathText(path), { isConverted: true, filter: isFilter ? value : before });
  }
  return found;
}

/** Paths whose content git converts. */
export function parseConverted(output: Uint8Array): ReadonlySet<string> {
  return new Set(parseAttributes(output).keys());
}
