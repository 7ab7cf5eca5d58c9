/** What the benches of the page share: a browser, pages that count long tasks and dropped frames, turns that are waited for. */
import { setTimeout as sleep } from 'node:timers/promises';
import { logIn, openBrowser, twoFrames } from '../../../dist/testing/browser.js';
import { onEnd } from './stand.mjs';

const FLAGS = ['--enable-precise-memory-info', '--js-flags=--expose-gc'];
const VIEW = { width: 1280, height: 800 };
const FRAME_MS = 1000 / 60;

/** Runs before the page's own scripts: long tasks, the gaps between animation frames, and when keys are painted. */
const PROBE = `(() => {
  const probe = { longTasks: [], gaps: [], keys: [] };
  window.__probe = probe;
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) probe.longTasks.push(one.duration);
  }).observe({ entryTypes: ['longtask'] });
  let last = 0;
  const tick = (now) => {
    if (last !== 0) probe.gaps.push(now - last);
    last = now;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  addEventListener('keydown', (event) => {
    const from = event.timeStamp;
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => probe.keys.push(performance.now() - from);
      channel.port2.postMessage(0);
    });
  }, true);
})()`;

export async function openChromium() {
  const browser = await openBrowser(FLAGS);
  onEnd(() => browser.close());
  return browser;
}

/** A page with our probe; `script` is run in an empty page of the same origin instead of the app. */
export async function openProbed(browser, box, { script, path = '/' } = {}) {
  const context = await browser.newContext({ viewport: VIEW, colorScheme: 'dark', reducedMotion: 'reduce' });
  await logIn(context, box);
  await context.addInitScript(PROBE);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Performance.enable');
  // Any answer of the server that is not the app will do: what counts is the origin.
  await page.goto(box.url() + (script === undefined ? path : '/api/appserver/session'));
  if (script !== undefined) await page.evaluate(script);
  return {
    page,
    close: () => context.close(),
    async metrics() {
      const { metrics } = await cdp.send('Performance.getMetrics');
      return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
    },
    async heapMb() {
      await cdp.send('HeapProfiler.collectGarbage');
      const { usedSize } = await cdp.send('Runtime.getHeapUsage');
      return usedSize / 1024 / 1024;
    },
    /** Forgets what was counted. */
    reset: () => page.evaluate('Object.assign(window.__probe, { longTasks: [], gaps: [], keys: [] }) && undefined'),
    counts: () => page.evaluate('window.__probe'),
    nodes: () => page.evaluate('document.querySelectorAll("*").length'),
    frames: () => twoFrames(page),
  };
}

/** Main-thread time, long tasks and dropped frames of whatever `perform` makes the page do. */
export async function measure(probed, perform) {
  await probed.reset();
  const before = await probed.metrics();
  await perform();
  await probed.frames();
  const after = await probed.metrics();
  const { longTasks, gaps } = await probed.counts();
  const taskMs = (after.TaskDuration - before.TaskDuration) * 1000;
  const dropped = gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / FRAME_MS) - 1), 0);
  const part = (name) => (after[name] - before[name]) * 1000;
  return {
    taskMs,
    scriptMs: part('ScriptDuration'),
    layoutMs: part('LayoutDuration'),
    styleMs: part('RecalcStyleDuration'),
    longTasks,
    droppedShare: dropped / Math.max(1, gaps.length + dropped),
    frames: gaps.length,
  };
}

/** Sends a message and waits, without asking the page, until its turn has ended. */
export async function turn(box, id, text, started = () => undefined) {
  const watcher = await box.watch(id);
  const from = (await box.must('transcriptRange', { conversation_id: id, limit: 1 })).last_seq ?? 0;
  await box.must('sendMessage', { conversation_id: id, text });
  started();
  for (;;) {
    const { entries } = await box.must('transcriptRange', { conversation_id: id, after: from, limit: 500 });
    if (entries.some((entry) => entry.role === 'status')) break;
    await sleep(100);
  }
  watcher.close();
  await sleep(200);
}

/** A text with everything an answer has: headings, prose, lists, tables, code. */
export function sampleAnswer(bytes) {
  let text = '';
  for (let n = 1; text.length < bytes; n += 1) {
    text += `## Part ${n}\n\nThe **parser** reads \`src/part-${n}.ts\` and gives back [a tree](https://example.com/${n}), which is
then walked once. Nothing is read twice, and *nothing* is kept that the next part does not need.\n\n`;
    text += `- first point of part ${n}\n- second point with \`code\` in it\n- third point\n\n`;
    text += `\`\`\`ts\nexport function part${n}(input: string): number {\n  const length = input.length;\n  return length * ${n};\n}\n\`\`\`\n\n`;
    if (n % 4 === 0)
      text += `| name | size | note |\n|---|---:|---|\n| a | ${n} | small |\n| b | ${n * 7} | large |\n\n`;
    text += `A closing paragraph says what follows from part ${n} for the rest of the work, in two or three plain sentences. It
is long enough to wrap on any screen that somebody reads it on, and short enough to be read.\n\n`;
  }
  return text.slice(0, bytes);
}
