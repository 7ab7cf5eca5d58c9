/** Whether an element is near what is in view. Parts of a long answer that are not are held by their height alone. */
import { type RefObject, useEffect, useState } from 'react';

/** A screen: what comes into view is there before. More would be painted at each delta. */
const MARGIN = '900px 0px';

type Listener = (entry: IntersectionObserverEntry) => void;

interface Watch {
  readonly observer: IntersectionObserver;
  readonly listeners: Map<Element, Listener>;
}

const watches = new WeakMap<Element, Watch>();

function watchOf(root: Element): Watch {
  const known = watches.get(root);
  if (known !== undefined) return known;
  const listeners = new Map<Element, Listener>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) listeners.get(entry.target)?.(entry);
    },
    { root, rootMargin: MARGIN },
  );
  const watch = { observer, listeners };
  watches.set(root, watch);
  return watch;
}

export interface Near {
  readonly isNear: boolean;
  /** How tall it was when it was last near; null when it never was. */
  readonly height: number | null;
}

/** Outside a scroller that says so (`data-scroll-root`), and while not `isWatched`, everything is near. */
export function useNear(element: RefObject<Element | null>, isWatched: boolean, isNearAtFirst: boolean): Near {
  const [near, setNear] = useState<Near>({ isNear: isNearAtFirst, height: null });
  useEffect(() => {
    const target = element.current;
    const root = target?.closest('[data-scroll-root]') ?? null;
    if (!isWatched || target === null) return;
    if (root === null) {
      setNear({ isNear: true, height: null });
      return;
    }
    const { observer, listeners } = watchOf(root);
    listeners.set(target, ({ isIntersecting, boundingClientRect, rootBounds }) => {
      // A scroller without size, as in a hidden page, says nothing about what is near.
      if (rootBounds === null || rootBounds.height === 0) return;
      const { height } = boundingClientRect;
      setNear((before) => (before.isNear === isIntersecting ? before : { isNear: isIntersecting, height }));
    });
    observer.observe(target);
    return () => {
      observer.unobserve(target);
      listeners.delete(target);
    };
  }, [element, isWatched]);
  return isWatched ? near : { isNear: true, height: null };
}
