/**
 * Performs the writes of an undo or a restore, one file at a time. A file is replaced only if it has the content the plan saw; one that
 * was changed in the meantime keeps its content, also if the change comes in the same moment. Each write can be repeated after a crash.
 */
import { constants } from 'node:fs';
import { link, open, rename, rmdir, symlink, unlink } from 'node:fs/promises';
import type { FileSide, JournalWrite } from '../../contract/changes.ts';
import { pathBytes } from '../../core/changes/path-text.ts';
import { isSame, recoverWrite } from '../../core/changes/plan-undo.ts';
import { errorCode } from '../../node/atomic-file.ts';
import { type Found, openPlace, type Place, readSide } from './inside-tree.ts';

export interface WriteContext {
  readonly root: string;
  readonly objectFormat: string;
  /** Names the temporary files of one journal. */
  readonly mark: string;
  readonly contentOf: (oid: string) => Promise<Buffer>;
  /** Called between the steps of a write; a test kills the process here. */
  readonly at: (point: string) => void;
}

/** done: has the new content · changed: was changed meanwhile and is as it was · blocked: a folder or a link is in the way. */
export type WriteOutcome = 'done' | 'changed' | 'blocked';

export async function performWrite(context: WriteContext, write: JournalWrite, index: number): Promise<WriteOutcome> {
  const path = pathBytes(write.path);
  if (path === null) return 'blocked';
  const place = await openPlace(context.root, path, write.to !== null);
  // A path whose folder is missing is gone already.
  if (place === null) return write.to === null ? 'done' : 'blocked';
  const names = { fresh: `.signalbox-${context.mark}-${index}.new`, old: `.signalbox-${context.mark}-${index}.old` };
  try {
    await settleOld(context, place, names, write);
    const found = await readSide(place.at(place.name), context.objectFormat);
    const now = sideOf(found);
    if (now === undefined && !(found.kind === 'folder' && write.to !== null)) return 'blocked';
    if (now !== undefined) {
      const left = recoverWrite(write, now);
      if (left !== 'write') return left === 'done' ? 'done' : 'changed';
    }
    const outcome =
      write.to === null
        ? await remove(context, place, names.old, write)
        : await replace(context, place, names, { ...write, to: write.to }, found);
    await place.sync();
    return outcome;
  } finally {
    await unlink(place.at(names.fresh)).catch(() => undefined);
    await place.close();
    if (write.to === null) await removeEmptyFolders(context.root, path);
  }
}

interface Names {
  readonly fresh: string;
  readonly old: string;
}

const sideOf = (found: Found): FileSide | null | undefined =>
  found.kind === 'side' ? found.side : found.kind === 'none' ? null : undefined;

async function replace(
  context: WriteContext,
  place: Place,
  { fresh, old }: Names,
  { from, to }: { readonly from: FileSide | null; readonly to: FileSide },
  found: Found,
): Promise<WriteOutcome> {
  await writeFresh(place.at(fresh), to, await context.contentOf(to.oid), found);
  // A folder that is left empty makes room for a file; one that has anything in it, such as ignored files, stays.
  if (found.kind === 'folder' && !(await succeeds(rmdir(place.at(place.name)), ['ENOTEMPTY', 'EEXIST'])))
    return 'blocked';
  if (from === null || found.kind === 'folder')
    return (await succeeds(link(place.at(fresh), place.at(place.name)), ['EEXIST'])) ? 'done' : 'changed';
  // The file under its second name is what was replaced: only that shows what it was in the moment of the replacement.
  context.at('undo_fresh');
  await link(place.at(place.name), place.at(old));
  context.at('undo_linked');
  await rename(place.at(fresh), place.at(place.name));
  context.at('undo_replaced');
  return putBackIfChanged(context, place, old, from);
}

async function remove(context: WriteContext, place: Place, old: string, { from }: JournalWrite): Promise<WriteOutcome> {
  await rename(place.at(place.name), place.at(old));
  context.at('undo_removed');
  return putBackIfChanged(context, place, old, from);
}

async function putBackIfChanged(
  { objectFormat }: WriteContext,
  place: Place,
  old: string,
  from: FileSide | null,
): Promise<WriteOutcome> {
  const replaced = sideOf(await readSide(place.at(old), objectFormat)) ?? null;
  if (isSame(replaced, from)) {
    await unlink(place.at(old));
    return 'done';
  }
  await rename(place.at(old), place.at(place.name));
  return 'changed';
}

/** After a crash: the second name of a file that was being replaced is removed, or the file goes back if it was not the one of the plan. */
async function settleOld(context: WriteContext, place: Place, { old }: Names, { from }: JournalWrite): Promise<void> {
  const kept = await readSide(place.at(old), context.objectFormat);
  if (kept.kind !== 'side') return;
  const current = await readSide(place.at(place.name), context.objectFormat);
  if (isSame(kept.side, from) && current.kind !== 'none') await unlink(place.at(old));
  else await rename(place.at(old), place.at(place.name));
}

async function writeFresh(path: Buffer, { mode }: FileSide, content: Buffer, found: Found): Promise<void> {
  await unlink(path).catch(() => undefined);
  if (mode === '120000') {
    await symlink(content, path);
    return;
  }
  const isProgram = mode === '100755';
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(path, flags, isProgram ? 0o777 : 0o666);
  try {
    await handle.writeFile(content);
    // Whoever could read and write the file before still can.
    if (found.kind === 'side' && found.stats.isFile()) {
      const rights = found.stats.mode & 0o666;
      await handle.chmod(isProgram ? rights | ((rights & 0o444) >> 2) : rights);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Git has no empty folders: those that a removed file leaves empty go too. */
async function removeEmptyFolders(root: string, path: Uint8Array): Promise<void> {
  for (let end = path.lastIndexOf(0x2f); end > 0; end = path.lastIndexOf(0x2f, end - 1)) {
    const place = await openPlace(root, path.subarray(0, end), false);
    if (place === null) continue;
    try {
      await rmdir(place.at(place.name));
    } catch {
      return;
    } finally {
      await place.close();
    }
  }
}

/** False for a failure with one of these codes; other failures are thrown. */
async function succeeds(task: Promise<unknown>, codes: readonly string[]): Promise<boolean> {
  try {
    await task;
    return true;
  } catch (error) {
    if (codes.includes(errorCode(error))) return false;
    throw error;
  }
}
