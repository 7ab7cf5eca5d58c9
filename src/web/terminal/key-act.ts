/** Keys that are the page's own while the terminal has the focus; every other one is the shell's. Pure. */

export type KeyAct = 'page' | 'previous' | 'next' | 'find' | 'copy';

interface Key {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

export function keyAct(event: Key, hasSelection: boolean): KeyAct | null {
  if (event.altKey) return null;
  const letter = event.key.toLowerCase();
  if (event.metaKey && !event.ctrlKey && letter === 'c') return hasSelection ? 'copy' : null;
  if (!event.ctrlKey || event.metaKey) return null;
  // The way out, and back in: never the shell's, so that nobody is caught.
  if (event.code === 'Backquote') return 'page';
  if (!event.shiftKey) return null;
  if (letter === 'e') return 'page';
  if (letter === 'f') return 'find';
  if (letter === 'c') return 'copy';
  if (event.key === 'ArrowUp') return 'previous';
  return event.key === 'ArrowDown' ? 'next' : null;
}
