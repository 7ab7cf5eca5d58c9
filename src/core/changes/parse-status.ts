/** Reads `git status --porcelain=v2 --branch -z`. */
import type { RepositoryStatus, StatusFile } from '../../contract/changes.ts';
import { splitNul } from './parse-git.ts';
import { pathText } from './path-text.ts';

/** What a list shows; the counts are of all. */
const MAX_FILES = 2_000;

const decoder = new TextDecoder('utf-8');

/** Fields before the path, by the first letter of a line. */
const FIELDS: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10 };

export function parseStatus(root: string, output: Uint8Array): RepositoryStatus {
  const headers = new Map<string, string>();
  const files: StatusFile[] = [];
  const counts = { staged: 0, unstaged: 0, untracked: 0, conflicted: 0 };
  const fields = splitNul(output);
  for (let at = 0; at < fields.length; at += 1) {
    const line = fields[at] ?? new Uint8Array();
    const kind = decoder.decode(line.subarray(0, 1));
    if (kind === '#') {
      const [, name = '', value = ''] = /^# (\S+) (.*)$/s.exec(decoder.decode(line)) ?? [];
      headers.set(name, value);
      continue;
    }
    if (kind === '?') {
      counts.untracked += 1;
      files.push({ path: pathText(line.subarray(2)), old_path: null, staged: '.', unstaged: '?' });
      continue;
    }
    const start = pathStart(line, FIELDS[kind] ?? 0);
    if (start === null) continue;
    const [staged = '.', unstaged = '.'] = decoder.decode(line.subarray(2, 4));
    const old = kind === '2' ? fields[at + 1] : undefined;
    if (kind === '2') at += 1;
    if (kind === 'u') counts.conflicted += 1;
    else {
      counts.staged += staged === '.' ? 0 : 1;
      counts.unstaged += unstaged === '.' ? 0 : 1;
    }
    files.push({
      path: pathText(line.subarray(start)),
      old_path: old === undefined ? null : pathText(old),
      staged,
      unstaged,
    });
  }
  const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(headers.get('branch.ab') ?? '') ?? [];
  return {
    root,
    branch: known(headers.get('branch.head'), '(detached)'),
    head: known(headers.get('branch.oid'), '(initial)'),
    upstream: headers.get('branch.upstream') ?? null,
    ahead: ahead === undefined ? null : Number(ahead),
    behind: behind === undefined ? null : Number(behind),
    counts,
    files: files.slice(0, MAX_FILES),
  };
}

const known = (value: string | undefined, none: string): string | null =>
  value === undefined || value === none ? null : value;

/** Behind this many spaces. */
function pathStart(line: Uint8Array, spaces: number): number | null {
  if (spaces === 0) return null;
  let at = -1;
  for (let count = 0; count < spaces; count += 1) {
    at = line.indexOf(0x20, at + 1);
    if (at < 0) return null;
  }
  return at + 1;
}
