/** Hits of a search in one conversation, a page at a time, and which of them is shown. */
import { useEffect, useRef, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import type { Hit } from '../../contract/routes-search.ts';
import { useCommands } from '../state/use-app.ts';

export interface FindState {
  readonly query: string;
  readonly hits: readonly Hit[];
  readonly next: string | null;
  readonly hasUnreadPast: boolean;
  readonly status: 'idle' | 'searching' | 'ready' | 'failed';
}

const NOTHING: FindState = { query: '', hits: [], next: null, hasUnreadPast: false, status: 'idle' };
const PAUSE_MS = 200;

export interface Find {
  readonly state: FindState;
  readonly more: () => Promise<void>;
}

export function useFind(id: ConversationId, query: string): Find {
  const { findText } = useCommands();
  const [state, setState] = useState<FindState>(NOTHING);
  const current = useRef(query);
  current.current = query;

  useEffect(() => {
    if (query === '') {
      setState(NOTHING);
      return;
    }
    let isCurrent = true;
    setState((before) => ({ ...before, status: 'searching' }));
    const timer = setTimeout(async () => {
      const found = await findText(query, { id });
      if (!isCurrent) return;
      setState(
        found === null
          ? { ...NOTHING, query, status: 'failed' }
          : { query, hits: found.hits, next: found.next_before, hasUnreadPast: found.has_unread_past, status: 'ready' },
      );
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [id, query, findText]);

  async function more(): Promise<void> {
    if (state.next === null || state.status !== 'ready') return;
    setState({ ...state, status: 'searching' });
    const found = await findText(query, { id, before: state.next });
    if (current.current !== query) return;
    if (found === null) setState({ ...state, status: 'failed' });
    else setState({ ...state, hits: [...state.hits, ...found.hits], next: found.next_before, status: 'ready' });
  }

  return { state, more };
}
