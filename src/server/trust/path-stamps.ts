/**
 * Notes the state of every path before it is read. Later, `stat` alone tells whether reading them again would find the same: that takes a
 * tenth of the time, and happens before every message.
 */
import type { BigIntStats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { errorCode } from '../../node/atomic-file.ts';

export interface PathStamps {
  /** Noted with size and times: its bytes, or the names in it, count. Null if it cannot be looked at. */
  content(path: string): Promise<BigIntStats | null>;
  /** Noted without size and times: only which file or directory it is counts. */
  identity(path: string): Promise<BigIntStats | null>;
  /** Null if it cannot be resolved. */
  realpath(path: string): Promise<string | null>;
  /** Whether every path is as it was noted. */
  areCurrent(): Promise<boolean>;
}

type Kind = 'content' | 'identity' | 'realpath';

/**
 * A file that was changed this shortly before may be changed again without another time: kernels count them in steps of 4 to 10 ms, some file
 * systems in steps of 2 s. Such notes are never current.
 */
const SETTLED_NS = 2_000_000_000n;

export function createPathStamps(nowMs: () => number): PathStamps {
  const noted: { readonly kind: Kind; readonly path: string; readonly stamp: string }[] = [];
  let isSettled = true;

  const statNoted = async (kind: 'content' | 'identity', path: string): Promise<BigIntStats | null> => {
    const found = await lookAt(path);
    noted.push({ kind, path, stamp: stampOf(kind, found) });
    if (typeof found === 'string') return null;
    if (kind === 'content') {
      const before = BigInt(Math.floor(nowMs())) * 1_000_000n - SETTLED_NS;
      if (found.ctimeNs > before || found.mtimeNs > before) isSettled = false;
    }
    return found;
  };

  return {
    content: (path) => statNoted('content', path),
    identity: (path) => statNoted('identity', path),
    async realpath(path) {
      const resolved = await resolveLinks(path);
      noted.push({ kind: 'realpath', path, stamp: resolved ?? '' });
      return resolved;
    },
    async areCurrent() {
      if (!isSettled) return false;
      const same = await Promise.all(noted.map(async (one) => (await stampNow(one.kind, one.path)) === one.stamp));
      return same.every(Boolean);
    },
  };
}

async function stampNow(kind: Kind, path: string): Promise<string> {
  return kind === 'realpath' ? ((await resolveLinks(path)) ?? '') : stampOf(kind, await lookAt(path));
}

const resolveLinks = (path: string): Promise<string | null> => realpath(path).catch(() => null);

/** The code of the error where it cannot be looked at. Follows links, since whoever reads the path does so too. */
const lookAt = (path: string): Promise<BigIntStats | string> =>
  stat(path, { bigint: true }).catch((error: unknown) => errorCode(error) ?? 'error');

function stampOf(kind: 'content' | 'identity', found: BigIntStats | string): string {
  if (typeof found === 'string') return found;
  const { dev, ino, mode, size, mtimeNs, ctimeNs } = found;
  return kind === 'identity' ? `${dev} ${ino} ${mode}` : `${dev} ${ino} ${mode} ${size} ${mtimeNs} ${ctimeNs}`;
}
