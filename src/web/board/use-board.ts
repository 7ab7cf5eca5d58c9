/** What the board's panel shows: the newest page, what comes live, older pages, and what a search found. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { BoardMessage } from '../../contract/board.ts';
import { useCommands } from '../state/use-app.ts';
import { followBoard } from './follow-board.ts';
import { mergeMessages, takeFrame } from './merge-messages.ts';

interface Choice {
  readonly query: string;
  readonly topic: string;
}

export interface BoardView {
  readonly messages: readonly BoardMessage[];
  readonly hasMore: boolean;
  readonly status: 'loading' | 'ready' | 'failed';
  readonly isLive: boolean;
  readonly older: () => Promise<void>;
}

const PAGE = 100;
const PAUSE_MS = 200;
const READ_DELAY_MS = 300;

interface Loaded {
  readonly messages: readonly BoardMessage[];
  readonly hasMore: boolean;
  readonly status: BoardView['status'];
}

const LOADING: Loaded = { messages: [], hasMore: false, status: 'loading' };

export function useBoard({ query, topic }: Choice): BoardView {
  const { readBoard, markBoardRead } = useCommands();
  const [loaded, setLoaded] = useState<Loaded>(LOADING);
  const [isLive, setLive] = useState(true);
  const fits = useRef<(message: BoardMessage) => boolean>(() => true);
  const last = useRef(0);
  const needle = query.trim().toLowerCase();
  fits.current = (message) =>
    (topic === '' || message.topic === topic) && (needle === '' || message.message.toLowerCase().includes(needle));

  const load = useCallback(
    (before?: number) =>
      readBoard({
        limit: PAGE,
        ...(before !== undefined && { before }),
        ...(topic !== '' && { topic }),
        ...(needle !== '' && { q: needle }),
      }),
    [readBoard, topic, needle],
  );

  useEffect(() => {
    let stop = () => {};
    let isCurrent = true;
    let readTimer: ReturnType<typeof setTimeout> | undefined;
    // Seen means that the page is looked at, not that a tab somewhere holds it.
    const markSoon = () => {
      clearTimeout(readTimer);
      readTimer = setTimeout(() => {
        if (document.visibilityState === 'visible' && last.current > 0) void markBoardRead(last.current);
      }, READ_DELAY_MS);
    };
    const timer = setTimeout(
      async () => {
        const page = await load();
        if (!isCurrent) return;
        if (page === null) {
          setLoaded({ ...LOADING, status: 'failed' });
          return;
        }
        last.current = page.last_num;
        setLoaded({ messages: page.messages, hasMore: page.has_more, status: 'ready' });
        markSoon();
        stop = followBoard({
          after: () => last.current,
          onState: setLive,
          onFrame(frame) {
            if (frame.type === 'message') last.current = Math.max(last.current, frame.message.num);
            if (frame.type === 'message' && !fits.current(frame.message)) return;
            setLoaded((before) => {
              const messages = takeFrame(before.messages, frame);
              const isCut =
                messages.length > 0 && messages[0]?.num !== before.messages[0]?.num && frame.type === 'message';
              return { ...before, messages, hasMore: before.hasMore || (isCut && before.messages.length > 0) };
            });
            markSoon();
          },
        });
      },
      needle === '' ? 0 : PAUSE_MS,
    );
    document.addEventListener('visibilitychange', markSoon);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
      clearTimeout(readTimer);
      document.removeEventListener('visibilitychange', markSoon);
      stop();
    };
  }, [load, needle, markBoardRead]);

  async function older(): Promise<void> {
    const page = await load(loaded.messages[0]?.num);
    if (page === null) return;
    setLoaded((before) => ({
      ...before,
      hasMore: page.has_more,
      messages: mergeMessages(page.messages, before.messages),
    }));
  }

  return { ...loaded, isLive, older };
}
