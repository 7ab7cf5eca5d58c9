/** What commands are made of: the store, the calls, and a place to say what went wrong. */
import type { ConversationId } from '../../contract/ids.ts';
import type { Failure, Result } from '../../contract/result.ts';
import { renderPlace } from '../route.ts';
import { en } from '../strings/en.ts';
import type { Call } from './call.ts';
import type { AppStore, Toast } from './store.ts';

export type Go = (conversationId: ConversationId | null) => void;

export interface CommandPorts {
  readonly store: AppStore;
  readonly call: Call;
  readonly go: Go;
  toast(toast: Omit<Toast, 'id'>): void;
  /** Also offers what cures it, where that is known. */
  sayFailure(failure: Failure): void;
  /** The value, or null after the failure was said. */
  said<T>(result: Promise<Result<T>>): Promise<T | null>;
}

/** Toasts on the screen at once, with the one that is added. */
const MAX_TOASTS = 3;

/** One count for the page: the conversation beside shows its toasts among the others. */
let lastId = 0;

export function createPorts(store: AppStore, call: Call, goTo: Go = go): CommandPorts {
  const toast = (one: Omit<Toast, 'id'>) => {
    lastId += 1;
    const added = { ...one, id: lastId };
    store.setState((state) => ({ toasts: [...state.toasts.slice(1 - MAX_TOASTS), added] }));
  };
  const sayFailure = ({ code, message }: Failure) => {
    const { openId: id } = store.getState();
    if (code === 'thread_unreadable' && id !== null) {
      const action = { label: en.composer.recover, run: () => void said(call('recoverConversation', { id })) };
      toast({ text: message, tone: 'error', action });
    } else toast({ text: message, tone: 'error', isOfOutage: code === 'not_running' });
  };
  async function said<T>(result: Promise<Result<T>>): Promise<T | null> {
    const settled = await result;
    if (settled.ok) return settled.value;
    // The person was asked and did not want it: nothing went wrong.
    if (settled.error.code !== 'confirmation_required') sayFailure(settled.error);
    return null;
  }
  return {
    store,
    call,
    go: goTo,
    toast,
    sayFailure,
    said,
  };
}

export function go(conversationId: ConversationId | null): void {
  location.hash = renderPlace({ conversationId });
}
