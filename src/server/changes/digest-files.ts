/** Adds the names, rights and contents of files to a hash, so that a change of a hook or a configuration is noticed. */
import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HOOK_NAMES } from '../../core/changes/repository-programs.ts';
import { readRegular } from '../../node/read-regular.ts';

export type Digest = ReturnType<typeof createHash>;

/** Hook managers keep some dozens of scripts. Names of folders count too: a folder can lead into itself. */
const MAX_ENTRIES = 500;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_DEPTH = 4;

interface ReadFile {
  /** Relative to the folder. */
  readonly path: string;
  readonly isProgram: boolean;
}

/** Every file but the samples that git brings. The hooks come first, so that none lies beyond the limit; of what does, the number counts. */
export async function digestFolder(folder: string, digest: Digest): Promise<readonly ReadFile[]> {
  const found: ReadFile[] = [];
  const waiting = [{ prefix: '', depth: 0 }];
  let entries = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { prefix, depth } = next;
    const listed = (await readdir(join(folder, prefix)).catch(() => [])).sort();
    const names = listed.filter((name) => !name.endsWith('.sample'));
    const isHook = (name: string) => depth === 0 && HOOK_NAMES.has(name);
    for (const name of [...names.filter(isHook), ...names.filter((one) => !isHook(one))]) {
      entries += 1;
      if (entries > MAX_ENTRIES) break;
      const path = prefix === '' ? name : `${prefix}/${name}`;
      const stats = await stat(join(folder, path)).catch(() => null);
      if (stats?.isDirectory() && depth < MAX_DEPTH) waiting.push({ prefix: path, depth: depth + 1 });
      if (!stats?.isFile()) continue;
      found.push({ path, isProgram: (stats.mode & 0o111) !== 0 });
      digest.update(`${path}\0${stats.mode}\0`);
      await digestFile(join(folder, path), digest);
    }
    if (entries > MAX_ENTRIES) {
      digest.update(`${names.length} files\0`);
      break;
    }
  }
  return found;
}

export async function digestFile(path: string, digest: Digest): Promise<void> {
  const stats = await stat(path).catch(() => null);
  if (!stats?.isFile()) return;
  // A file this large is no script. Nobody but root can set the time of its last change back.
  const { size, ctimeMs } = stats;
  const content = size > MAX_FILE_BYTES ? null : await readRegular(path, MAX_FILE_BYTES);
  digest.update(
    createHash('sha256')
      .update(content ?? `${size} ${ctimeMs}`)
      .digest(),
  );
}
