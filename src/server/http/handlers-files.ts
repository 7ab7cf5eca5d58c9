/** Route id → service call, for the files a conversation works on. No logic. */
import { isAbsolute } from 'node:path';
import { fail, ok } from '../../contract/result.ts';
import type { FILE_ROUTES } from '../../contract/routes-files.ts';
import { isDirectory } from '../../node/path-kind.ts';
import { existingDirectories, listDirectories } from '../files/directories.ts';
import type { HandlersFor, Services } from './services.ts';

export function fileHandlers({ registry, files, selection }: Services): HandlersFor<typeof FILE_ROUTES> {
  return {
    async mention({ conversation_id, cwd, query, limit, picker }, caller) {
      const id = conversation_id ?? (cwd === undefined ? selection.of(caller) : undefined);
      if (id === undefined && cwd === undefined)
        return fail('unknown_conversation', 'no conversation is selected: give conversation_id or cwd');
      const opened = id === undefined ? null : await registry.open(id);
      if (opened?.ok === false) return opened;
      const root = opened?.value.meta().cwd ?? cwd ?? '';
      if (!isAbsolute(root) || !(await isDirectory(root)))
        return fail('missing_cwd', `the directory ${root} does not exist`);
      const found = await files.search({ root, query, limit, picker: picker ?? null });
      if (!found.ok) return found;
      const { isComplete, isStale, indexed } = found.value;
      return ok({ files: [...found.value.files], is_complete: isComplete, is_stale: isStale, indexed });
    },
    async directories({ path, limit }) {
      const listed = await listDirectories(path, limit);
      if (!listed.ok) return listed;
      const newestFirst = [...registry.metas()].sort((a, b) => b.updated_at.localeCompare(a.updated_at));
      const recent = await existingDirectories(newestFirst.map(({ cwd }) => cwd));
      return ok({ ...listed.value, directories: [...listed.value.directories], recent });
    },
  };
}
