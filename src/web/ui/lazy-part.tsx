/** Components of `later.ts`. Once their code is there they are shown in the same frame, without a fallback. */
import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from 'react';

type Later = typeof import('../later.ts');

/** A page that is never idle, since an answer streams in, still gets its parts within this time. */
const MAX_IDLE_WAIT_MS = 1_000;

let later: Later | null = null;
let loading: Promise<Later> | null = null;
let hasFailed = false;
const listeners = new Set<() => void>();

const getLater = (): Later | null => later;
const getFailed = (): boolean => hasFailed;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Fetches the parts once. A failure is final: browsers keep it, and only a reload of the page asks the server again. */
export function loadLater(): Promise<Later> {
  loading ??= fetchLater();
  return loading;
}

async function fetchLater(): Promise<Later> {
  try {
    later = await import('../later.ts');
    return later;
  } catch (error) {
    hasFailed = true;
    throw error;
  } finally {
    for (const listener of listeners) listener();
  }
}

/** For callers whose part shows the failure by itself. */
function fetchQuietly(): void {
  loadLater().catch(() => {});
}

interface LazyOptions {
  /** Shown until the code is there. */
  readonly fallback?: ReactNode;
  /** The part can wait for the idle moment of the page: mounting it fetches nothing. */
  readonly isPatient?: boolean;
}

export function lazyPart<P extends object>(
  pick: (later: Later) => ComponentType<P>,
  { fallback = null, isPatient = false }: LazyOptions = {},
): ComponentType<P> {
  return function LazyPart(props: P) {
    const parts = useSyncExternalStore(subscribe, getLater, getLater);
    const isLost = useSyncExternalStore(subscribe, getFailed, getFailed);
    useEffect(() => {
      if (!isPatient) fetchQuietly();
    }, []);
    // The error boundary around the part says that it failed.
    if (isLost && !isPatient) throw new Error('the code of this part could not be fetched');
    if (parts === null) return fallback;
    const Part = pick(parts);
    return <Part {...props} />;
  };
}

/** Fetches the parts while the browser has nothing else to do. */
export function preloadParts(): void {
  // Safari has no idle callback; there the parts come after the first screen has been drawn.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(fetchQuietly, { timeout: MAX_IDLE_WAIT_MS });
  else setTimeout(fetchQuietly, MAX_IDLE_WAIT_MS);
}
