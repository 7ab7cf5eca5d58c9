/** The status of the repository of a conversation, read again when the server tells of a change; the panel keeps the watch alive while it is shown. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { RepositoryStatus } from '../../contract/changes.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import { useApp, useCommands } from '../state/use-app.ts';

type RepositoryState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'none'; readonly reason: string }
  /** `version` grows with every reading: open differences are read again. */
  | { readonly kind: 'ready'; readonly status: RepositoryStatus; readonly version: number };

type Coverage = RouteOutput<'watchChanges'>['coverage'];

/** The server watches for 90 seconds after each call. */
const RENEW_MS = 30_000;

export interface Repository {
  readonly state: RepositoryState;
  readonly coverage: Coverage | null;
  reload(): Promise<void>;
}

export function useRepository(id: ConversationId): Repository {
  const { readChanges } = useCommands();
  const [state, setState] = useState<RepositoryState>({ kind: 'loading' });
  const news = useApp((app) => app.fileNews);
  const coverage = useWatch(id);
  // Where not everything is watched, each new entry of the transcript may be the end of a command.
  const entries = useApp((app) => (coverage === 'part' ? app.view.entries.length : 0));
  const reading = useRef<{ isAgain: boolean; done: Promise<void> } | null>(null);
  const isMounted = useRef(true);

  /** One reading at a time: what changes meanwhile is in the next one. */
  const reload = useCallback((): Promise<void> => {
    if (reading.current !== null) {
      reading.current.isAgain = true;
      return reading.current.done;
    }
    const one = { isAgain: false, done: Promise.resolve() };
    const run = async (): Promise<void> => {
      do {
        one.isAgain = false;
        const read = await readChanges({ id });
        if (!isMounted.current) break;
        setState((before) => {
          if (!read.ok) return { kind: 'failed', message: read.error.message };
          const { repository, reason } = read.value;
          if (repository === null) return { kind: 'none', reason: reason ?? '' };
          return { kind: 'ready', status: repository, version: before.kind === 'ready' ? before.version + 1 : 1 };
        });
      } while (one.isAgain);
      reading.current = null;
    };
    reading.current = one;
    one.done = run();
    return one.done;
  }, [id, readChanges]);

  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each piece of news is a reason to read again
  useEffect(() => {
    void reload();
  }, [reload, news, entries]);
  // A page in the background is not watched for: what it missed is read once when it is seen again.
  useEffect(() => {
    const onSeen = () => {
      if (document.visibilityState === 'visible') void reload();
    };
    document.addEventListener('visibilitychange', onSeen);
    return () => document.removeEventListener('visibilitychange', onSeen);
  }, [reload]);
  return { state, coverage, reload };
}

function useWatch(id: ConversationId): Coverage | null {
  const { watchChanges } = useCommands();
  const [coverage, setCoverage] = useState<Coverage | null>(null);
  useEffect(() => {
    let isStale = false;
    const renew = async () => {
      if (document.visibilityState === 'hidden') return;
      const answer = await watchChanges(id);
      if (!isStale && answer.ok) setCoverage(answer.value.coverage);
    };
    void renew();
    const timer = setInterval(() => void renew(), RENEW_MS);
    document.addEventListener('visibilitychange', renew);
    return () => {
      isStale = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', renew);
    };
  }, [id, watchChanges]);
  return coverage;
}
