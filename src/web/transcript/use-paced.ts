/** A growing text, handed on at most every other frame: nobody reads faster, and each step costs a layout and a paint. */
import { useLayoutEffect, useReducer, useRef } from 'react';

/** A little under two frames, so that a late frame does not make it three. */
const SPACING_MS = 30;

export function usePaced(text: string, isLive: boolean): string {
  const held = useRef({ text, at: 0 });
  const [, lookAgain] = useReducer((count: number) => count + 1, 0);
  const now = performance.now();
  const waitMs = SPACING_MS - (now - held.current.at);
  if (!isLive || waitMs <= 0) held.current = { text, at: now };
  const isBehind = held.current.text !== text;
  useLayoutEffect(() => {
    if (!isBehind) return;
    const timer = setTimeout(lookAgain, waitMs);
    return () => clearTimeout(timer);
  });
  return held.current.text;
}
