/** A copy of this project in another place, as somebody else would have cloned it: its files, its packages, nothing that was built. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './run.mjs';

/** `isOwn`: nothing is shared with this clone, so that the copy can be given to another user. */
export function copyProject(target, { isOwn = false } = {}) {
  mkdirSync(target, { recursive: true });
  for (const name of projectFiles()) {
    mkdirSync(dirname(join(target, name)), { recursive: true });
    cpSync(join(ROOT, name), join(target, name), { verbatimSymlinks: true });
  }
  const from = join(ROOT, 'node_modules');
  const to = join(target, 'node_modules');
  // Hard links take no time and no room, but exist within one file system only.
  if (isOwn || !isDone('cp', ['-al', from, to])) execFileSync('cp', ['-a', from, to]);
}

/** Also what is not committed yet, never what is ignored. */
function projectFiles() {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const listed = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
  const deleted = execFileSync('git', ['ls-files', '-z', '--deleted'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  return listed.filter((name) => !deleted.includes(name));
}

function isDone(command, args) {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    execFileSync('rm', ['-rf', args.at(-1)]);
    return false;
  }
}
