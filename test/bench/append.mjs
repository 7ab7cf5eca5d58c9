/** Durable appends with 100 waiting, which share a sync, against one write and one fdatasync for each entry. */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openAppendLog } from '../../dist/node/append-log.js';
import { best, median, ms, note, percentile, perSecond, report } from './lib/report.mjs';
import { bench, makeDir } from './lib/stand.mjs';

const ROUNDS = 5;
const WAITING = 100;
const ENTRIES = 20_000;
const ENTRIES_ONE_BY_ONE = 400;
/** With the rest of the line about 1 KB. */
const TEXT = 'x'.repeat(950);

const render = (seq) => JSON.stringify({ seq, ts: '2026-01-01T00:00:00.000Z', role: 'note', kind: 'api', text: TEXT });

await bench(async () => {
  const dir = makeDir('bench');
  const runs = { grouped: [], single: [], oneByOne: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    runs.oneByOne.push(oneByOne(join(dir, `one-${round}.jsonl`)));
    runs.grouped.push(await grouped(join(dir, `group-${round}.jsonl`), ENTRIES, WAITING));
    runs.single.push(await grouped(join(dir, `single-${round}.jsonl`), ENTRIES_ONE_BY_ONE, 1));
  }
  const mid = (kind, key) => median(runs[kind].map((one) => one[key]));
  const fastest = (kind, key) => best(runs[kind].map((one) => one[key]));
  note(`1 KB entries, ${ROUNDS} alternating rounds: medians, of p99 the best`);
  report({
    name: `append: durable, ${WAITING} waiting`,
    ours: perSecond(mid('grouped', 'rate')),
    baseline: perSecond(mid('oneByOne', 'rate')),
    ratio: mid('grouped', 'rate') / mid('oneByOne', 'rate'),
    goal: ['≥', 20],
  });
  report({
    name: `append: p99 until durable, ${WAITING} waiting`,
    ours: ms(fastest('grouped', 'p99')),
    baseline: ms(fastest('oneByOne', 'p99')),
    ratio: fastest('grouped', 'p99'),
    show: ms,
    goal: ['≤', 2],
  });
  report({
    name: 'append: p50 until durable, 1 waiting',
    ours: ms(mid('single', 'p50')),
    baseline: ms(mid('oneByOne', 'p50')),
    ratio: mid('single', 'p50') / mid('oneByOne', 'p50'),
  });
});

function oneByOne(path) {
  const fd = openSync(path, 'a', 0o600);
  const waits = [];
  const from = performance.now();
  for (let seq = 1; seq <= ENTRIES_ONE_BY_ONE; seq += 1) {
    const at = performance.now();
    writeSync(fd, `${render(seq)}\n`);
    fdatasyncSync(fd);
    waits.push(performance.now() - at);
  }
  const tookMs = performance.now() - from;
  closeSync(fd);
  return summary(ENTRIES_ONE_BY_ONE, tookMs, waits);
}

/** As many callers as are to wait, each appending again as soon as its entry is durable. */
async function grouped(path, entries, waiting) {
  const log = await openAppendLog({ path });
  const waits = [];
  let left = entries;
  const from = performance.now();
  const caller = async () => {
    while (left > 0) {
      left -= 1;
      const at = performance.now();
      await log.append(render).done;
      waits.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: waiting }, caller));
  const tookMs = performance.now() - from;
  await log.close();
  return summary(entries, tookMs, waits);
}

function summary(entries, tookMs, waits) {
  return { rate: (entries / tookMs) * 1000, p50: median(waits), p99: percentile(waits, 0.99) };
}
