/** How components read the store and act. */
import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { ServerFrame } from '../../contract/ui-event.ts';
import type { Call } from './call.ts';
import type { Commands } from './commands.ts';
import type { Cursor, LinkState } from './connection.ts';
import type { AppState, AppStore } from './store.ts';

export interface App {
  readonly store: AppStore;
  readonly commands: Commands;
  readonly call: Call;
  /** A second conversation takes part in the page's socket, until the returned function is called. */
  attach(pane: PanePort): () => void;
}

export interface PanePort {
  readonly cursor: () => Cursor;
  readonly take: (frames: readonly ServerFrame[]) => void;
  readonly onLink: (link: LinkState) => void;
}

export const AppContext = createContext<App | null>(null);

export function useWhole(): App {
  const app = useContext(AppContext);
  if (app === null) throw new Error('AppContext is missing');
  return app;
}

export function useApp<T>(select: (state: AppState) => T): T {
  return useStore(useWhole().store, select);
}

/** In the conversation that the keys act on; the only one always is. */
export function useIsFocused(): boolean {
  return useApp((state) => state.isBeside === state.isBesideFocused);
}

export function useCommands(): Commands {
  return useWhole().commands;
}

/** For event handlers that must not make a component follow the whole state. */
export function useGetState(): () => AppState {
  return useWhole().store.getState;
}
