/**
 * Gives the files of a new work tree the content that a snapshot of another work tree has, byte for byte, as a restore does: through no link,
 * and never over a file that git does not track. The work tree is nobody's yet, so what was interrupted is made anew instead of finished.
 */
import { randomBytes } from 'node:crypto';
import type { Snapshot } from '../../contract/changes.ts';
import { ok, type Result } from '../../contract/result.ts';
import { planRestore, writesOf } from '../../core/changes/plan-undo.ts';
import { printableLine } from '../../core/text/printable.ts';
import { openBlobs } from './blobs.ts';
import { diffTrees } from './trees.ts';
import type { WorkTrees } from './work-trees.ts';
import { performWrite } from './write-files.ts';

export function placeSnapshot(trees: WorkTrees, root: string, snapshot: Snapshot): Promise<Result<readonly string[]>> {
  return trees.use<readonly string[]>(root, async (open) => {
    const read = await open.read();
    if (!read.ok) return read;
    const files = await diffTrees(open.own, read.value.tree, snapshot.tree, { renames: false });
    if (!files.ok) return files;
    const leftOut = [...snapshot.left_out, ...read.value.left_out].map(({ path }) => path);
    const steps = planRestore(files.value, new Set(leftOut));
    const writes = writesOf(steps);
    const blobs = await openBlobs(
      open.own,
      writes.flatMap(({ to }) => (to === null ? [] : [to.oid])),
    );
    if (!blobs.ok) return blobs;
    const context = {
      root: open.tree.root,
      objectFormat: open.tree.objectFormat,
      mark: randomBytes(4).toString('hex'),
      contentOf: blobs.value.contentOf,
      at: () => undefined,
    };
    const skipped = new Set(snapshot.left_out.map(({ path }) => path));
    for (const { action, path } of steps) if (action === 'not_kept') skipped.add(path);
    for (const [index, write] of writes.entries()) {
      const outcome = await performWrite(context, write, index).catch((error: unknown) => error);
      if (outcome === 'changed' || outcome === 'blocked') skipped.add(write.path);
      else if (outcome !== 'done')
        return {
          ok: false,
          error: { code: 'storage_failed', message: `${write.path} could not be written: ${String(outcome)}` },
        };
    }
    return ok(
      [...skipped].map((path) => `${printableLine(path)} is not as it was after the turn: it could not be kept.`),
    );
  });
}
