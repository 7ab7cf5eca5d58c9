/** Tells when Codex's login file changes, also by the hand of another program. Says nothing of what is in it. */
import { type FSWatcher, watch } from 'node:fs';
import { loginMark } from './login.ts';

export interface LoginWatch {
  close(): void;
}

/** The directory is watched, since the file may not be there yet and is replaced as a whole. */
export function watchLogin(codexHome: string, onChange: () => void): LoginWatch {
  let mark = loginMark(codexHome);
  let watcher: FSWatcher | null = null;
  const look = (_kind: string, name: string | null) => {
    if (name !== null && name !== 'auth.json') return;
    const now = loginMark(codexHome);
    if (now === mark) return;
    mark = now;
    onChange();
  };
  try {
    watcher = watch(codexHome, { persistent: false }, look);
    // Without it a login made elsewhere shows when the account is next read.
    watcher.on('error', () => watcher?.close());
  } catch {
    // The same.
  }
  return { close: () => watcher?.close() };
}
