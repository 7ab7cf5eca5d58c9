/**
 * The sandboxes of a conversation as permission profiles of Codex. Codex's own words for a sandbox (`workspace-write`) let a command read every
 * file of the user, and write whatever lies below its directory; a profile also names what it may not. So the server's home and Codex's home
 * are read-only for a sandboxed command, also where the working directory contains them, and the server's home is hidden from a command
 * with network. Pure.
 */
import type { Sandbox } from '../../contract/conversation.ts';
import { isRecord } from '../text/is-record.ts';

/** What must stay out of the sandbox. Real paths, without symbolic links. */
export interface ProtectedPaths {
  readonly home: string;
  readonly codexHome: string;
  /** The folder of `config.toml`, which names programs that the server starts. It may not exist. */
  readonly configDir: string;
}

/** `[sandbox_workspace_write]` of the user's config.toml, which a profile replaces and therefore repeats. */
export interface WorkspaceWrite {
  readonly networkAccess: boolean;
  readonly writableRoots: readonly string[];
  readonly excludeTmpdir: boolean;
  readonly excludeSlashTmp: boolean;
}

export const NO_WORKSPACE_WRITE: WorkspaceWrite = {
  networkAccess: false,
  writableRoots: [],
  excludeTmpdir: false,
  excludeSlashTmp: false,
};

const NAMES: Readonly<Record<Sandbox, string | null>> = {
  'read-only': 'signalbox-read-only',
  'workspace-write': 'signalbox-workspace-write',
  // There is no sandbox, so nothing can be kept out of it.
  'danger-full-access': null,
};

/** Null for no sandbox. */
export const profileOf = (sandbox: Sandbox): string | null => NAMES[sandbox];

/** The part of a thread's configuration that defines the profiles. */
export function profilesConfig(paths: ProtectedPaths, cwd: string, own: WorkspaceWrite): Record<string, unknown> {
  const entries = (isOnline: boolean) => protectedEntries(paths, cwd, isOnline);
  const written = Object.fromEntries(own.writableRoots.map((root) => [root, 'write']));
  const temporary = {
    ...(own.excludeTmpdir && { ':tmpdir': 'read' }),
    ...(own.excludeSlashTmp && { ':slash_tmp': 'read' }),
  };
  return {
    permissions: {
      'signalbox-read-only': { extends: ':read-only', filesystem: entries(false), network: { enabled: false } },
      'signalbox-workspace-write': {
        extends: ':workspace',
        filesystem: { ...temporary, ...written, ...entries(own.networkAccess) },
        network: { enabled: own.networkAccess },
      },
    },
    // Codex demands a default beside profiles; every request of ours names the one it means.
    default_permissions: 'signalbox-read-only',
  };
}

/**
 * Denied where a command has network, and could use what it reads; otherwise read-only. Not more, because Codex keeps a command that a person
 * allows to run outside the sandbox inside one as long as its profile denies something: without network, and without sudo.
 */
function protectedEntries(
  { home, codexHome, configDir }: ProtectedPaths,
  cwd: string,
  isOnline: boolean,
): Record<string, string> {
  const sessions = `${codexHome}/sessions`;
  const kept = {
    [codexHome]: 'read',
    [configDir]: 'read',
    // The event tokens and sockets of other conversations, and what was said in them.
    ...(isOnline && !isWithin(cwd, sessions) && { [sessions]: 'deny' }),
  };
  // Below a denied folder Codex allows nothing, so it cannot be the home where the work or Codex's own helpers lie in it.
  if (isWithin(cwd, home)) return { ...kept, [`${home}/run`]: isOnline ? 'deny' : 'read' };
  if (!isOnline) return { ...kept, [home]: 'read' };
  return isWithin(codexHome, home) ? { ...kept, [home]: 'read', [`${home}/run`]: 'deny' } : { ...kept, [home]: 'deny' };
}

/** Whether `path` is `folder` or below it. */
function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** `config/read` → what the user's config says about the sandbox. An older Codex says it under the same names. */
export function readWorkspaceWrite(answer: unknown): WorkspaceWrite {
  const config = isRecord(answer) && isRecord(answer.config) ? answer.config : {};
  const said = isRecord(config.sandbox_workspace_write) ? config.sandbox_workspace_write : {};
  const roots: unknown = said.writable_roots;
  return {
    networkAccess: said.network_access === true,
    writableRoots: Array.isArray(roots) ? roots.filter((root): root is string => typeof root === 'string') : [],
    excludeTmpdir: said.exclude_tmpdir_env_var === true,
    excludeSlashTmp: said.exclude_slash_tmp === true,
  };
}
