/** The keys that work everywhere on the page: what each does, and how a pressed key is written. Pure. */
import { ACT_IDS, type ActId } from '../../contract/page-names.ts';

export const DEFAULT_KEYS: Readonly<Record<ActId, string>> = {
  palette: 'Ctrl K',
  new: 'Ctrl Shift O',
  find: 'Ctrl Shift F',
  sidebar: 'Ctrl B',
  previous: 'Alt ↑',
  next: 'Alt ↓',
  waiting: 'Alt W',
  previous_prompt: 'Alt Shift ↑',
  next_prompt: 'Alt Shift ↓',
  box: '/',
  box_too: 'Ctrl Shift E',
  end: 'End',
  terminal: 'Ctrl `',
  shell_mode: 'Ctrl Shift `',
  beside: 'Alt B',
  close_beside: 'Alt Shift B',
  settings: 'Ctrl ,',
  shortcuts: '?',
};

/** What a person has changed; an empty text takes the key away. */
export type OwnKeys = Readonly<Partial<Record<ActId, string>>>;

export function keysOf(id: ActId, own: OwnKeys): string {
  return own[id] ?? DEFAULT_KEYS[id];
}

const NAMES: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  ' ': 'Space',
};

interface Pressed {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** A pressed key as it is written; null for a modifier alone. Ctrl is also the key that a Mac calls Command. */
export function keysPressed(event: Pressed): string | null {
  if (['Control', 'Shift', 'Alt', 'Meta', 'Dead', 'Process'].includes(event.key)) return null;
  const hasControl = event.ctrlKey || event.metaKey;
  // With a modifier a key writes another character on many keyboards: the place of the key says which one it is.
  const letter = /^Key([A-Z])$/.exec(event.code)?.[1];
  const isPlain = !hasControl && !event.altKey;
  const name =
    event.code === 'Backquote' && !isPlain
      ? '`'
      : letter !== undefined && !isPlain
        ? letter
        : (NAMES[event.key] ?? (event.key.length === 1 ? event.key.toUpperCase() : event.key));
  // A character that Shift makes, as "?", is named by itself.
  const hasShift = event.shiftKey && (!isPlain || name.length > 1 || /[A-Z]/.test(name));
  return [hasControl && 'Ctrl', event.altKey && 'Alt', hasShift && 'Shift', name].filter(Boolean).join(' ');
}

/** Without Ctrl or Alt a key is a letter of a text. */
export function isForTexts(keys: string): boolean {
  return !/^(?:Ctrl|Alt) /.test(keys);
}

export function actOfKeys(keys: string, own: OwnKeys): ActId | null {
  return ACT_IDS.find((id) => keysOf(id, own) === keys) ?? null;
}
