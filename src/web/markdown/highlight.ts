/** Asks the worker for colors. One worker, started at the first wish; without it code stays plain. */
import { useEffect, useState } from 'react';
import type { HighlightAnswer, HighlightAsk } from './highlight-worker.ts';
import workerUrl from './highlight-worker.ts?worker&url';
import type { Run } from './runs.ts';

/** More is data, not code somebody reads. */
const MAX_CHARS = 60_000;
/** Answers kept, so that what scrolls back into view is not asked for again. */
const MAX_KEPT = 200;

const kept = new Map<string, readonly Run[] | null>();
const waiting = new Map<number, (runs: readonly Run[] | null) => void>();
let worker: Worker | null | undefined;
let nextId = 0;

function openWorker(): Worker | null {
  try {
    // Our own file only: the address comes from the build.
    const policy = window.trustedTypes?.createPolicy('signalbox-highlight', { createScriptURL: () => workerUrl });
    const opened = new Worker(policy?.createScriptURL(workerUrl) ?? workerUrl, { type: 'module' });
    opened.onmessage = ({ data }: MessageEvent<HighlightAnswer>) => {
      waiting.get(data.id)?.(data.runs);
      waiting.delete(data.id);
    };
    opened.onerror = () => {
      worker = null;
      for (const answer of waiting.values()) answer(null);
      waiting.clear();
    };
    return opened;
  } catch {
    return null;
  }
}

function highlight(text: string, lang: string): Promise<readonly Run[] | null> {
  const key = `${lang}\n${text}`;
  const known = kept.get(key);
  if (known !== undefined) return Promise.resolve(known);
  worker ??= worker === undefined ? openWorker() : null;
  const target = worker;
  if (target === null) return Promise.resolve(null);
  const id = nextId++;
  return new Promise((done) => {
    waiting.set(id, (runs) => {
      kept.set(key, runs);
      const oldest = kept.keys().next();
      if (kept.size > MAX_KEPT && !oldest.done) kept.delete(oldest.value);
      done(runs);
    });
    target.postMessage({ id, text, lang } satisfies HighlightAsk);
  });
}

/** The runs of a text once they are found; null until then, when it is still growing, and when nothing is known about it. */
export function useHighlight(text: string, lang: string, isWanted: boolean): readonly Run[] | null {
  const [found, setFound] = useState<{ readonly text: string; readonly runs: readonly Run[] | null } | null>(null);
  useEffect(() => {
    if (!isWanted || lang === '' || text.length > MAX_CHARS) return;
    let isStale = false;
    void highlight(text, lang).then((runs) => {
      if (!isStale) setFound({ text, runs });
    });
    return () => {
      isStale = true;
    };
  }, [text, lang, isWanted]);
  return found?.text === text ? found.runs : null;
}
