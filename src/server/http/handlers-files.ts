/** Route id → service call, for the files a conversation works on. No logic. */
import { isAbsolute } from 'node:path';
import type { ConversationId } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { FILE_ROUTES } from '../../contract/routes-files.ts';
import { expandPath, isDirectory } from '../../node/path-kind.ts';
import type { Caller } from '../caller.ts';
import { isInsideAny } from '../conversations/loosening.ts';
import { existingDirectories, listDirectories } from '../files/directories.ts';
import type { FileIndex } from '../files/file-index.ts';
import type { Root } from '../files/open-inside.ts';
import { type LineWish, readFilePage, readImageFile } from '../files/read-file.ts';
import type { HandlersFor, Services } from './services.ts';

export function fileHandlers(services: Services): HandlersFor<typeof FILE_ROUTES> {
  const { registry, files, ownFolders, selection, preferences } = services;
  /** A token that runs no commands learns nothing of directories that no person has chosen. */
  const mayList = async (caller: Caller, directory: string | null): Promise<boolean> => {
    if (caller.kind === 'session' || (caller.kind === 'token' && caller.scopes.includes('run'))) return true;
    const chosen = [preferences.current().cwd ?? process.cwd(), ...registry.metas().map(({ cwd }) => cwd)];
    return directory !== null && (await isInsideAny(chosen, directory));
  };
  const rootOf = async (id: ConversationId): Promise<Result<Root>> => {
    const opened = await registry.open(id);
    return opened.ok ? ok({ directory: opened.value.meta().cwd, closed: ownFolders }) : opened;
  };
  return {
    async readFile({ id, ...wish }) {
      const root = await rootOf(id);
      return root.ok ? readNamed(root.value, wish, files) : root;
    },
    async readImage({ id, path }) {
      const root = await rootOf(id);
      return root.ok ? ok(await readImageFile(root.value, path)) : root;
    },
    async mention({ conversation_id, cwd, query, limit, picker }, caller) {
      const id = conversation_id ?? (cwd === undefined ? selection.of(caller) : undefined);
      if (id === undefined && cwd === undefined)
        return fail('unknown_conversation', 'no conversation is selected: give conversation_id or cwd');
      const opened = id === undefined ? null : await registry.open(id);
      if (opened?.ok === false) return opened;
      const root = opened?.value.meta().cwd ?? expandPath(cwd ?? '');
      if (opened === null && !(await mayList(caller, root))) return notChosen(cwd ?? '');
      if (root === null || !(await isDirectory(root)))
        return fail('missing_cwd', `the directory ${root ?? cwd} does not exist`);
      const found = await files.search({ root, query, limit, picker: picker ?? null });
      if (!found.ok) return found;
      const { isComplete, isStale, indexed } = found.value;
      return ok({ files: [...found.value.files], is_complete: isComplete, is_stale: isStale, indexed });
    },
    async directories({ path, limit }, caller) {
      if (!(await mayList(caller, path === '' ? null : path))) return notChosen(path);
      const listed = await listDirectories(path, limit);
      if (!listed.ok) return listed;
      const newestFirst = [...registry.metas()].sort((a, b) => b.updated_at.localeCompare(a.updated_at));
      const recent = await existingDirectories(newestFirst.map(({ cwd }) => cwd));
      return ok({ ...listed.value, directories: [...listed.value.directories], recent });
    },
  };
}

const notChosen = (directory: string) =>
  fail('forbidden', `${directory} is in no conversation's directory: a token without the scope run lists only those`, {
    missing_scope: 'run',
  });

/** Enough to see that a name is not the only one of its kind. */
const MAX_NAMESAKES = 20;

/** A path that is not there may be the end of one that is: stack traces and models name files from a subfolder on. */
async function readNamed(root: Root, wish: LineWish, files: FileIndex) {
  const read = await readFilePage(root, wish);
  if (read.ok || read.error.code !== 'not_found' || isAbsolute(wish.path)) return read;
  const end = wish.path.replace(/^(?:\.\/)+/, '');
  const query = { root: root.directory, query: end.slice(0, 400), limit: MAX_NAMESAKES, picker: null };
  const found = await files.search(query);
  const all = found.ok ? found.value.files.filter(({ type, path }) => type === 'file' && path.endsWith(`/${end}`)) : [];
  const [only] = all;
  return only !== undefined && all.length === 1 ? readFilePage(root, { ...wish, path: only.path }) : read;
}
