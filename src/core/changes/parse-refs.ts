/** Names of branches: reads what `git for-each-ref` prints, shortens refs, and checks a name as `git check-ref-format --branch` does. Pure. */
import type { Branch } from '../../contract/branches.ts';

/** One line per ref, the fields between NUL bytes. Names of refs contain neither newlines nor NUL bytes. */
export const BRANCH_FORMAT = '%(refname)%00%(upstream)%00%(committerdate:unix)%00%(HEAD)%00%(symref)';

/** The last moment that JavaScript can name. A commit can claim any later one. */
const MAX_SECONDS = 8_640_000_000_000;

/** Symbolic refs, such as `refs/remotes/origin/HEAD`, are left out: they name a branch that is listed itself. */
export function parseBranches(output: Uint8Array): Branch[] {
  return new TextDecoder('utf-8')
    .decode(output)
    .split('\n')
    .flatMap((line) => {
      const [ref = '', upstream = '', seconds = '', head = '', symref = ''] = line.split('\0');
      if (ref === '' || symref !== '') return [];
      return [
        {
          ref,
          name: shortName(ref),
          upstream: upstream === '' ? null : upstream,
          at: isoOfSeconds(seconds),
          is_current: head === '*',
        },
      ];
    });
}

/** The time of a commit; the first moment of 1970 for what is no number. */
export function isoOfSeconds(seconds: string): string {
  const at = Math.min(Math.max(Number(seconds) || 0, 0), MAX_SECONDS);
  return new Date(at * 1_000).toISOString();
}

/** `refs/heads/a/b` → `a/b`, `refs/remotes/origin/a` → `origin/a`. Another ref stays as it is. */
export function shortName(ref: string): string {
  return ref.replace(/^refs\/(?:heads|remotes|tags)\//, '');
}

/**
 * The name that a branch has, or would get, in this repository: `refs/heads/a/b` → `a/b`, `refs/remotes/origin/a/b` → `a/b`.
 * Null for a ref that is no branch. A remote whose name has a slash is not recognized; git warns about such names.
 */
export function localBranch(ref: string): string | null {
  return /^refs\/(?:heads|remotes\/[^/]+)\/(.+)$/.exec(ref)?.[1] ?? null;
}

/** A name as long as a file system takes for one component, with room for `.lock`. */
const MAX_NAME_BYTES = 240;
/** Control characters, space, and the characters with a meaning in revisions, refspecs and patterns. */
const REFUSED = /[\u0000-\u0020\u007f~^:?*[\\]/;

/** Whether git takes a name for a new branch. Revisions such as `@{-1}` are no names. */
export function isBranchName(name: string): boolean {
  if (name === '' || name === 'HEAD' || name === '@' || !name.isWellFormed()) return false;
  if (new TextEncoder().encode(name).length > MAX_NAME_BYTES) return false;
  if (REFUSED.test(name) || name.startsWith('-') || name.endsWith('.')) return false;
  if (name.includes('..') || name.includes('@{')) return false;
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}
