/** Paths for the word being typed. Answers come late: one to an earlier word adds what fits, only the answer to this word takes away. */
import { createLatest } from '../state/latest.ts';

export interface FoundPaths {
  /** As they would be typed; a directory ends in a slash. */
  readonly paths: readonly string[];
  /** False when asking again finds more. */
  readonly isWhole: boolean;
}

export interface KnownPaths {
  readonly paths: readonly string[];
  /** The word that was answered last; null when the last answer was to an earlier word. */
  readonly answered: string | null;
}

export interface PathLookup {
  want(word: string): void;
  /** Nothing more is told. */
  close(): void;
}

export interface PathLookupPorts {
  /** Null: nobody can say. */
  readonly find: (word: string) => Promise<FoundPaths | null>;
  readonly tell: (known: KnownPaths) => void;
  /** Runs it a moment later, unless what it returns is called first. */
  readonly later: (run: () => void) => () => void;
}

/** Two answers of the server; whoever has more that fit types another letter. */
const MAX_KNOWN = 400;

export const NO_PATHS: KnownPaths = { paths: [], answered: null };

export function createPathLookup({ find, tell, later }: PathLookupPorts): PathLookup {
  let known = NO_PATHS;
  let wanted = '';
  let takeBack = () => {};

  const latest = createLatest(find, (found: FoundPaths | null, asked: string) => {
    known = learn(known, { found, asked, wanted });
    tell(known);
    if (asked === wanted && found?.isWhole === false) takeBack = later(() => latest.ask(asked));
  });

  return {
    want(word) {
      takeBack();
      wanted = word;
      // A flag is no path.
      if (!word.startsWith('-')) latest.ask(word);
    },
    close() {
      takeBack();
      latest.forget();
    },
  };
}

interface Heard {
  readonly found: FoundPaths | null;
  readonly asked: string;
  readonly wanted: string;
}

function learn(known: KnownPaths, { found, asked, wanted }: Heard): KnownPaths {
  const answered = asked === wanted ? asked : null;
  if (found?.isWhole === true && answered !== null) return { paths: found.paths, answered };
  const fitting = [...known.paths, ...(found?.paths ?? [])].filter((path) => path.startsWith(wanted));
  return { paths: [...new Set(fitting)].slice(0, MAX_KNOWN), answered };
}
