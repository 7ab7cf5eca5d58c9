/**
 * Discards unstaged changes: files or hunks get what the index has, untracked files are removed. The files are kept in a checkpoint first,
 * so a discard is undone like an undo.
 */
import type { FileSide, UndoStep } from '../../contract/changes.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { withoutHunks } from '../../core/changes/hunks.ts';
import { parseIndex } from '../../core/changes/parse-git.ts';
import { pathText } from '../../core/changes/path-text.ts';
import { isSame } from '../../core/changes/plan-undo.ts';
import type { StatusEntry } from '../../core/changes/status-entries.ts';
import { openBlobs } from './blobs.ts';
import { type Conversion, readConversions, refuseFiltered, storeExact, toDisk, toGit } from './conversion.ts';
import { findHunks, readFilePatch } from './index-diff.ts';
import type { OwnGitDir } from './repository.ts';
import { gitFailure, type ReadTree } from './snapshot.ts';
import { changedSince, forgetEntries, readEntries, refuseEntries, type Selection } from './stage.ts';
import type { Undo, UndoResult } from './undo.ts';
import type { ViewMaker } from './view.ts';
import type { OpenTree, WorkTrees } from './work-trees.ts';

export interface DiscardRequest extends Selection {
  readonly conversationId: ConversationId;
  readonly cwd: string;
}

interface DiscardOptions {
  readonly repo: ViewMaker;
  readonly trees: WorkTrees;
  readonly undo: Pick<Undo, 'write'>;
}

export const createDiscard =
  ({ repo, trees, undo }: DiscardOptions) =>
  ({ conversationId, cwd, paths, hunks }: DiscardRequest): Promise<Result<UndoResult>> =>
    trees.use(cwd, async (open) => {
      const { tree, own } = open;
      const entries = await readEntries(repo, tree, paths);
      if (!entries.ok) return entries;
      const refused = refuseEntries(paths, entries.value, 'unstaged');
      if (!refused.ok) return refused;
      const found = paths.flatMap((path) => entries.value.get(path) ?? []);
      const conversions = await readConversions(
        repo,
        tree,
        found.map(({ path }) => path),
      );
      if (!conversions.ok) return conversions;
      const allowed = refuseFiltered(
        found.map(({ path }) => path),
        conversions.value,
      );
      if (!allowed.ok) return allowed;
      const read = await open.read();
      if (!read.ok) return read;
      const kept = refuseNotKept(found, read.value);
      if (!kept.ok) return kept;
      const now = await readSides(own);
      if (!now.ok) return now;
      const steps: UndoStep[] = [];
      for (const entry of found) {
        const path = pathText(entry.path);
        const from = now.value.get(path) ?? null;
        const conversion = conversions.value(path);
        const to =
          hunks === undefined
            ? await wholeTarget(repo, open, path, entry, conversion)
            : await hunkTarget(repo, open, path, { entry, from, hunks, conversion });
        if (!to.ok) return to;
        if (!isSame(from, to.value)) steps.push({ path, action: 'restore', from, to: to.value, beside: null });
      }
      const done = await undo.write(open, { conversationId, kind: 'discard', of: null }, steps, read.value);
      if (!done.ok) return done;
      // A file that is only intended to be added is removed, and its entry would name a file that is gone.
      const skipped = new Set(done.value.skipped.map(({ path }) => path));
      const intended = found.filter(
        ({ kind, index, path }) => kind === 'tracked' && index === null && !skipped.has(pathText(path)),
      );
      const forgotten = hunks === undefined ? await forgetEntries(repo, tree, intended) : ok(null);
      return forgotten.ok ? done : forgotten;
    });

function refuseNotKept(entries: readonly StatusEntry[], read: ReadTree): Result<null> {
  const leftOut = new Map(read.left_out.map(({ path, reason }) => [path, reason]));
  for (const entry of entries) {
    const path = pathText(entry.path);
    const say = (why: string) => fail('conflict', `${path} ${why}, so it cannot be discarded here`, { files: [path] });
    if (entry.kind === 'conflicted') return say('has conflicts that are not resolved');
    if (entry.kind === 'submodule' || entry.index?.mode === '160000')
      return say('is a submodule with files of its own');
    // The discard of a file that is in no checkpoint could not be undone.
    if (leftOut.has(path)) return say(`cannot be kept in a checkpoint (${leftOut.get(path)?.replace('_', ' ')})`);
  }
  return ok(null);
}

/** What the snapshot has: our own index, which was just read. */
async function readSides(own: OwnGitDir): Promise<Result<ReadonlyMap<string, FileSide>>> {
  const answer = await own.run({ args: ['ls-files', '-s', '-t', '-v', '-z'] });
  if (answer.kind !== 'ended' || answer.code !== 0) return gitFailure('ls-files', answer);
  return ok(new Map(parseIndex(answer.stdout).map(({ path, mode, oid }) => [pathText(path), { mode, oid }])));
}

async function wholeTarget(
  repo: ViewMaker,
  { tree, own }: OpenTree,
  path: string,
  { index }: StatusEntry,
  { isConverted }: Conversion,
): Promise<Result<FileSide | null>> {
  // An untracked file, and one that is only intended to be added.
  if (index === null || !isConverted || index.mode === '120000') return ok(index);
  if (path.startsWith('"'))
    return fail('conflict', `${path} is no UTF-8, and git converts its content: discard it with git`);
  const oid = await toDisk(repo, tree, own, path, index.oid);
  return oid.ok ? ok({ mode: index.mode, oid: oid.value }) : oid;
}

interface HunkRequest {
  readonly entry: StatusEntry;
  readonly from: FileSide | null;
  readonly hunks: readonly string[];
  readonly conversion: Conversion;
}

async function hunkTarget(
  repo: ViewMaker,
  open: OpenTree,
  path: string,
  { entry, from, hunks, conversion }: HunkRequest,
): Promise<Result<FileSide | null>> {
  const { tree, own } = open;
  const patch = await readFilePatch(repo, tree, 'unstaged', path);
  if (!patch.ok) return patch;
  const chosen = patch.value === null ? null : findHunks(patch.value, hunks);
  if (patch.value === null || chosen === null) return changedSince(path);
  if (patch.value.isWhole || from === null) return wholeTarget(repo, open, path, entry, conversion);
  // The lines of a hunk are as git would store them.
  const stored = conversion.isConverted ? await storedForm(repo, open, path, from.oid) : ok(from.oid);
  if (!stored.ok) return stored;
  const blobs = await openBlobs(own, [stored.value]);
  if (!blobs.ok) return blobs;
  const content = withoutHunks(await blobs.value.contentOf(stored.value), patch.value.hunks, chosen);
  if (content === null) return changedSince(path);
  const oid = await storeExact(own, content);
  if (!oid.ok) return oid;
  const written = conversion.isConverted ? await toDisk(repo, tree, own, path, oid.value) : oid;
  return written.ok ? ok({ mode: from.mode, oid: written.value }) : written;
}

/** The content as git would store it, if writing that back gives the same file: otherwise other lines than those of the hunk would change. */
async function storedForm(
  repo: ViewMaker,
  { tree, own }: OpenTree,
  path: string,
  oid: string,
): Promise<Result<string>> {
  const blobs = await openBlobs(own, [oid]);
  if (!blobs.ok) return blobs;
  const stored = await toGit(repo, tree, path, await blobs.value.contentOf(oid));
  if (!stored.ok) return stored;
  const back = await toDisk(repo, tree, own, path, stored.value);
  if (!back.ok) return back;
  return back.value === oid
    ? stored
    : fail(
        'conflict',
        `git converts line ends or the encoding of ${path}, and not all of its lines come back the same: discard the whole file`,
      );
}
