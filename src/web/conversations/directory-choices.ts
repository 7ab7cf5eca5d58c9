/** What a directory field offers for what is typed in it. Pure. */
import type { Directories } from '../state/file-commands.ts';

/** Above the tree, not instead of it. */
const MAX_RECENT = 8;

export interface DirectoryChoice {
  readonly kind: 'recent' | 'inside';
  readonly path: string;
  readonly name: string;
}

/** The directory whose content completes the text: all up to its last slash. */
export function parentOf(typed: string): string {
  const text = typed.trim();
  if (text === '' || text === '~') return text;
  const slash = text.lastIndexOf('/');
  return slash < 0 ? '' : text.slice(0, slash + 1);
}

export function directoryChoices(typed: string, listed: Directories | null): readonly DirectoryChoice[] {
  if (listed === null) return [];
  const text = typed.trim();
  const last = text === '~' ? '' : text.slice(text.lastIndexOf('/') + 1).toLowerCase();
  const isBare = !text.includes('/');
  const recent = listed.recent
    .filter((path) => path !== text && path.toLowerCase().includes(isBare ? last : text.toLowerCase()))
    .map((path): DirectoryChoice => ({ kind: 'recent', path, name: path }));
  const inside = listed.directories
    .filter((one) => one.name.toLowerCase().startsWith(last) && (!one.is_hidden || last.startsWith('.')))
    // The directory in the field is no choice, and offering it would cover what is below the field.
    .filter((one) => one.path !== text)
    .map((one): DirectoryChoice => ({ kind: 'inside', path: one.path, name: one.name }));
  return [...recent.slice(0, MAX_RECENT), ...inside];
}

/** Before anything is typed: where one worked before, and what lies beside the directory in the field. */
export function freshChoices(value: string, listed: Directories | null): readonly DirectoryChoice[] {
  if (listed === null) return [];
  const recent = listed.recent.filter((path) => path !== value).slice(0, MAX_RECENT);
  return [
    ...recent.map((path): DirectoryChoice => ({ kind: 'recent', path, name: path })),
    ...listed.directories
      .filter((one) => !one.is_hidden && one.path !== value)
      .map((one): DirectoryChoice => ({ kind: 'inside', path: one.path, name: one.name })),
  ];
}
