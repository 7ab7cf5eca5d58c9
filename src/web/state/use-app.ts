/** How components read the store and act. */
import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { Commands } from './commands.ts';
import type { AppState, AppStore } from './store.ts';

export interface App {
  readonly store: AppStore;
  readonly commands: Commands;
}

export const AppContext = createContext<App | null>(null);

function useWhole(): App {
  const app = useContext(AppContext);
  if (app === null) throw new Error('AppContext is missing');
  return app;
}

export function useApp<T>(select: (state: AppState) => T): T {
  return useStore(useWhole().store, select);
}

export function useCommands(): Commands {
  return useWhole().commands;
}

/** For event handlers that must not make a component follow the whole state. */
export function useGetState(): () => AppState {
  return useWhole().store.getState;
}
