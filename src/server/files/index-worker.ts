/** The thread that holds the indexes: a few directories, the one asked for longest ago forgotten first. Started by file-index.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import type { FromIndex, IndexSetup, ToIndex } from './protocol.ts';
import { createTreeIndex, type TreeIndex } from './tree-index.ts';

/** People work in a few projects at a time; each may hold a million paths. */
const MAX_INDEXES = 4;

const port = parentPort;
const setup: IndexSetup = workerData;
const indexes = new Map<string, TreeIndex>();
/** The newest query of each picker that is not answered yet. */
const newest = new Map<string, number>();

function indexOf(root: string): TreeIndex {
  const found = indexes.get(root) ?? createTreeIndex({ root, rg: setup.rg, now: () => performance.now() });
  indexes.delete(root);
  indexes.set(root, found);
  const [oldest] = indexes.keys();
  if (indexes.size > MAX_INDEXES && oldest !== undefined) {
    indexes.get(oldest)?.close();
    indexes.delete(oldest);
  }
  return found;
}

async function answer({ id, root, query, limit, picker }: ToIndex): Promise<void> {
  const isStale = () => picker !== null && newest.get(picker) !== id;
  const found = await indexOf(root).search(query, limit, isStale);
  if (picker !== null && !isStale()) newest.delete(picker);
  port?.postMessage({ id, answer: found } satisfies FromIndex);
}

port?.on('message', (message: ToIndex) => {
  if (message.picker !== null) newest.set(message.picker, message.id);
  // What has come in meanwhile is heard of before anything is searched.
  setImmediate(() => void answer(message));
});
