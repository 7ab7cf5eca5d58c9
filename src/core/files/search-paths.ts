/** A search over a table of paths, in steps so that a newer query can take its place, and narrowing what the query before it left. */
import { NO_MATCH, type Query, scorePath, TOO_LOW } from './match.ts';
import type { PathTable } from './path-table.ts';

interface Found {
  readonly index: number;
  readonly score: number;
}

/** The paths that may fit an earlier query on the same table, so that a longer query need not look at the rest again. */
export interface Narrowed {
  readonly matched: Uint32Array;
  /** Paths the table had then; later ones are looked at as well. */
  readonly upTo: number;
}

export interface PathSearch {
  /** Looks at that many more paths; true when all have been looked at. */
  step(paths: number): boolean;
  /** The best, best first. */
  best(): Found[];
  narrowed(): Narrowed;
}

export function searchPaths(table: PathTable, query: Query, limit: number, before: Narrowed | null): PathSearch {
  const { count } = table;
  const old = before?.matched ?? new Uint32Array(0);
  const fresh = before?.upTo ?? 0;
  const total = old.length + count - fresh;
  const best = createBest(limit, (index) => (table.starts[index + 1] ?? 0) - (table.starts[index] ?? 0));
  let matched = new Uint32Array(Math.min(total, 1024));
  let matches = 0;
  let done = 0;
  return {
    step(paths) {
      const until = Math.min(total, done + paths);
      for (; done < until; done += 1) {
        const index = done < old.length ? (old[done] ?? 0) : fresh + done - old.length;
        const score = scorePath(table, index, query, best.floor());
        if (score === NO_MATCH) continue;
        if (matches === matched.length) {
          const grown = new Uint32Array(Math.min(total, matches * 2));
          grown.set(matched);
          matched = grown;
        }
        matched[matches] = index;
        matches += 1;
        if (score !== TOO_LOW) best.offer(index, score);
      }
      return done === total;
    },
    best: best.list,
    narrowed: () => ({ matched: matched.slice(0, matches), upTo: count }),
  };
}

/** Keeps the `limit` best; of equal ones the shorter, then the earlier. */
function createBest(limit: number, lengthOf: (index: number) => number) {
  const kept: Found[] = [];
  let worst = NO_MATCH;
  const isBetter = (index: number, score: number, than: Found): boolean => {
    if (score !== than.score) return score > than.score;
    const [ours, theirs] = [lengthOf(index), lengthOf(than.index)];
    return ours === theirs ? index < than.index : ours < theirs;
  };
  return {
    offer(index: number, score: number) {
      if (kept.length === limit && score < worst) return;
      const last = kept.at(-1);
      if (kept.length === limit && last !== undefined && !isBetter(index, score, last)) return;
      let [low, high] = [0, kept.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        const there = kept[middle];
        if (there !== undefined && isBetter(index, score, there)) high = middle;
        else low = middle + 1;
      }
      kept.splice(low, 0, { index, score });
      if (kept.length > limit) kept.pop();
      worst = kept.length === limit ? (kept.at(-1)?.score ?? NO_MATCH) : NO_MATCH;
    },
    /** What a path must reach to be kept. */
    floor: () => worst,
    list: () => [...kept],
  };
}
