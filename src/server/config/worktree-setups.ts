/** `worktree_setup.json`: the command that a person wants to run in each new work tree of a repository. Sealed, since it runs without a sandbox. */
import { join } from 'node:path';
import { ok, type Result } from '../../contract/result.ts';
import { WorktreeSetupFile } from '../../contract/worktrees.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import type { Seals } from '../../node/seals.ts';
import { createSerial } from '../../node/serial.ts';
import { storageFailure } from '../storage-failure.ts';

/** Repositories are named by the real path of their git directory: all their work trees have the same command. */
export interface WorktreeSetups {
  of(repository: string): string | null;
  /** Null: nothing runs any more. */
  write(repository: string, command: string | null): Promise<Result<null>>;
}

const FILE = 'worktree_setup.json';
const EMPTY: WorktreeSetupFile = { repositories: [] };
/** More than anybody works in; the oldest are forgotten. */
const MAX_REPOSITORIES = 500;

export async function openWorktreeSetups(home: string, seals: Seals): Promise<WorktreeSetups> {
  const path = join(home, FILE);
  const text = await seals.read(FILE, path);
  let file = WorktreeSetupFile.safeParse(text === null ? EMPTY : parseJson(text)).data ?? EMPTY;
  const changes = createSerial();
  return {
    of: (repository) => file.repositories.find((one) => one.repository === repository)?.command ?? null,
    write: (repository, command) =>
      changes.run(async () => {
        const others = file.repositories.filter((one) => one.repository !== repository);
        const all = [...others, ...(command === null ? [] : [{ repository, command }])];
        const next: WorktreeSetupFile = { repositories: all.slice(-MAX_REPOSITORIES) };
        try {
          await seals.write(FILE, path, JSON.stringify(next));
        } catch (error) {
          return storageFailure(error, 'the set-up command was not saved');
        }
        file = next;
        return ok(null);
      }),
  };
}
