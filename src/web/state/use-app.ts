/** How components read the store and act. */
import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { App } from './app.ts';
import type { Commands } from './commands.ts';
import type { AppState } from './store.ts';

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
