/** What the parts of the pane read of an open terminal. */
import { useStore } from 'zustand';
import type { TerminalShown, TerminalView } from './terminal-view.ts';

export function useShown<T>(view: TerminalView, select: (shown: TerminalShown) => T): T {
  return useStore(view.store, select);
}
