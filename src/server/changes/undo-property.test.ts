/** Random work of two conversations, a terminal and an editor, with random undos, restores and crashes, against a model of the tree. */
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Checkpoint } from '../../contract/changes.ts';
import { type ChangesStand, CONVERSATION, OTHER, openChangesStand } from '../../testing/changes-stand.ts';

const NAMES = ['a', 'b', 'd/x', 'd/y', 'd/e/z', '"q', 'new\nline'] as const;

type Edit =
  | { readonly do: 'write'; readonly name: (typeof NAMES)[number]; readonly text: string }
  | { readonly do: 'delete'; readonly name: (typeof NAMES)[number] }
  | { readonly do: 'chmod'; readonly name: (typeof NAMES)[number]; readonly isProgram: boolean };

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ do: fc.constant('write' as const), name: fc.constantFrom(...NAMES), text: fc.string({ maxLength: 3 }) }),
  fc.record({ do: fc.constant('delete' as const), name: fc.constantFrom(...NAMES) }),
  fc.record({ do: fc.constant('chmod' as const), name: fc.constantFrom(...NAMES), isProgram: fc.boolean() }),
);

type Step =
  | { readonly do: 'turn'; readonly isOther: boolean; readonly edits: readonly Edit[] }
  /** By a person: no turn of any conversation runs. */
  | { readonly do: 'edit'; readonly edits: readonly Edit[] }
  | { readonly do: 'undo' | 'restore'; readonly which: number; readonly crashAt: number | null }
  | { readonly do: 'restart' };

const edits = fc.array(edit, { minLength: 1, maxLength: 4 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('turn' as const), isOther: fc.boolean(), edits }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), edits }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('undo' as const, 'restore' as const),
      which: fc.nat(20),
      crashAt: fc.option(fc.nat(8)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);

function perform({ root, write }: ChangesStand, one: Edit): void {
  const path = join(root, one.name);
  if (one.do === 'write') write(one.name, one.text);
  else if (!existsSync(path)) return;
  else if (one.do === 'delete') rmSync(path);
  else chmodSync(path, one.isProgram ? 0o755 : 0o644);
}

type Tree = Record<string, string>;

/** What an undo with the choice "older" everywhere makes of the tree: each file the checkpoint changed is as before it. */
function undone(now: Tree, { before, after }: { before: Tree; after: Tree }): Tree {
  const result = { ...now };
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (before[name] === after[name]) continue;
    if (before[name] === undefined) delete result[name];
    else result[name] = before[name];
  }
  return result;
}

class Crash extends Error {}

test('[CH19] the files always equal the model, and every checkpoint can be read', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 7 }), async (steps) => {
      let left: number | null = null;
      const at = () => {
        if (left === null) return;
        left -= 1;
        if (left < 0) throw new Crash();
      };
      const stand = await openChangesStand({ at });
      const known: { checkpoint: Checkpoint; before: Tree; after: Tree }[] = [];
      for (const one of steps) {
        const before = stand.tree();
        if (one.do === 'turn') {
          const work = () => one.edits.forEach((each) => void perform(stand, each));
          const checkpoint = await stand.turn(work, one.isOther ? OTHER : CONVERSATION);
          known.push({ checkpoint, before, after: stand.tree() });
        } else if (one.do === 'edit') one.edits.forEach((each) => void perform(stand, each));
        else if (one.do === 'restart') await stand.reopen();
        else if (known.length > 0) {
          const target = known[one.which % known.length];
          if (target === undefined) continue;
          left = one.crashAt;
          const expected = one.do === 'undo' ? undone(before, target) : target.before;
          const done = await attempt(stand, one.do, target.checkpoint).catch((error: unknown) => {
            if (error instanceof Crash) return null;
            throw error;
          });
          left = null;
          // A crash is followed by a start, which finishes the work.
          if (done === null) await stand.reopen();
          expect(stand.tree()).toEqual(expected);
          const checkpoint = stand.parts().store.list(target.checkpoint.conversation_id).at(-1);
          if (checkpoint !== undefined && !known.some((each) => each.checkpoint.id === checkpoint.id))
            known.push({ checkpoint, before, after: expected });
        }
      }
      for (const { checkpoint, before, after } of known) {
        expect(namesIn(stand, checkpoint.before.commit)).toEqual(namesOf(before));
        if (checkpoint.after !== null) expect(namesIn(stand, checkpoint.after.commit)).toEqual(namesOf(after));
      }
    }),
    // Each run is a hundred git processes. Shrinking would take many minutes; the seed repeats a run.
    { numRuns: Number(process.env.CHANGES_RUNS ?? 6), endOnFailure: true },
  );
});

async function attempt(stand: ChangesStand, what: 'undo' | 'restore', checkpoint: Checkpoint) {
  const request = { conversationId: checkpoint.conversation_id, checkpoint, isTrial: false };
  const choices = Object.fromEntries(NAMES.map((name) => [name.startsWith('"') ? '"\\"q"' : name, 'older' as const]));
  const { undo, restore } = stand.parts().undo;
  const done = await (what === 'undo' ? undo({ ...request, choices }) : restore({ ...request, side: 'before' }));
  if (!done.ok) throw new Error(JSON.stringify(done.error));
  expect(done.value.skipped).toEqual([]);
  return done.value;
}

/** Names and content, as git has them in a commit that a ref holds. */
function namesIn({ git }: ChangesStand, commit: string): string[] {
  expect(git(['for-each-ref', `--points-at=${commit}`, 'refs/signalbox'])).not.toBe('');
  return git(['ls-tree', '-r', '-z', commit])
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const [, mode, oid = '', path] = /^(\d+) blob (\w+)\t(.*)$/s.exec(line) ?? [];
      return `${path} ${mode === '100755' ? 'program' : 'file'} ${git(['cat-file', 'blob', oid])}`;
    })
    .sort();
}

const namesOf = (tree: Tree): string[] =>
  Object.entries(tree)
    .map(([name, content]) => `${name} ${content}`)
    .sort();
