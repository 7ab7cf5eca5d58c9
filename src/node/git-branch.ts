/** The git branch a directory is on, read from git's own files: quicker than a process, and it runs nobody's hooks. */
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Deeper than any project; a loop of links ends here too. */
const MAX_PARENTS = 64;
/** The longest path a system takes, and the words before it. */
const MAX_LINE_BYTES = 4_200;

/** Null outside a repository; the first digits of the commit when no branch is checked out. */
export async function gitBranchOf(cwd: string): Promise<string | null> {
  let dir = resolve(cwd);
  for (let up = 0; up < MAX_PARENTS; up += 1) {
    const head = await headIn(join(dir, '.git'));
    if (head !== null) return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? commitIn(head);
    if (dirname(dir) === dir) return null;
    dir = dirname(dir);
  }
  return null;
}

/** The branch of a linked work tree. Null in a main one, outside a repository, and where no branch is checked out. */
export async function linkedBranchOf(cwd: string): Promise<string | null> {
  let dir = resolve(cwd);
  for (let up = 0; up < MAX_PARENTS; up += 1) {
    const found = await stat(join(dir, '.git')).catch(() => null);
    if (found !== null) {
      // A submodule has such a file too, which names a folder of `modules`.
      const isLinked =
        found.isFile() && /^gitdir: .*\/worktrees\/[^/]+$/.test((await firstLine(join(dir, '.git'))) ?? '');
      return isLinked ? (/^ref: refs\/heads\/(.+)$/.exec((await headIn(join(dir, '.git'))) ?? '')?.[1] ?? null) : null;
    }
    if (dirname(dir) === dir) return null;
    dir = dirname(dir);
  }
  return null;
}

/** Null for a file that is none of git's. */
const commitIn = (head: string): string | null => (/^[0-9a-f]{40,64}$/.test(head) ? head.slice(0, 12) : null);

/** A worktree has a file there that says where its own files are. */
async function headIn(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  if (found === null) return null;
  if (found.isDirectory()) return firstLine(join(path, 'HEAD'));
  const pointer = /^gitdir: (.+)$/.exec((await firstLine(path)) ?? '')?.[1];
  return pointer === undefined ? null : firstLine(join(resolve(dirname(path), pointer), 'HEAD'));
}

/** Of a file and nothing else: a pipe that nobody writes to, or a device that never ends, must not hold up a message. */
async function firstLine(path: string): Promise<string | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null);
  if (file === null) return null;
  try {
    if (!(await file.stat()).isFile()) return null;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_LINE_BYTES), 0, MAX_LINE_BYTES, 0);
    return (buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0] ?? '').trim();
  } catch {
    return null;
  } finally {
    await file.close();
  }
}
