/** Acts on Framework Shells. The live list is the panel's own; whatever fails is said. */

import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import type { LogPage, ProjectSpecFile } from '../../contract/shellspec.ts';
import type { Call } from './call.ts';

export interface ShellCommands {
  /** What the project of a conversation offers; null when it failed. */
  readProjectShells(id: ConversationId): Promise<readonly ProjectSpecFile[] | null>;
  /** Starts one shell of a file as it was shown. `changed`: the file says something else by now, and nothing was started. */
  startProjectShell(file: ProjectSpecFile, name: string): Promise<'started' | 'changed' | 'failed'>;
  stopShell(id: string): Promise<void>;
  restartShell(id: string): Promise<void>;
  purgeShell(id: string): Promise<void>;
  /** How many were forgotten; null when it failed. */
  purgeShells(): Promise<number | null>;
  searchShellLog(id: string, text: string): Promise<RouteOutput<'searchShellLogs'> | null>;
  /** The page that ends where the shown text begins. */
  readShellLogBefore(id: string, offset: number): Promise<LogPage | null>;
}

const PAGE_BYTES = 64 * 1024;

export function createShellCommands(
  call: Call,
  said: <T>(result: Promise<Result<T>>) => Promise<T | null>,
): ShellCommands {
  return {
    readProjectShells: async (id) => (await said(call('projectShells', { id })))?.files ?? null,
    async startProjectShell({ file, cwd, sha256 }, shell) {
      const up = await call('upShells', { file, cwd, sha256, shell });
      if (up.ok) return 'started';
      if (up.error.details?.reason === 'changed') return 'changed';
      await said(Promise.resolve(up));
      return 'failed';
    },
    async stopShell(id) {
      await said(call('stopShell', { id }));
    },
    async restartShell(id) {
      await said(call('restartShell', { id }));
    },
    async purgeShell(id) {
      await said(call('purgeShell', { id }));
    },
    async purgeShells() {
      const purged = await said(call('purgeShells', {}));
      return purged?.purged.length ?? null;
    },
    searchShellLog: (id, q) => said(call('searchShellLogs', { id, q })),
    readShellLogBefore: (id, offset) => {
      const from = Math.max(0, offset - PAGE_BYTES);
      return said(call('shellLogs', { id, offset: from, max_bytes: Math.max(1, offset - from) }));
    },
  };
}
