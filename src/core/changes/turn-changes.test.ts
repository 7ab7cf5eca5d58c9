/** What the row of a turn says, over chains of undos and restores. */
import { expect, test } from 'vitest';
import { Checkpoint, type UndoStep } from '../../contract/changes.ts';
import { changesOfTurn, sortSteps } from './turn-changes.ts';

const tree = (name: string) => name.repeat(40).slice(0, 40);
const snapshot = (name: string) => ({ commit: tree('c'), tree: tree(name), at: '', late: [], left_out: [] });

let count = 0;
function checkpoint(
  kind: Checkpoint['kind'],
  of: Checkpoint | null = null,
  sides: readonly [string, string | null] = ['a', 'b'],
): Checkpoint {
  count += 1;
  return Checkpoint.parse({
    id: `chk_${String(count).padStart(16, '0')}`,
    conversation_id: `conv_${'0'.repeat(32)}`,
    number: count,
    kind,
    turn_id: kind === 'turn' ? 't1' : null,
    of: of?.id ?? null,
    root: '/r',
    before: snapshot(sides[0]),
    after: sides[1] === null ? null : snapshot(sides[1]),
  });
}

test('[CH40] a turn has a row if its checkpoint is finished and its trees differ', () => {
  expect(changesOfTurn([checkpoint('turn', null, ['a', 'a'])], 't1')).toBeNull();
  expect(changesOfTurn([checkpoint('turn', null, ['a', null])], 't1')).toBeNull();
  expect(changesOfTurn([checkpoint('turn')], 't2')).toBeNull();
  const turn = checkpoint('turn');
  expect(changesOfTurn([turn], 't1')).toEqual({ checkpoint: turn, state: 'in_place', target: turn });
});

test('[CH42] every second undo takes the one before it back; an unfinished undo counts for nothing', () => {
  const turn = checkpoint('turn');
  const undo = checkpoint('undo', turn);
  const redo = checkpoint('undo', undo);
  const again = checkpoint('undo', redo);
  expect(changesOfTurn([turn, undo], 't1')).toMatchObject({ state: 'undone', target: undo });
  expect(changesOfTurn([turn, undo, redo], 't1')).toMatchObject({ state: 'in_place', target: turn });
  expect(changesOfTurn([turn, undo, redo, again], 't1')).toMatchObject({ state: 'undone', target: again });
  const second = checkpoint('undo', turn);
  expect(changesOfTurn([turn, undo, redo, second], 't1')).toMatchObject({ state: 'undone', target: second });
  const open = checkpoint('undo', turn, ['a', null]);
  expect(changesOfTurn([turn, open], 't1')).toMatchObject({ state: 'in_place', target: turn });
});

test('[CH43] a restore is named until it is undone', () => {
  const turn = checkpoint('turn');
  const restore = checkpoint('restore', turn);
  expect(changesOfTurn([turn, restore], 't1')).toMatchObject({ state: 'restored', target: restore });
  expect(changesOfTurn([turn, restore, checkpoint('undo', restore)], 't1')).toMatchObject({ state: 'in_place' });
});

test('[CH41] files of a plan are sorted by what happens to them', () => {
  const step = (path: string, action: UndoStep['action']): UndoStep => ({
    path,
    action,
    from: null,
    to: null,
    beside: null,
  });
  const sorted = sortSteps([
    step('a', 'conflict'),
    step('b', 'restore'),
    step('c', 'both'),
    step('d', 'already'),
    step('e', 'not_kept'),
    step('f', 'keep'),
  ]);
  const paths = (steps: readonly UndoStep[]) => steps.map(({ path }) => path).join('');
  expect([sorted.conflicts, sorted.written, sorted.notKept].map(paths)).toEqual(['a', 'bc', 'e']);
});
