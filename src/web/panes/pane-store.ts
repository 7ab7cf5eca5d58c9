/**
 * The store of a conversation beside the first one. What belongs to one conversation is its own; everything else (list, look, drawer,
 * dialogs, notices) is that of the page, read from its store and written there.
 */
import { createStore } from 'zustand/vanilla';
import type { ConversationId } from '../../contract/ids.ts';
import { type AppState, type AppStore, CLOSED_CONVERSATION } from '../state/store.ts';

export interface PaneStore extends AppStore {
  /** The page's news are not heard any more. */
  detach(): void;
}

export function createPaneStore(page: AppStore, openId: ConversationId): PaneStore {
  const own: Partial<AppState> = {
    ...CLOSED_CONVERSATION,
    openId,
    isBeside: true,
    eventNews: 0,
    fileNews: 0,
    outbox: [],
    repeats: new Map(),
    toEdit: null,
  };
  const isOwn = (key: string) => Object.hasOwn(own, key);
  const store = createStore<AppState>(() => ({ ...page.getState(), ...own }));
  const pick = (from: Partial<AppState>, isWanted: (key: string) => boolean): Partial<AppState> =>
    Object.fromEntries(Object.entries(from).filter(([key]) => isWanted(key)));
  const detach = page.subscribe((state) => store.setState(pick(state, (key) => !isOwn(key))));
  const setState: AppStore['setState'] = (change) => {
    const next = typeof change === 'function' ? change(store.getState()) : change;
    const shared = pick(next, (key) => !isOwn(key));
    store.setState(pick(next, isOwn));
    // The page's store tells this one.
    if (Object.keys(shared).length > 0) page.setState(shared);
  };
  return { ...store, setState, detach };
}
