/** Asks the worker for colors. One worker, started at the first wish; without it code stays plain. */
import { useEffect, useState } from 'react';
import type { HighlightAnswer, HighlightAsk } from './highlight-worker.ts';
import workerUrl from './highlight-worker.ts?worker&url';
import type { Run } from './runs.ts';

/** More is data, not code somebody reads. */
const MAX_CHARS = 60_000;
/** Answers kept, so that what scrolls back into view is not asked for again. */
const MAX_KEPT = 200;

/** A text that takes longer is hostile to the highlighter's patterns: its worker is ended, and the text stays plain. */
const MAX_MS = 2_000;
/** After so many ended workers code stays plain until the page is loaded again. */
const MAX_WORKERS = 5;

type Answer = (runs: readonly Run[] | null) => void;

const kept = new Map<string, readonly Run[] | null>();
/** Asked and not answered, in the order in which the worker takes them. */
const waiting = new Map<number, { readonly ask: HighlightAsk; readonly answer: Answer }>();
let worker: Worker | null | undefined;
let workerCount = 0;
let nextId = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Made once: the page's content policy refuses a second policy of the same name. */
type Address = ConstructorParameters<typeof Worker>[0];
let address: Address | undefined;

function addressOf(): Address {
  // Our own file only: the address comes from the build.
  const policy = window.trustedTypes?.createPolicy('signalbox-highlight', { createScriptURL: () => workerUrl });
  return policy?.createScriptURL(workerUrl) ?? workerUrl;
}

function openWorker(): Worker | null {
  try {
    address ??= addressOf();
    const opened = new Worker(address, { type: 'module' });
    opened.onmessage = ({ data }: MessageEvent<HighlightAnswer>) => settle(data.id, data.runs);
    opened.onerror = giveUp;
    workerCount += 1;
    return opened;
  } catch {
    return null;
  }
}

/** Answers one ask; the next in line has the whole time again. */
function settle(id: number, runs: readonly Run[] | null): void {
  waiting.get(id)?.answer(runs);
  waiting.delete(id);
  watch();
}

function watch(): void {
  clearTimeout(timer);
  timer = waiting.size === 0 ? undefined : setTimeout(replaceWorker, MAX_MS);
}

function giveUp(): void {
  worker = null;
  clearTimeout(timer);
  for (const { answer } of waiting.values()) answer(null);
  waiting.clear();
}

/** The first ask in line holds the worker up: it stays plain, and the others go to a new worker. */
function replaceWorker(): void {
  worker?.terminate();
  worker = workerCount < MAX_WORKERS ? openWorker() : null;
  const [stuck] = waiting.keys();
  if (worker === null) giveUp();
  else if (stuck !== undefined) {
    settle(stuck, null);
    for (const { ask } of waiting.values()) worker.postMessage(ask);
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
    const ask: HighlightAsk = { id, text, lang };
    const answer: Answer = (runs) => {
      kept.set(key, runs);
      const oldest = kept.keys().next();
      if (kept.size > MAX_KEPT && !oldest.done) kept.delete(oldest.value);
      done(runs);
    };
    waiting.set(id, { ask, answer });
    target.postMessage(ask);
    if (waiting.size === 1) watch();
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
