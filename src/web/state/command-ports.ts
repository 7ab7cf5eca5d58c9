/** What commands are made of: the store, the calls, and a place to say what went wrong. */
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import { renderPlace } from '../route.ts';
import type { Call } from './call.ts';
import type { AppStore, Toast } from './store.ts';

export interface CommandPorts {
  readonly store: AppStore;
  readonly call: Call;
  toast(toast: Omit<Toast, 'id'>): void;
  /** The value, or null after the failure was said. */
  said<T>(result: Promise<Result<T>>): Promise<T | null>;
}

/** Toasts on the screen at once, with the one that is added. */
const MAX_TOASTS = 3;

export function createPorts(store: AppStore, call: Call): CommandPorts {
  let lastId = 0;
  const toast = (one: Omit<Toast, 'id'>) => {
    lastId += 1;
    const added = { ...one, id: lastId };
    store.setState((state) => ({ toasts: [...state.toasts.slice(1 - MAX_TOASTS), added] }));
  };
  return {
    store,
    call,
    toast,
    async said(result) {
      const settled = await result;
      if (settled.ok) return settled.value;
      // The person was asked and did not want it: nothing went wrong.
      if (settled.error.code !== 'confirmation_required') toast({ text: settled.error.message, tone: 'error' });
      return null;
    },
  };
}

export function go(conversationId: ConversationId | null): void {
  location.hash = renderPlace({ conversationId });
}
