/** Asks a worker for a drawing. A text that takes too long ends its worker, and with it the drawing. */
import type { DiagramAnswer, DiagramAsk } from './diagram-worker.ts';
import workerUrl from './diagram-worker.ts?worker&url';

const MAX_MS = 10_000;
/** A larger diagram is no picture that anybody reads. */
const MAX_CHARS = 20_000;

let address: ConstructorParameters<typeof Worker>[0] | undefined;

function addressOf(): ConstructorParameters<typeof Worker>[0] {
  // Our own file only: the address comes from the build.
  const policy = window.trustedTypes?.createPolicy('signalbox-diagram', { createScriptURL: () => workerUrl });
  return policy?.createScriptURL(workerUrl) ?? workerUrl;
}

/** The source of an image; null where there is none. An image runs no script and loads nothing, which is all the sandbox it needs. */
export function drawDiagram(text: string, colors: Pick<DiagramAsk, 'bg' | 'fg'>): Promise<string | null> {
  if (text.length > MAX_CHARS) return Promise.resolve(null);
  address ??= addressOf();
  const worker = new Worker(address, { type: 'module' });
  return new Promise((done) => {
    const end = (svg: string | null) => {
      clearTimeout(timer);
      worker.terminate();
      done(svg === null ? null : `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg.toWellFormed())}`);
    };
    const timer = setTimeout(() => end(null), MAX_MS);
    worker.onmessage = ({ data }: MessageEvent<DiagramAnswer>) => end(data.svg);
    worker.onerror = () => end(null);
    worker.postMessage({ text, ...colors } satisfies DiagramAsk);
  });
}
