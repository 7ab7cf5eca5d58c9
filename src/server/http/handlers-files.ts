/** Route id → service call, for the files a conversation works on. No logic. */
import { fail, ok } from '../../contract/result.ts';
import type { FILE_ROUTES } from '../../contract/routes-files.ts';
import { isDirectory } from '../conversations/messages.ts';
import { existingDirectories, listDirectories } from '../files/directories.ts';
import type { HandlersFor, Services } from './services.ts';

export function fileHandlers({ registry, files, selection }: Services): HandlersFor<typeof FILE_ROUTES> {
  return {
    async mention({ conversation_id, query, limit, picker }, caller) {
      const id = conversation_id ?? selection.of(caller);
      if (id === undefined) return fail('unknown_conversation', 'no conversation is selected: give conversation_id');
      const opened = await registry.open(id);
      if (!opened.ok) return opened;
      const root = opened.value.meta().cwd;
      if (!(await isDirectory(root))) return fail('missing_cwd', `the directory ${root} does not exist`);
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
