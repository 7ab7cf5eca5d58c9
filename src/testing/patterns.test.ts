/** No regular expression of the product takes more than linear time, whatever text it is given. */
import { once } from 'node:events';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { collectPatterns, type Pattern } from './collect-patterns.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/**
 * Made from another file's constant, or from what the program is given: a text that is escaped, words of ours, the name of a field, and a
 * pattern of somebody else's, which has a time limit.
 */
const UNKNOWN = [
  'src/core/context/markers.ts',
  'src/core/search/find.ts',
  'src/core/search/find.ts',
  'src/core/terminal/type-command.ts',
  'src/node/ancestry.ts',
  'src/node/socket-holders.ts',
  'src/server/terminal/wait-for.ts',
  'src/web/transcript/ansi.ts',
];

/** One pattern takes a few milliseconds; one that takes this long is not linear, whatever the machine does besides. */
const STUCK_MS = 20_000;

/**
 * In a worker, since a pattern that backtracks cannot be stopped otherwise. Hostile texts are made from the pattern: runs of each of its
 * characters and of usual ones, of pairs of its characters, behind its words, each also with an end that fits nothing. A text that takes
 * a while is tried at twice the size: twice the work is linear, four times is not. Ratios of the least of several tries are compared, in
 * time that the thread had a processor where the system tells it (Linux), so that a busy machine changes nothing.
 */
const WORKER = `
const { parentPort, workerData } = require('node:worker_threads');
const { existsSync, readFileSync } = require('node:fs');
const OF_THREAD = '/proc/thread-self/schedstat';
const cpuMs = existsSync(OF_THREAD) ? () => Number(readFileSync(OF_THREAD, 'utf8').split(' ')[0]) / 1e6 : () => performance.now();
const SIZE = 6_000, SLOW_MS = 2, TRIES = 3, RATIO = 2.6;
const USUAL = [...' \\t\\n\\r-_.:;,/\\\\\\'"\`<>()[]{}=*~#@$%&|!?+^', 'a', 'A', '0', '\\u001b', '\\u001b[', '\\u001b]', '\\u009b', '\\u0007', 'é', '\\ud83d\\ude00'];
const wordsOf = (source) => source.replace(/\\\\x([0-9a-f]{2})|\\\\u([0-9a-f]{4})/gi, (_, x, u) => String.fromCharCode(parseInt(x ?? u, 16)))
  .replace(/\\\\([^a-z0-9])/gi, (_, one) => String.fromCharCode(0xe000 + one.charCodeAt(0))).split(/[()|*+?{}[\\]^$\\\\]|\\.(?=[*+])/)
  .map((word) => word.replace(/[\\ue000-\\uf8ff]/g, (one) => String.fromCharCode(one.charCodeAt(0) - 0xe000))).filter((word) => word !== '');
const fill = (piece, size) => piece.repeat(Math.ceil(size / piece.length));
function* textsOf(source, size) {
  const words = [...new Set(wordsOf(source))].slice(0, 12);
  const own = [...new Set([...words.flatMap((word) => [...word]), ...source.replace(/\\\\/g, '')])].slice(0, 24);
  for (const one of new Set([...USUAL, ...own, ...words])) for (const end of ['', '\\u0001', '!\\n']) yield fill(one, size) + end;
  for (const one of own.slice(0, 8)) for (const other of own.slice(0, 8)) yield fill(one + other, size) + '\\u0001';
  for (const word of words) for (const one of USUAL) { yield word + fill(one, size) + '\\u0001'; yield fill(word + one, size) + '\\u0001'; yield fill(word + one + one, size); }
}
const timeOf = (pattern, text, now) => {
  const started = now();
  pattern.lastIndex = 0;
  if (pattern.global) text.replace(pattern, ''); else pattern.test(text);
  return now() - started;
};
// The usual clock first: reading the other one takes longer than most patterns.
const workOf = (pattern, text) => {
  let least = timeOf(pattern, text, () => performance.now());
  for (let tries = 0; least >= SLOW_MS && tries < TRIES; tries += 1) least = Math.min(least, timeOf(pattern, text, cpuMs));
  return least;
};
for (let at = workerData.from; at < workerData.patterns.length; at += 1) {
  const { source, flags } = workerData.patterns[at];
  const pattern = new RegExp(source, flags);
  let bad = null;
  const small = [...textsOf(source, SIZE)];
  for (const [index, text] of small.entries()) {
    const work = workOf(pattern, text);
    if (work < SLOW_MS) continue;
    const twice = [...textsOf(source, 2 * SIZE)][index];
    if (workOf(pattern, twice) > RATIO * work) { bad = JSON.stringify(text.slice(0, 12)) + '…' + JSON.stringify(text.slice(-3)); break; }
  }
  parentPort.postMessage({ at, bad });
}
`;

async function findSlow(patterns: readonly Pattern[]): Promise<string[]> {
  const slow: string[] = [];
  for (let from = 0; from < patterns.length; ) {
    const worker = new Worker(WORKER, { eval: true, workerData: { patterns, from } });
    const stop = () => void worker.terminate();
    let watchdog = setTimeout(stop, STUCK_MS);
    worker.on('message', ({ at, bad }: { at: number; bad: string | null }) => {
      clearTimeout(watchdog);
      watchdog = setTimeout(stop, STUCK_MS);
      from = at + 1;
      const one = patterns[at];
      if (bad !== null && one !== undefined) slow.push(`${one.at} /${one.source}/${one.flags} ${bad}`);
    });
    await once(worker, 'exit');
    clearTimeout(watchdog);
    const stuck = patterns[from];
    if (stuck !== undefined) slow.push(`${stuck.at} /${stuck.source}/${stuck.flags} stuck`);
    from += 1;
  }
  return slow;
}

test('[FT15] every regular expression of the product is linear on hostile text', { timeout: 300_000 }, async () => {
  const { patterns, unknown } = collectPatterns(ROOT);
  expect(patterns.length).toBeGreaterThan(150);
  expect(unknown.map((at) => at.replace(/:\d+$/, ''))).toEqual(UNKNOWN);
  expect(await findSlow(patterns)).toEqual([]);
});

test('[FT15] the check finds what it looks for', async () => {
  const sources = ['\\s+$', '\\d+x'];
  const planted = sources.map((source) => ({ at: 'planted', source, flags: '' }));
  const found = await findSlow([...planted, { at: 'fine', source: '^\\s*\\w+', flags: '' }]);
  expect(found.filter((line) => line.startsWith('fine'))).toEqual([]);
  expect(found.map((line) => line.split(' ')[1])).toEqual(sources.map((source) => `/${source}/`));
});
