/** Route id → service call, for linked work trees. No logic. */
import { fail, ok, type Result } from '../../contract/result.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import type { WORKTREE_ROUTES } from '../../contract/routes-worktrees.ts';
import { linkedBranchOf } from '../../node/git-branch.ts';
import { expandPath } from '../../node/path-kind.ts';
import type { HandlersFor, Services } from './services.ts';

const NONE = {
  worktrees: [],
  root: null,
  branches: [],
  base: null,
  setup: null,
  included: { files: [], count: 0, warnings: [] },
};

export function worktreeHandlers({
  worktrees,
  preferences,
  registry,
  attempts,
}: Services): HandlersFor<typeof WORKTREE_ROUTES> {
  /** Runs the task with the directory as an absolute path. */
  const within = async <T>(path: string, task: (path: string) => Promise<Result<T>>): Promise<Result<T>> => {
    const full = expandPath(path);
    return full === null ? fail('invalid_request', 'give an absolute path, or one that begins with ~/') : task(full);
  };
  return {
    listWorktrees: ({ cwd }) =>
      within<RouteOutput<'listWorktrees'>>(cwd, async (path) => {
        const listed = await worktrees.list(path);
        if (listed.ok)
          return ok({
            worktrees: [...listed.value.worktrees],
            root: listed.value.root,
            branches: [...listed.value.branches],
            base: listed.value.base,
            included: listed.value.included,
            setup: preferences.setups.of(listed.value.repository),
            reason: null,
          });
        const isOutside = ['not_found', 'missing_cwd', 'conflict'].includes(listed.error.code);
        return isOutside ? ok({ ...NONE, reason: listed.error.message }) : listed;
      }),
    async worktreeBranches() {
      const metas = registry.metas();
      const cwds = [...new Set(metas.map(({ cwd }) => cwd))];
      const found = new Map(await Promise.all(cwds.map(async (cwd) => [cwd, await linkedBranchOf(cwd)] as const)));
      const branches = metas.flatMap(({ conversation_id: id, cwd }) => {
        const branch = found.get(cwd) ?? null;
        return branch === null ? [] : [{ id, branch }];
      });
      return ok({ branches });
    },
    async listAttempts({ id }) {
      const listed = await attempts.list(id);
      return listed.ok ? ok({ attempts: listed.value }) : listed;
    },
    writeWorktreeSetup: ({ cwd, command }) =>
      within(cwd, async (path) => {
        const listed = await worktrees.list(path);
        if (!listed.ok) return listed;
        const written = await preferences.setups.write(listed.value.repository, command);
        return written.ok ? ok({ setup: command }) : written;
      }),
    addWorktree: ({ cwd, ...request }) =>
      within(cwd, async (path) => {
        const added = await worktrees.add({ cwd: path, ...request });
        if (!added.ok) return added;
        const { worktree, copied, warnings } = added.value;
        return ok({ worktree, copied: [...copied], warnings: [...warnings] });
      }),
    finishWorktree: ({ path, ...request }) => within(path, (full) => worktrees.finish({ path: full, ...request })),
    removeWorktree: ({ path, ...request }) => within(path, (full) => worktrees.remove({ path: full, ...request })),
  };
}
