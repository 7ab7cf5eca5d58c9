/**
 * Opening in the browser: the first rows at 100,000 entries against 1,000, the memory of the tab, a diff of 5,000 lines
 * against its visible rows as plain text, and scrolling through 10,000 rows.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openBox } from '../../dist/testing/box.js';
import { measure, openChromium, openProbed } from './lib/page-stand.mjs';
import { largeDiff, writeEntries } from './lib/page-transcripts.mjs';
import { mb, median, ms, report } from './lib/report.mjs';
import { bench, onEnd, until } from './lib/stand.mjs';
import { writeConversation } from './lib/transcripts.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const ROW = '[data-key]';
const count = (value) => value.toFixed(0);

/** The same part of the diff as nothing but rows of text. */
const PLAIN_ROWS = `(() => {
  const from = performance.now();
  const box = document.createElement('pre');
  document.body.replaceChildren(box);
  for (let n = 0; n < 80; n += 1) {
    const row = document.createElement('div');
    row.append(String(n), ' export function line(input: string): number { return input.length; }');
    box.append(row);
  }
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - from))));
})()`;

await bench(async () => {
  const box = await openBox();
  onEnd(box.close);
  await box.kill('SIGTERM');
  const write = (number, entries) => writeConversation({ home: box.home, cwd: box.project, number, entries });
  const few = write(1, 1_000);
  const many = write(2, 100_000);
  const mid = write(3, 10_000);
  const diff = { role: 'diff', diff_id: 'd', diff: largeDiff(5_000), files: [], status: 'applied' };
  const withDiff = writeEntries({ home: box.home, cwd: box.project, number: 4, entries: [diff] });
  await box.restart();
  const browser = await openChromium();
  await opening(browser, box, few, many);
  await aDiff(browser, box, withDiff);
  await scrolling(browser, box, mid);
});

/** From the navigation to the frame after the first rows are there. */
async function painted(browser, box, id, selector) {
  const probed = await openProbed(browser, box, { path: '/manifest.webmanifest' });
  await probed.page.addInitScript(`window.WebSocket = class extends WebSocket {
    constructor(...args) {
      super(...args);
      this.addEventListener('message', ({ data }) => {
        if (data.startsWith('{"type":"sync"')) window.__syncMs ??= performance.now();
      });
    }
  };
  new MutationObserver((_, observer) => {
    if (document.querySelector('${selector}') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => { window.__paintedMs = performance.now(); }));
  }).observe(document, { childList: true, subtree: true })`);
  await probed.page.goto(`${box.url()}/#/c/${id}`);
  // Asked seldom, since asking costs the page time; its policy forbids the usual way of waiting.
  const ask = () => probed.page.evaluate('window.__paintedMs ?? null');
  await until(async () => {
    await sleep(100);
    return (await ask()) !== null;
  }, 'the first rows');
  const syncMs = await probed.page.evaluate('window.__syncMs ?? 0');
  const paintedMs = await ask();
  /** `rowsMs`: from the moment the entries arrived. */
  return { probed, paintedMs, rowsMs: paintedMs - syncMs };
}

async function opening(browser, box, few, many) {
  const times = { few: [], many: [] };
  let [heap, nodes] = [0, 0];
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [kind, id] of [
      ['few', few],
      ['many', many],
    ]) {
      const { probed, paintedMs } = await painted(browser, box, id, ROW);
      if (round > 0) times[kind].push(paintedMs);
      if (kind === 'many') [heap, nodes] = [await probed.heapMb(), await probed.nodes()];
      await probed.close();
    }
  }
  report({
    name: 'page: first rows at 100,000 (against 1,000)',
    ours: ms(median(times.many)),
    baseline: ms(median(times.few)),
    ratio: median(times.many) / median(times.few),
    goal: ['≤', 1.2],
  });
  report({ name: 'page: heap of the tab at 100,000', ours: mb(heap), ratio: heap, show: mb, goal: ['≤', 30] });
  report({ name: 'page: elements at 100,000', ours: count(nodes), ratio: nodes, show: count, goal: ['≤', 6_000] });
}

async function aDiff(browser, box, id) {
  const runs = { ours: [], plain: [], longTasks: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { probed } = await painted(browser, box, id, ROW);
    const head = probed.page.locator('[data-role="diff"] button[aria-expanded]').first();
    await head.click();
    await probed.reset();
    // Closed and opened again: what the card itself costs, without the page around it.
    const openedMs = await probed.page.evaluate(`(() => {
      const from = performance.now();
      document.querySelector('[data-role="diff"] button[aria-expanded]').click();
      return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - from))));
    })()`);
    await probed.page.waitForTimeout(400);
    const { longTasks } = await probed.counts();
    const plainMs = await probed.page.evaluate(PLAIN_ROWS);
    if (round > 0) {
      runs.ours.push(openedMs);
      runs.plain.push(plainMs);
      runs.longTasks.push(longTasks.length);
    }
    await probed.close();
  }
  report({
    name: 'page: 5,000-line diff painted (against plain rows)',
    ours: ms(median(runs.ours)),
    baseline: ms(median(runs.plain)),
    ratio: median(runs.ours) / median(runs.plain),
    goal: ['≤', 2],
  });
  const long = median(runs.longTasks);
  report({
    name: 'page: 5,000-line diff, tasks over 50 ms',
    ours: count(long),
    ratio: long,
    show: count,
    goal: ['≤', 0],
  });
}

async function scrolling(browser, box, id) {
  const { probed, rowsMs } = await painted(browser, box, id, ROW);
  const texts = Array.from(
    { length: 10_000 },
    (_, n) => `${n} ${'The quick brown fox jumps over the lazy dog. '.repeat(32)}`,
  );
  const moved = await measure(probed, () =>
    probed.page.evaluate(`(() => {
      const box = document.querySelector('[data-scroll-root]');
      let left = 180;
      return new Promise((done) => {
        const step = () => {
          box.scrollTop -= 400;
          left -= 1;
          if (left > 0) requestAnimationFrame(step); else done(null);
        };
        requestAnimationFrame(step);
      });
    })()`),
  );
  // All rows mounted: the same texts as elements with the page's own style.
  const allMs = await probed.page.evaluate(
    `((texts) => {
      const from = performance.now();
      const rows = document.querySelector('[data-key]');
      const place = rows.parentElement;
      place.replaceChildren(...texts.map((text) => {
        const row = rows.cloneNode(true);
        const p = row.querySelector('p') ?? row;
        p.textContent = text;
        return row;
      }));
      return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - from))));
    })(${JSON.stringify(texts)})`,
  );
  const fps = 60 * (1 - moved.droppedShare);
  const frame = (value) => `${value.toFixed(1)} fps`;
  report({
    name: 'page: 10,000 rows painted (against all mounted)',
    ours: ms(rowsMs),
    baseline: ms(allMs),
    ratio: allMs / rowsMs,
    goal: ['≥', 20],
  });
  report({ name: 'page: scrolling through 10,000 rows', ours: frame(fps), ratio: fps, show: frame, goal: ['≥', 55] });
  await probed.close();
}
