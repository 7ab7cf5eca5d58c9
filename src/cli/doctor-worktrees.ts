/** The doctor's look at linked work trees: which are left over, and the command that removes each. Works without a server, and changes nothing. */
import { existsSync, lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ConversationMeta } from '../contract/conversation.ts';
import { WorktreeRecordFile } from '../contract/worktrees.ts';
import { rowsOfOrphans } from '../core/changes/rows-of-orphans.ts';
import { createGit, type Git } from '../node/git.ts';
import { signalboxHome } from '../node/places.ts';
import { readJson } from '../node/read-json.ts';
import type { Check } from './doctor-checks.ts';

const Place = ConversationMeta.pick({ cwd: true, real_cwd: true });

/** Lines that a person reads; the next look shows the others. */
const MAX_ROWS = 20;
/** Each costs a process of git. */
const MAX_REPOSITORIES = 50;
const GIT_MS = 10_000;

export async function checkWorktrees(home: string, env: NodeJS.ProcessEnv): Promise<readonly Check[]> {
  const git = createGit(env);
  const records = (await readJson(join(home, 'changes', 'worktrees.json'), WorktreeRecordFile))?.worktrees ?? [];
  const { directories, isWhole } = await readDirectories(home);
  const found = new Set(records.map((one) => one.common_dir));
  for (const cwd of new Set(directories)) {
    if (found.size >= MAX_REPOSITORIES) break;
    const commonDir = existsSync(cwd) ? await commonDirOf(git, cwd) : null;
    if (commonDir !== null) found.add(commonDir);
  }
  const lists = new Map<string, Uint8Array>();
  for (const commonDir of [...found].slice(-MAX_REPOSITORIES)) {
    const args = ['worktree', 'list', '--porcelain', '-z'];
    const answer = await git({ cwd: commonDir, args, timeoutMs: GIT_MS });
    if (answer.kind === 'ended' && answer.code === 0) lists.set(commonDir, answer.stdout);
  }
  const rows = rowsOfOrphans({
    lists,
    records,
    directories: isWhole ? directories : null,
    isFolder,
    signalbox: home === signalboxHome(undefined, env) ? ['signalbox'] : ['signalbox', '--home', home],
  });
  const code = 'worktrees';
  if (rows.length === 0) return [{ code, status: 'ok', message: 'no linked work tree is left over' }];
  const more = rows.length - MAX_ROWS;
  const checks: Check[] = rows.slice(0, MAX_ROWS).map((row) => ({ code, status: 'warn', ...row }));
  if (more > 0) checks.push({ code, status: 'warn', message: `${more} more: look again when these are removed` });
  return checks;
}

/** Also of conversations in the trash: they can be restored. */
async function readDirectories(home: string): Promise<{ directories: string[]; isWhole: boolean }> {
  const directories: string[] = [];
  let isWhole = true;
  for (const folder of [join(home, 'conversations'), join(home, 'trash')]) {
    for (const name of await readdir(folder).catch(() => [])) {
      const file = join(folder, name, 'conversation_meta.json');
      const place = await readJson(file, Place).catch(() => null);
      if (place !== null) directories.push(place.cwd, ...(place.real_cwd === null ? [] : [place.real_cwd]));
      else if (existsSync(file)) isWhole = false;
    }
  }
  return { directories, isWhole };
}

async function commonDirOf(git: Git, cwd: string): Promise<string | null> {
  const answer = await git({ cwd, args: ['rev-parse', '--git-common-dir'], timeoutMs: GIT_MS });
  if (answer.kind !== 'ended' || answer.code !== 0) return null;
  return resolve(cwd, answer.stdout.toString('utf8').replace(/\n$/, ''));
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
