/** When checkpoints are made around a turn, how long a turn waits for one, and whose changes are whose. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../node/clock.ts';
import { createLogger } from '../../node/logger.ts';
import { CONVERSATION, OTHER, openChangesStand } from '../../testing/changes-stand.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { createChanges } from './changes.ts';
import { createRecorder } from './recorder.ts';
import type { WorkTrees } from './work-trees.ts';

test('[CH6] a turn waits 100 ms for a slow snapshot and then begins; what changes afterwards is late', async () => {
  const stand = await openChangesStand();
  const { trees, store } = stand.parts();
  let open = () => {};
  const opened = new Promise<void>((done) => {
    open = done;
  });
  // A repository that is so large that nothing of it is read before the turn begins.
  const slow: WorkTrees = { ...trees, use: (cwd, task) => opened.then(() => trees.use(cwd, task)) };
  const clock = { ...createManualClock(), now: Date.now };
  const log = createLogger({ level: 'warn', file: join(stand.dir, 'log') });
  const recorder = createRecorder({ trees: slow, store, git: stand.ownGit, cwdOf: () => stand.root, clock, log });
  let hasBegun = false;
  const begun = recorder.beforeTurn(CONVERSATION).then(() => {
    hasBegun = true;
  });
  clock.advance(99);
  await Promise.resolve();
  expect(hasBegun).toBe(false);
  clock.advance(1);
  await begun;
  recorder.note(CONVERSATION, { type: 'turn_started', turnId: 't' });
  stand.write('a.txt', 'the agent was quicker');
  stand.write('new.txt', 'new');
  open();
  await recorder.idle();
  expect(store.list(CONVERSATION).at(-1)?.before.late).toEqual(['a.txt', 'new.txt']);
  recorder.note(CONVERSATION, { type: 'turn_ended', turnId: 't', status: 'completed' });
  await recorder.idle();
  const checkpoint = store.list(CONVERSATION).at(-1);
  const { before, after } = checkpoint ?? {};
  expect(stand.git(['show', `${before?.commit}:a.txt`])).toBe('one\n');
  expect(stand.git(['show', `${after?.commit}:a.txt`])).toBe('the agent was quicker');
  expect(stand.git(['ls-tree', '--name-only', before?.commit ?? '']).trim()).toBe('a.txt');
  expect(stand.git(['ls-tree', '--name-only', after?.commit ?? '']).trim()).toBe('a.txt\nnew.txt');
});

test('[CH6] a late file that the turn changed again is a conflict of its undo', async () => {
  const stand = await openChangesStand();
  const checkpoint = await stand.turn(() => stand.write('a.txt', 'agent'));
  const late = { ...checkpoint, before: { ...checkpoint.before, late: ['a.txt'] } };
  expect(await stand.undo(late)).toMatchObject({
    ok: false,
    error: { code: 'conflict', details: { files: ['a.txt'] } },
  });
});

async function openWhole(stand: Awaited<ReturnType<typeof openChangesStand>>, now = Date.now) {
  return createChanges({
    ownFolders: [],
    folder: stand.folder,
    git: stand.ownGit,
    cwdOf: () => stand.root,
    isBusy: () => false,
    clock: { ...systemClock, now },
    log: createLogger({ level: 'warn', file: join(stand.dir, 'log') }),
  });
}

test('[CH20] two conversations in one work tree: a file that both changed at the same time is labelled', async () => {
  const stand = await openChangesStand();
  const outer = await stand.turn(async () => {
    stand.write('both', '1');
    stand.write('mine', '1');
    await stand.turn(() => [stand.write('both', '2'), stand.write('theirs', '2')], OTHER);
  });
  const changes = await openWhole(stand);
  const shown = await changes.show(CONVERSATION, outer);
  const labels = shown.ok ? shown.value.files.map(({ path, also_changed_by }) => [path, also_changed_by]) : [];
  expect(labels).toEqual([
    ['both', [OTHER]],
    ['mine', []],
    ['theirs', [OTHER]],
  ]);
});

test('[CH9] a start drops old checkpoints with their refs, and survives a repository that is gone', async () => {
  const stand = await openChangesStand();
  await stand.turn(() => stand.write('a.txt', '2'));
  const later = () => Date.now() + 91 * 24 * 3_600_000;
  const changes = await openWhole(stand, later);
  await changes.boot();
  expect(changes.list(CONVERSATION)).toEqual({ ok: true, value: [] });
  expect(stand.git(['for-each-ref', 'refs/signalbox'])).toBe('');
  await stand.reopen();
  await stand.turn(() => stand.write('a.txt', '3'));
  await rm(join(stand.root, '.git'), { recursive: true });
  await writeFile(join(stand.root, '.git'), 'gitdir: /nowhere\n');
  const again = await openWhole(stand, later);
  await again.boot();
  expect(again.list(CONVERSATION)).toEqual({ ok: true, value: [] });
});
