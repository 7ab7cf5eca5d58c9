/** Opening a file in the person's own editor: by the address an editor registers, or by a command in the shared terminal. Pure. */
import { joinWords } from '../../core/text/shell-words.ts';

export interface Spot {
  /** Absolute. */
  readonly path: string;
  readonly line: number | null;
}

export type EditorAct =
  | { readonly kind: 'address'; readonly href: string }
  | { readonly kind: 'command'; readonly command: string };

export const EDITORS = [
  { id: 'vscode', name: 'VS Code' },
  { id: 'cursor', name: 'Cursor' },
] as const;

/** Addresses that a browser would run, load or show in place of the page. */
const UNSAFE = /^(?:javascript|data|blob|vbscript|about|file|https?):/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** `choice`: the id of an editor, or a template with `{path}` and `{line}`. Null: the template can do nothing. */
export function editorAct(choice: string, { path, line }: Spot): EditorAct | null {
  if (EDITORS.some(({ id }) => id === choice)) {
    return { kind: 'address', href: `${choice}://file${addressPath(path)}${line === null ? '' : `:${line}`}` };
  }
  const template = choice.trim();
  if (template === '' || UNSAFE.test(template)) return null;
  const isAddress = SCHEME.test(template);
  const shownPath = isAddress ? addressPath(path) : joinWords([path]);
  const filled = template.replaceAll('{path}', () => shownPath).replaceAll('{line}', () => String(line ?? 1));
  return isAddress ? { kind: 'address', href: filled } : { kind: 'command', command: filled };
}

/** `encodeURI` leaves what begins a query or a fragment. */
function addressPath(path: string): string {
  return encodeURI(path).replaceAll('#', '%23').replaceAll('?', '%3F');
}
