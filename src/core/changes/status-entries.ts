/** Reads `git status --porcelain=v2 -z --no-renames` with the bytes of each path and what HEAD and the index have: for changes of the index. Pure. */
import type { FileSide } from '../../contract/changes.ts';
import { splitNul } from './parse-git.ts';
import { pathText } from './path-text.ts';

export interface StatusEntry {
  readonly path: Uint8Array;
  /** repository: an untracked folder with a repository of its own. */
  readonly kind: 'tracked' | 'untracked' | 'conflicted' | 'submodule' | 'repository';
  readonly isStaged: boolean;
  readonly isUnstaged: boolean;
  readonly head: FileSide | null;
  /** Null also for a file that is only intended to be added. */
  readonly index: FileSide | null;
}

const decoder = new TextDecoder('latin1');
const SLASH = 0x2f;
const ENTRY = /^1 (.)(.) (.)\S* (\d{6}) (\d{6}) \d{6} ([0-9a-f]+) ([0-9a-f]+) /;
const CONFLICT = /^u .. \S+ (?:\d{6} ){4}(?:[0-9a-f]+ ){3}/;

/** By the text of the path. */
export function parseStatusEntries(output: Uint8Array): ReadonlyMap<string, StatusEntry> {
  const entries = splitNul(output).flatMap((line) => {
    const entry = readEntry(line);
    return entry === null ? [] : [[pathText(entry.path), entry] as const];
  });
  return new Map(entries);
}

function readEntry(line: Uint8Array): StatusEntry | null {
  const text = decoder.decode(line);
  const none = { isStaged: false, isUnstaged: true, head: null, index: null };
  if (text.startsWith('? ')) {
    const path = line.subarray(2);
    if (path.at(-1) === SLASH) return { path: path.subarray(0, -1), kind: 'repository', ...none };
    return { path, kind: 'untracked', ...none };
  }
  const conflict = CONFLICT.exec(text);
  if (conflict !== null) return { path: line.subarray(conflict[0].length), kind: 'conflicted', ...none };
  const found = ENTRY.exec(text);
  if (found === null) return null;
  const [whole, staged, unstaged, sub, headMode = '', indexMode = '', headOid = '', indexOid = ''] = found;
  return {
    path: line.subarray(whole.length),
    kind: sub === 'S' ? 'submodule' : 'tracked',
    isStaged: staged !== '.',
    isUnstaged: unstaged !== '.',
    head: sideOf(headMode, headOid),
    index: sideOf(indexMode, indexOid),
  };
}

const sideOf = (mode: string, oid: string): FileSide | null => (mode === '000000' ? null : { mode, oid });
