/** A real repository in a folder of its own, and the parts that keep and undo what happens to its files. For tests only. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Checkpoint, UndoChoice } from '../contract/changes.ts';
import { systemClock } from '../node/clock.ts';
import { createGit } from '../node/git.ts';
import { createLogger } from '../node/logger.ts';
import { openCheckpointStore } from '../server/changes/checkpoint-store.ts';
import { createRecorder } from '../server/changes/recorder.ts';
import type { SnapshotLimits } from '../server/changes/snapshot.ts';
import { createUndo } from '../server/changes/undo.ts';
import { createWorkTrees } from '../server/changes/work-trees.ts';
import { makeDir } from './box.ts';

export const CONVERSATION = `conv_${'a'.repeat(32)}`;
export const OTHER = `conv_${'b'.repeat(32)}`;

/** Every path below a folder but `.git`, with mode and content; the names are bytes read as Latin-1. */
export function treeOf(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (folder: Buffer, prefix: string) => {
    for (const entry of readdirSync(folder, { encoding: 'buffer' }).sort(Buffer.compare)) {
      const name = entry.toString('latin1');
      if (name === '.git') continue;
      const path = Buffer.concat([folder, Buffer.from('/'), entry]);
      const stats = lstatSync(path);
      if (stats.isDirectory()) walk(path, `${prefix}${name}/`);
      else if (stats.isSymbolicLink()) found[`${prefix}${name}`] = `link ${readlinkSync(path)}`;
      else if (stats.isFile())
        found[`${prefix}${name}`] =
          `${(stats.mode & 0o100) === 0 ? 'file' : 'program'} ${readFileSync(path, 'latin1')}`;
    }
  };
  walk(Buffer.from(root), '');
  return found;
}

export interface StandOptions {
  /** Without it the repository has one commit with `a.txt`. */
  readonly isEmpty?: boolean;
  readonly limits?: SnapshotLimits;
  readonly at?: (point: string) => void;
}

export async function openChangesStand(options: StandOptions = {}) {
  const dir = await makeDir('changes');
  onTestFinished(() => {
    execFileSync('chmod', ['-R', 'u+rwX', dir]);
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  });
  const root = join(dir, 'work');
  mkdirSync(root);
  const env = {
    PATH: process.env.PATH,
    HOME: dir,
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  };
  const git = (args: readonly string[], cwd = root): string =>
    execFileSync('git', [...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }).toString();
  const write = (path: string | Buffer, text: string | Buffer, mode?: number) => {
    const full = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path)]);
    mkdirSync(dirname(full.toString('latin1')), { recursive: true });
    writeFileSync(full, text);
    if (mode !== undefined) chmodSync(full, mode);
  };
  git(['init', '-q', '-b', 'main']);
  if (options.isEmpty !== true) {
    write('a.txt', 'one\n');
    git(['add', '-A']);
    git(['commit', '-q', '-m', 'first']);
  }
  const ownGit = createGit({ ...process.env, HOME: dir });
  const folder = join(dir, 'home', 'changes');
  const log = createLogger({ level: 'warn', file: join(dir, 'log') });
  const openParts = async () => {
    const store = await openCheckpointStore(folder);
    const trees = createWorkTrees({ git: ownGit, folder, limits: options.limits, now: Date.now });
    const cwds = new Map<string, string>();
    const recorder = createRecorder({
      trees,
      store,
      git: ownGit,
      cwdOf: (id) => cwds.get(id) ?? root,
      clock: systemClock,
      log,
    });
    const undo = createUndo({ trees, store, git: ownGit, log, at: options.at });
    return { store, trees, recorder, undo, cwds };
  };
  let parts = await openParts();
  let turns = 0;

  /** One turn of a conversation that changes files. */
  const turn = async (change: () => unknown, id = CONVERSATION): Promise<Checkpoint> => {
    turns += 1;
    const turnId = `turn-${turns}`;
    await parts.recorder.beforeTurn(id);
    parts.recorder.note(id, { type: 'turn_started', turnId });
    // Tests of slow snapshots use the recorder itself; here the snapshot is whole before the agent acts.
    await parts.recorder.idle();
    await change();
    parts.recorder.note(id, { type: 'turn_ended', turnId, status: 'completed' });
    await parts.recorder.idle();
    const checkpoint = parts.store.list(id).at(-1);
    if (checkpoint === undefined) throw new Error(`no checkpoint was made: ${readFileSync(join(dir, 'log'), 'utf8')}`);
    return checkpoint;
  };

  return {
    dir,
    root,
    folder,
    git,
    ownGit,
    write,
    link: (path: string, target: string) => symlinkSync(target, join(root, path)),
    remove: (path: string) => rmSync(join(root, path), { recursive: true }),
    parts: () => parts,
    turn,
    tree: () => treeOf(root),
    async undo(checkpoint: Checkpoint, choices: Record<string, UndoChoice> = {}) {
      const request = { conversationId: checkpoint.conversation_id, checkpoint, choices, isTrial: false };
      return parts.undo.undo(request);
    },
    async mustUndo(checkpoint: Checkpoint, choices: Record<string, UndoChoice> = {}) {
      const request = { conversationId: checkpoint.conversation_id, checkpoint, choices, isTrial: false };
      const done = await parts.undo.undo(request);
      if (!done.ok) throw new Error(JSON.stringify(done.error));
      return done.value;
    },
    /** As after a restart of the server. */
    async reopen() {
      parts = await openParts();
      await parts.undo.recover();
    },
  };
}

export type ChangesStand = Awaited<ReturnType<typeof openChangesStand>>;
