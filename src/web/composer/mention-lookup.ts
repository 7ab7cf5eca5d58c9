/** Files for the mention being typed. One question at a time; only the newest is asked again while the project is being listed. */
import type { Mentioned } from '../state/file-commands.ts';
import { createLatest } from '../state/latest.ts';

export interface MentionLookup {
  /** Null: no mention is being typed, and nothing more is told. */
  want(query: string | null): void;
  close(): void;
}

export interface MentionLookupPorts {
  /** Null: the files cannot be read. */
  readonly find: (query: string) => Promise<Mentioned | null>;
  readonly tell: (found: Mentioned | null) => void;
  /** Runs it a moment later, unless what it returns is called first. */
  readonly later: (run: () => void) => () => void;
}

export function createMentionLookup({ find, tell, later }: MentionLookupPorts): MentionLookup {
  let wanted: string | null = null;
  let takeBack = () => {};

  const latest = createLatest(find, (found: Mentioned | null, asked: string) => {
    const isWanted = asked === wanted;
    if (found?.is_stale === true || (found === null && !isWanted)) return;
    tell(found);
    // Asking again for an earlier query would put its answer in the place of the newer one.
    if (isWanted && found?.is_complete === false) takeBack = later(() => latest.ask(asked));
  });

  const want = (query: string | null) => {
    takeBack();
    wanted = query;
    if (query === null) latest.forget();
    else latest.ask(query);
  };
  return { want, close: () => want(null) };
}
