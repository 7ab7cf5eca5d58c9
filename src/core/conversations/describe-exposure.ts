/** The warning for a conversation whose directory contains the server's home, Codex's home or the folder of `config.toml`. Pure. */
import { isInside } from './settings.ts';

/** Real paths, without symbolic links. */
export interface OwnFolders {
  readonly home: string;
  readonly codexHome: string;
  /** The folder of `config.toml`. */
  readonly configDir: string;
}

/** The `code` of the warning entry. */
export const EXPOSURE_CODE = 'homes_in_directory';

/** Null if the directory contains none of the folders. `cwd` is a real path too. */
export function describeExposure(cwd: string, { home, codexHome, configDir }: OwnFolders): string | null {
  const inside = [
    { name: 'the home of Signalbox', path: home },
    { name: 'the home of Codex', path: codexHome },
    { name: 'the configuration of Signalbox', path: configDir },
  ].filter(({ path }) => isInside(cwd, path));
  if (inside.length === 0) return null;
  const list = inside.map(({ name, path }) => `${name} (${path})`).join(', ');
  return [
    `The directory of this conversation, ${cwd}, contains ${list}.`,
    'Protected: a sandboxed command cannot change these folders, and cannot read the home of Signalbox when it has network. Files that decide about rights (sessions, tokens, trusted projects, settings of conversations, event rules) are sealed: what somebody else writes into them is not used.',
    'Not protected: every other file in this directory, such as the start-up files of your shell; and the folders themselves against a command that you allow outside the sandbox, against No sandbox, and with a Codex that has no permission profiles.',
    'A directory that holds one project only is safer.',
  ].join(' ');
}
