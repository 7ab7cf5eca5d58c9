/** How many events go along with the next message of the open conversation. */
import { useEffect, useRef, useState } from 'react';
import { type EventsOf, eventAddress } from '../state/event-commands.ts';
import { useApp, useCommands } from '../state/use-app.ts';

export function useWaitingEvents(): number {
  const conversationId = useApp((state) => state.openId);
  const threadId = useApp((state) => eventAddress(state.meta));
  const news = useApp((state) => state.eventNews);
  const { countWaiting } = useCommands();
  const [counted, setCounted] = useState({ threadId: '', count: 0 });
  /** In a flood one question is on its way, and one more is asked when it is answered: of the conversation that is open then. */
  const asking = useRef<{ isBusy: boolean; next: EventsOf | null }>({ isBusy: false, next: null });

  // biome-ignore lint/correctness/useExhaustiveDependencies: news may change the count
  useEffect(() => {
    const state = asking.current;
    state.next = conversationId === null || threadId === null ? null : { conversationId, threadId };
    const ask = async (): Promise<void> => {
      if (state.isBusy || state.next === null) return;
      const of = state.next;
      state.next = null;
      state.isBusy = true;
      const count = await countWaiting(of);
      state.isBusy = false;
      if (count !== null) setCounted({ threadId: of.threadId, count });
      await ask();
    };
    void ask();
  }, [countWaiting, conversationId, threadId, news]);

  return counted.threadId === threadId ? counted.count : 0;
}
