/** Whether the end of what is asked was in view at some time, and whether there is more below now. */
import { type RefObject, useLayoutEffect, useState } from 'react';
import { isEndShown } from './reading-gate.ts';

export interface Reading {
  readonly wasEndShown: boolean;
  readonly hasMore: boolean;
}

/** `end`: an element behind the last thing that must be seen; null while that is not there yet. */
export function useEndShown(scroller: RefObject<HTMLElement | null>, end: HTMLElement | null): Reading {
  const [reading, setReading] = useState<Reading>({ wasEndShown: false, hasMore: false });
  // Before the first paint, so that a request that is wholly in view can be answered at once.
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const measure = () => {
      const window = { top: 0, bottom: innerHeight };
      const isShown = end !== null && isEndShown(end.getBoundingClientRect(), [box.getBoundingClientRect(), window]);
      const hasMore = box.scrollHeight - box.scrollTop - box.clientHeight > 2;
      setReading((before) => {
        const wasEndShown = before.wasEndShown || isShown;
        return wasEndShown === before.wasEndShown && hasMore === before.hasMore ? before : { wasEndShown, hasMore };
      });
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const element of [box, ...box.children]) observer.observe(element);
    box.addEventListener('scroll', measure, { passive: true });
    addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', measure);
      removeEventListener('resize', measure);
    };
  }, [scroller, end]);
  return reading;
}
