/**
 * The trust levels that Codex is given with every thread. Codex looks up the directory of each `.codex` folder, then the project, then the
 * repository. A level for every directory from the working directory to the file system's root leaves no lookup to a file, and no
 * reason for Codex to mark the project as trusted by itself. Pure.
 */

export type ProjectLevels = Readonly<Record<string, 'trusted' | 'untrusted'>>;

/** What Codex is told about the project of a thread. */
export interface ProjectAccess {
  readonly levels: ProjectLevels;
  /** Directories with configuration that must not be loaded: only a Codex that obeys the levels may open a thread there. */
  readonly withheld: readonly string[];
  /** Names what of the project is loaded: a thread that was loaded with another one must be loaded again. */
  readonly loads: string;
}

/** The first version that was seen to obey the levels is 0.95; 0.80 loads every project configuration. */
const OLDEST_MINOR = 95;

/** A version nobody can tell is taken for a new one. */
export function obeysLevels(version: string | null): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  return major === undefined || Number(major) > 0 || Number(minor) >= OLDEST_MINOR;
}

/** The path itself first, the root last. Paths are absolute. */
export function ancestorsOf(path: string): readonly string[] {
  const parts = path.split('/').filter((part) => part !== '');
  return [...parts.map((_part, index) => `/${parts.slice(0, parts.length - index).join('/')}`), '/'];
}

export function projectLevels(paths: readonly string[], trusted: ReadonlySet<string>): ProjectLevels {
  const all = new Set([...paths.flatMap(ancestorsOf), ...trusted]);
  return Object.fromEntries([...all].map((path) => [path, trusted.has(path) ? 'trusted' : 'untrusted'] as const));
}
