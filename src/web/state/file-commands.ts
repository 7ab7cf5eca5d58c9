/** Files to mention and to look at, and directories to work in. Nothing is said when they cannot be read: the text stays as typed. */
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import type { Call } from './call.ts';
import type { Device } from './device.ts';
import type { AppStore, ShownFile } from './store.ts';

export type Mentioned = RouteOutput<'mention'>;
export type Directories = RouteOutput<'directories'>;

/** Whose files: a conversation's, or a directory's while there is no conversation. */
export type Place = { readonly conversation_id: ConversationId } | { readonly cwd: string };

export interface FileCommands {
  showFile(file: Pick<ShownFile, 'path' | 'line'>): void;
  readFile(id: ConversationId, path: string, fromLine: number, limit: number): Promise<Result<RouteOutput<'readFile'>>>;
  readImage(id: ConversationId, path: string): Promise<Result<RouteOutput<'readImage'>>>;
  mention(where: Place, query: string, picker: string): Promise<Mentioned | null>;
  listDirectories(path: string): Promise<Result<Directories>>;
}

/** Files come first: fewer would leave no place for directories. */
const MAX_PATHS = 200;

/** As the drawer knows it. */
export const FILE_PANEL = 'file';

export function createFileCommands(
  store: AppStore,
  call: Call,
  setDevice: (change: Partial<Device>) => void,
): FileCommands {
  // React numbers pickers alike in each tab, and a question of one tab must not take the place of another's.
  const page = crypto.getRandomValues(new Uint32Array(2)).join('-');
  return {
    showFile: ({ path, line }) => {
      store.setState(({ shownFile }) => ({ shownFile: { path, line, count: (shownFile?.count ?? 0) + 1 } }));
      setDevice({ drawer: FILE_PANEL });
    },
    readFile: (id, path, from_line, limit) => call('readFile', { id, path, from_line, limit }),
    readImage: (id, path) => call('readImage', { id, path }),
    mention: async (where, query, picker) => {
      const found = await call('mention', { ...where, query, picker: `${page}${picker}`, limit: MAX_PATHS });
      return found.ok ? found.value : null;
    },
    listDirectories: (path) => call('directories', { path, limit: 200 }),
  };
}
