/** Projects: the recent ones, and what new conversations in one start with. */
import type { Result } from '../../contract/result.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import type { CommandPorts } from './command-ports.ts';

export type RecentProject = RouteOutput<'recentProjects'>['projects'][number];
export type StartSettings = RouteOutput<'startSettings'>;

export interface ProjectCommands {
  listProjects(): Promise<readonly RecentProject[]>;
  /** Null for what is no directory path, and while the server cannot be reached. */
  readStart(cwd: string): Promise<StartSettings | null>;
  /** The work trees of the repository that a directory is in; null where it is in none. */
  readWorktrees(cwd: string): Promise<Result<RouteOutput<'listWorktrees'> | null>>;
  /** What runs in each new work tree of the repository from now on; null for nothing. */
  writeSetup(cwd: string, command: string | null): Promise<Result<object>>;
  /** For dialogs that are loaded later: what only they ask of the server needs no command in the first load. */
  readonly ask: CommandPorts['call'];
  /** Null if it was not forgotten; the person has been told why. */
  forgetProject(cwd: string): Promise<StartSettings | null>;
}

export function createProjectCommands({ call, said }: CommandPorts): ProjectCommands {
  return {
    listProjects: async () => {
      const listed = await call('recentProjects', {});
      return listed.ok ? listed.value.projects : [];
    },
    readStart: async (cwd) => {
      const read = await call('startSettings', { cwd });
      return read.ok ? read.value : null;
    },
    readWorktrees: async (cwd) => {
      const read = await call('listWorktrees', { cwd });
      return read.ok && read.value.reason !== null ? { ok: true, value: null } : read;
    },
    writeSetup: (cwd, command) => call('writeWorktreeSetup', { cwd, command }),
    ask: call,
    forgetProject: (cwd) => said(call('forgetProject', { cwd })),
  };
}
