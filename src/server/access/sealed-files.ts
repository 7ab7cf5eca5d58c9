/** Opens the seals of a home, and knows which files carry one. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../node/logger.ts';
import { openSeals, type Seals } from '../../node/seals.ts';

/** Every file whose whole content is sealed; of a conversation a part of the sidecar is. */
const SEALED = [
  'run/sessions.json',
  'tokens.json',
  'trust.json',
  'preferences.json',
  'page.json',
  'project_settings.json',
  'worktree_setup.json',
  'event_rules.json',
];
const FOLDERS = ['conversations', 'trash'];

export function openHomeSeals(options: {
  readonly home: string;
  readonly runDir: string;
  readonly log: Logger;
  readonly now: () => number;
}): Promise<Seals> {
  const { home, log } = options;
  return openSeals({
    ...options,
    hasSealedFiles: () => hasSealedFiles(home),
    onRefused: (name) =>
      log.warn(
        { name },
        'a file that decides about rights was not written by this server, or is an older one: not used',
      ),
    onLost: (name) =>
      log.error(
        { name: `run/${name}` },
        'a file is missing that the seals need: log in again, and choose settings, tokens, trust and event rules again',
      ),
    onError: (error) => log.warn({ error }, 'the newest generations of sealed files were not stored'),
  });
}

async function hasSealedFiles(home: string): Promise<boolean> {
  const sidecars = FOLDERS.map(async (folder) => {
    const names = await readdir(join(home, folder)).catch(() => []);
    return names.map((name) => join(folder, name, 'conversation_meta.json'));
  });
  for (const path of [...SEALED, ...(await Promise.all(sidecars)).flat()]) {
    const text = await readFile(join(home, path), 'utf8').catch(() => '');
    if (/"(?:rights_)?seal"\s*:/.test(text)) return true;
  }
  return false;
}
