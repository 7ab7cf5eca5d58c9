/** A fresh process that opens a log and reads pages of it all over, as the server does. */
import { fileURLToPath } from 'node:url';
import { openAppendLog } from '../../../dist/node/append-log.js';
import { createLogReader } from '../../../dist/node/read-log.js';
import { percentile } from './report.mjs';
import { answerCommands, rssOf } from './stand.mjs';

export const PAGE_READER = fileURLToPath(import.meta.url);

const PAGE = 50;
const PAGES = 200;

async function readPages({ path, entries }) {
  global.gc();
  const before = rssOf(process.pid);
  const from = performance.now();
  const log = await openAppendLog({ path });
  const reader = createLogReader({ path, index: log.index });
  await reader.read({ limit: PAGE });
  const openMs = performance.now() - from;
  const waits = [];
  for (let n = 1; n <= PAGES; n += 1) {
    const at = performance.now();
    const page = await reader.read({ before: Math.max(PAGE + 1, Math.ceil((entries * n) / PAGES)), limit: PAGE });
    waits.push(performance.now() - at);
    if (page.lines.length !== PAGE) throw new Error(`a page of ${page.lines.length}`);
  }
  global.gc();
  const grownMb = rssOf(process.pid) - before;
  await log.close();
  await reader.close();
  return { openMs, pageMs: percentile(waits, 0.5), grownMb };
}

if (process.argv[1] === PAGE_READER) answerCommands(readPages);
