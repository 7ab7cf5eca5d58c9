/** An undo that ends in the middle, or meets somebody who changes the same file in the same moment. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ChangesStand, openChangesStand } from '../../testing/changes-stand.ts';

class Crash extends Error {}

const POINTS = ['undo_fresh', 'undo_linked', 'undo_replaced', 'undo_removed', 'undo_write'] as const;

const manyChanges = (stand: ChangesStand) => {
  stand.write('a.txt', 'agent');
  stand.write('b.txt', 'agent');
  stand.write('n/new.txt', 'agent');
  stand.remove('gone.txt');
};

test.each(POINTS)(
  '[CH17] an undo that ends at %s is finished at the next start, with nothing left over',
  async (point) => {
    let isArmed = false;
    const at = (reached: string) => {
      if (isArmed && reached === point) throw new Crash();
    };
    const stand = await openChangesStand({ at });
    stand.write('b.txt', 'b');
    stand.write('gone.txt', 'g');
    const before = stand.tree();
    const checkpoint = await stand.turn(() => manyChanges(stand));
    const after = stand.tree();
    isArmed = true;
    await expect(stand.undo(checkpoint)).rejects.toThrow(Crash);
    isArmed = false;
    await stand.reopen();
    expect(stand.tree()).toEqual(before);
    expect(readdirSync(join(stand.folder, 'journal'))).toEqual([]);
    const made = stand.parts().store.list(checkpoint.conversation_id).at(-1);
    expect(made).toMatchObject({ kind: 'undo', of: checkpoint.id });
    if (made !== undefined) await stand.mustUndo(made);
    expect(stand.tree()).toEqual(after);
  },
);

test('[CH17] a file that somebody changed between the crash and the start keeps that change', async () => {
  let writes = 0;
  const at = (reached: string) => {
    if (reached === 'undo_write' && ++writes === 1) throw new Crash();
  };
  const stand = await openChangesStand({ at });
  stand.write('b.txt', 'b');
  const checkpoint = await stand.turn(() => [stand.write('a.txt', 'agent'), stand.write('b.txt', 'agent')]);
  await expect(stand.undo(checkpoint)).rejects.toThrow(Crash);
  stand.write('b.txt', 'person');
  await stand.reopen();
  expect(stand.tree()).toEqual({ 'a.txt': 'file one\n', 'b.txt': 'file person' });
});

test('[CH17] if a file cannot be written, all files are as they were', async () => {
  const stand = await openChangesStand({
    at: (reached) => {
      if (isArmed && reached === 'undo_linked' && ++count === 2)
        throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    },
  });
  let isArmed = false;
  let count = 0;
  stand.write('b.txt', 'b');
  const checkpoint = await stand.turn(() => [stand.write('a.txt', 'agent'), stand.write('b.txt', 'agent')]);
  const after = stand.tree();
  isArmed = true;
  expect(await stand.undo(checkpoint)).toMatchObject({ ok: false, error: { code: 'storage_failed' } });
  expect(stand.tree()).toEqual(after);
});

test('[CH13] a file that changes in the moment of its replacement keeps its new content', async () => {
  const stand = await openChangesStand({
    at: (reached) => {
      if (reached === 'undo_fresh') writeFileSync(join(stand.root, 'a.txt'), 'typed just now');
    },
  });
  const checkpoint = await stand.turn(() => stand.write('a.txt', 'agent'));
  const { skipped } = await stand.mustUndo(checkpoint);
  expect(skipped).toEqual([{ path: 'a.txt', outcome: 'changed' }]);
  expect(stand.tree()).toEqual({ 'a.txt': 'file typed just now' });
});
