/**
 * A checkpoint against `git status` and `git stash create` on the same tree in the same run, at 1,000, 10,000 and 100,000 files: the first one,
 * which makes our index, and the next ones. Ten files are changed before each measurement, so all three have the same work.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGit } from '../../dist/node/git.js';
import { createWorkTrees } from '../../dist/server/changes/work-trees.js';
import { median, ms, note, report } from './lib/report.mjs';
import { bench, makeDir } from './lib/stand.mjs';

const SIZES = (process.env.CHANGES_SIZES ?? '1000,10000,100000').split(',').map(Number);
const ROUNDS = 7;
const FILES_EACH = 50;

await bench(async () => {
  for (const size of SIZES) await measure(size);
});

async function measure(size) {
  const dir = await makeDir();
  const root = join(dir, 'work');
  const env = { ...process.env, HOME: dir };
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  const git = (...args) =>
    execFileSync('git', [...identity, ...args], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1 << 30,
    });
  const pathOf = (at) => join(root, `d${Math.floor(at / FILES_EACH)}`, `f${at}.txt`);
  for (let at = 0; at < size; at += 1) {
    if (at % FILES_EACH === 0) mkdirSync(join(root, `d${at / FILES_EACH}`), { recursive: true });
    writeFileSync(pathOf(at), `file ${at}\n`.repeat(20));
  }
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'all');
  git('status');
  const trees = createWorkTrees({ git: createGit(env), folder: join(dir, 'home'), now: Date.now });
  const take = () =>
    trees.use(root, async (open) => {
      const read = await open.read();
      return read.ok ? open.commit(read.value, 'bench') : read;
    });
  const timed = async (task) => {
    const startedAt = performance.now();
    const done = await task();
    if (done?.ok === false) throw new Error(done.error.message);
    return performance.now() - startedAt;
  };
  let edits = 0;
  const edit = () => {
    for (let at = 0; at < 10; at += 1) writeFileSync(pathOf((edits * 97 + at * 31) % size), `edit ${edits} ${at}\n`);
    edits += 1;
  };
  const first = await timed(take);
  const [ours, status, stash] = [[], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    edit();
    status.push(await timed(() => git('--no-optional-locks', 'status', '--porcelain')));
    ours.push(await timed(take));
    stash.push(await timed(() => git('stash', 'create')));
  }
  const name = `changes: a checkpoint of ${size.toLocaleString('en')} files`;
  report({
    name: `${name} against git status`,
    ours: ms(median(ours)),
    baseline: ms(median(status)),
    ratio: median(ours) / median(status),
    goal: ['≤', 1.5],
  });
  report({
    name: `${name} against git stash create`,
    ours: ms(median(ours)),
    baseline: ms(median(stash)),
    ratio: median(ours) / median(stash),
    goal: ['≤', 1],
  });
  note(`the first checkpoint, which makes the index: ${ms(first)}`);
}
