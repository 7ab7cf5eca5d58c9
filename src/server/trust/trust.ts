/** Workspace trust: looks at the project configuration of a directory, asks what was decided about it, and says what Codex may load. */
import { createHash } from 'node:crypto';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ProjectFolder, ProjectTrust, TrustDecision } from '../../contract/trust.ts';
import { describeFolder } from '../../core/trust/folder.ts';
import { type ProjectAccess, projectLevels } from '../../core/trust/project-levels.ts';
import { findFolders } from './find-folders.ts';
import { createPathStamps, type PathStamps } from './path-stamps.ts';
import { readFolder } from './read-folder.ts';
import type { TrustStore } from './trust-store.ts';

interface Seen {
  readonly path: string;
  readonly hash: string;
}

interface Project extends ProjectAccess {
  /** Whether reading it again would find the same. Compares the times of the files that were read, and the decisions. */
  isCurrent(): Promise<boolean>;
}

export interface WorkspaceTrust {
  /** What the project of a directory would load, and what was decided about it. */
  check(cwd: string): Promise<ProjectTrust>;
  /** What Codex is told with a thread of this directory. Reads every file. */
  accessOf(cwd: string): Promise<Project>;
  /** Fails with `stale` if a folder is not as the person saw it, `conflict` if it cannot be trusted. */
  decide(cwd: string, decision: TrustDecision['decision'], seen: readonly Seen[]): Promise<Result<ProjectTrust>>;
  decisions(): readonly TrustDecision[];
  /** Forgets what was decided about a path: its configuration is off, and asked about again. Fails with `not_found`. */
  revoke(path: string): Promise<Result<null>>;
}

interface TrustOptions {
  readonly store: TrustStore;
  readonly codexHome: string;
  readonly nowMs: () => number;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export function createWorkspaceTrust({ store, codexHome, nowMs }: TrustOptions): WorkspaceTrust {
  const look = async (
    given: string,
    stamps: PathStamps,
  ): Promise<{ readonly cwd: string; readonly folders: readonly ProjectFolder[] }> => {
    const places = await findFolders(given, codexHome, stamps);
    const read = await Promise.all(places.folders.map(({ path, hooksPath }) => readFolder(path, hooksPath, stamps)));
    const found = read.flatMap((folder) => folder ?? []);
    return { cwd: places.cwd, folders: found.map((folder) => describeFolder(folder, store.decisions(), sha256)) };
  };

  const check = async (given: string): Promise<ProjectTrust> => {
    const { folders } = await look(given, createPathStamps(nowMs));
    const loading = folders.filter((folder) => folder.state !== 'nothing');
    return { cwd: given, must_ask: loading.some((folder) => folder.state === 'unanswered'), folders: loading };
  };

  return {
    check,
    async accessOf(given) {
      const stamps = createPathStamps(nowMs);
      const decisions = store.decisions();
      const { cwd, folders } = await look(given, stamps);
      const trusted = folders.filter((folder) => folder.state === 'trusted');
      const withheld = folders.filter((folder) => folder.state === 'unanswered' || folder.state === 'kept_off');
      return {
        levels: projectLevels([given, cwd], new Set(trusted.map((folder) => folder.path))),
        withheld: withheld.map((folder) => folder.path),
        loads: JSON.stringify(trusted.map(({ path, hash }) => [path, hash])),
        isCurrent: async () => store.decisions() === decisions && (await stamps.areCurrent()),
      };
    },
    async decide(cwd, decision, seen) {
      const { folders } = await check(cwd);
      const chosen = seen.map((one) => folders.find((folder) => folder.path === one.path && folder.hash === one.hash));
      const known = chosen.flatMap((folder) => folder ?? []);
      if (known.length < seen.length)
        return fail('stale', 'the project configuration has changed since it was shown: look at it again');
      const blocked = decision === 'trusted' ? known.find((folder) => folder.blocked !== null) : undefined;
      if (blocked !== undefined) return fail('conflict', `${blocked.path}: ${blocked.blocked}`);
      const saved = await store.add(
        known.map(({ path, hash }) => ({ path, hash, decision, decided_at: new Date(nowMs()).toISOString() })),
      );
      return saved.ok ? ok(await check(cwd)) : saved;
    },
    decisions: store.decisions,
    async revoke(path) {
      if (!store.decisions().some((one) => one.path === path))
        return fail('not_found', `nothing was decided about ${path}: see \`signalbox trust list\``);
      return store.remove([path]);
    },
  };
}
