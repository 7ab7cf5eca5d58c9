/** Whether diffs are shown side by side: one choice for all of them, remembered by this browser. */
import { useSyncExternalStore } from 'react';

const KEY = 'signalbox.diff';
const listeners = new Set<() => void>();
let isSplit = read();

function read(): boolean {
  try {
    return localStorage.getItem(KEY) === 'split';
  } catch {
    return false;
  }
}

function toggle(): void {
  isSplit = !isSplit;
  try {
    localStorage.setItem(KEY, isSplit ? 'split' : 'unified');
  } catch {
    // Storage may be off; then the choice lives as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Two columns of code have no room on a phone. */
const narrow = matchMedia('(max-width: 700px)');

function subscribeNarrow(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}

export interface Split {
  readonly isSplit: boolean;
  /** Null where there is no choice. */
  readonly toggle: (() => void) | null;
}

export function useSplit(): Split {
  const wanted = useSyncExternalStore(subscribe, () => isSplit);
  const isNarrow = useSyncExternalStore(subscribeNarrow, () => narrow.matches);
  return isNarrow ? { isSplit: false, toggle: null } : { isSplit: wanted, toggle };
}
