/** How many events go along with the next message of the open conversation. */
import { useEffect, useRef, useState } from 'react';
import { useApp, useCommands } from '../state/use-app.ts';

export function useWaitingEvents(): number {
  const conversationId = useApp((state) => state.openId);
  const threadId = useApp((state) => state.meta?.thread_id ?? null);
  const news = useApp((state) => state.eventNews);
  const { countWaiting } = useCommands();
  const [counted, setCounted] = useState({ threadId: '', count: 0 });
  /** In a flood one question is on its way, and one more is asked when it is answered. */
  const asking = useRef({ isBusy: false, isStale: false });

  // biome-ignore lint/correctness/useExhaustiveDependencies: news may change the count
  useEffect(() => {
    if (conversationId === null || threadId === null) return;
    const state = asking.current;
    const ask = async (): Promise<void> => {
      if (state.isBusy) {
        state.isStale = true;
        return;
      }
      state.isBusy = true;
      const count = await countWaiting({ conversationId, threadId });
      state.isBusy = false;
      if (count !== null) setCounted({ threadId, count });
      if (!state.isStale) return;
      state.isStale = false;
      await ask();
    };
    void ask();
  }, [countWaiting, conversationId, threadId, news]);

  return counted.threadId === threadId ? counted.count : 0;
}
