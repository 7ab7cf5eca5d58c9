/** Runs when server and Codex can be reached again after they could not; not when they could be all the time. */
import { useEffect, useRef } from 'react';
import { isReachable } from '../state/store.ts';
import { useApp } from '../state/use-app.ts';

export function useOutageEnd(act: () => void): void {
  const isNow = useApp(isReachable);
  const was = useRef(isNow);
  useEffect(() => {
    if (isNow && !was.current) act();
    was.current = isNow;
  });
}
