/**
 * A home with 2,000 conversations and a CODEX_HOME with 5,000 threads against a small one in the same run: start, list, search, and the
 * first rows in the browser.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBox } from '../../dist/testing/box.js';
import { openChromium, openProbed } from './lib/page-stand.mjs';
import { best, mb, median, ms, note, report } from './lib/report.mjs';
import { bench, onEnd, rssOf, until } from './lib/stand.mjs';
import { writeConversation } from './lib/transcripts.mjs';

const SIZES = { small: { conversations: 20, threads: 50 }, large: { conversations: 2_000, threads: 5_000 } };
const ENTRIES = 10;
const ROUNDS = 3;
/** Requests of each kind; the best one counts. */
const CALLS = 7;

await bench(async () => {
  const boxes = {};
  for (const [name, size] of Object.entries(SIZES)) boxes[name] = await prepare(size);
  const figures = { small: [], large: [] };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of Object.keys(SIZES)) figures[name].push(await measure(boxes[name]));
  const least = (name, key) => best(figures[name].map((one) => one[key]));
  note(
    `${SIZES.large.conversations} conversations and ${SIZES.large.threads} threads against ${SIZES.small.conversations} and ${SIZES.small.threads}; best of ${ROUNDS}`,
  );
  const compare = (what, key, goal) =>
    report({
      name: `scale: ${what}`,
      ours: ms(least('large', key)),
      baseline: ms(least('small', key)),
      ratio: least('large', key) / least('small', key),
      ...(goal !== undefined && { goal: ['≤', goal] }),
    });
  compare('start until it answers', 'start', 3);
  compare('list of conversations, first page', 'list', 5);
  compare('search for what many entries have', 'search', 5);
  compare('search for what no entry has', 'searchAll');
  report({
    name: 'scale: memory after the list',
    ours: mb(least('large', 'rss')),
    baseline: mb(least('small', 'rss')),
    ratio: least('large', 'rss') - least('small', 'rss'),
    show: mb,
    // 32 KB a conversation: its sidecar, its row, and what reading them left to the garbage collector.
    goal: ['≤', 80],
  });
  const browser = await openChromium();
  const opened = { small: [], large: [] };
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const name of Object.keys(SIZES)) {
      const tookMs = await firstRows(browser, boxes[name]);
      if (round > 0) opened[name].push(tookMs);
    }
  report({
    name: 'scale: page open until the first rows',
    ours: ms(median(opened.large)),
    baseline: ms(median(opened.small)),
    ratio: median(opened.large) / median(opened.small),
    goal: ['≤', 1.5],
  });
});

/** The conversations are there before the home's first start, which takes over and seals their settings. */
async function prepare({ conversations, threads }) {
  const box = await openBox();
  onEnd(box.close);
  box.model.push({ events: [{ say: 'a fox and a dog' }] });
  const id = await box.create();
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: 'copied' });
  await watcher.turnEnd();
  await box.kill('SIGTERM');
  copyRollouts(box.codexHome, threads);
  rmSync(box.home, { recursive: true, force: true });
  mkdirSync(box.home, { mode: 0o700 });
  const ids = Array.from({ length: conversations }, (_none, number) =>
    writeConversation({ home: box.home, cwd: box.project, number, entries: ENTRIES }),
  );
  const from = performance.now();
  await box.restart();
  await box.must('initialize', {});
  await box.must('listConversations', {});
  note(`first start with ${conversations} conversations and ${threads} threads: ${ms(performance.now() - from)}`);
  return { box, id: ids[0] };
}

/** The one rollout there is, under as many thread ids as wanted. */
function copyRollouts(codexHome, threads) {
  const sessions = join(codexHome, 'sessions');
  const name = readdirSync(sessions, { recursive: true }).find(
    (one) => one.endsWith('.jsonl') && one.includes('rollout-'),
  );
  const text = readFileSync(join(sessions, name), 'utf8');
  const [threadId] = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(name);
  for (let n = 1; n < threads; n += 1) {
    const other = `${threadId.slice(0, -8)}${n.toString(16).padStart(8, '0')}`;
    const path = join(sessions, name.replace(threadId, other));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text.replaceAll(threadId, other), { mode: 0o600 });
  }
}

async function measure({ box }) {
  await box.kill('SIGTERM');
  const from = performance.now();
  await box.restart();
  const start = performance.now() - from;
  await box.must('initialize', {});
  const list = await fastest(() => box.must('listConversations', {}));
  const search = await fastest(() => box.must('search', { q: 'lazy dog' }));
  const asked = performance.now();
  await box.must('search', { q: 'nowhere to be found' });
  const searchAll = performance.now() - asked;
  return { start, list, search, searchAll, rss: rssOf(box.pid()) };
}

async function fastest(call) {
  const times = [];
  for (let n = 0; n < CALLS; n += 1) {
    const from = performance.now();
    await call();
    times.push(performance.now() - from);
  }
  return best(times);
}

async function firstRows(browser, { box, id }) {
  const probed = await openProbed(browser, box, { path: '/manifest.webmanifest' });
  await probed.page.addInitScript(`new MutationObserver((_, observer) => {
    if (document.querySelector('[data-key]') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => { window.__paintedMs = performance.now(); }));
  }).observe(document, { childList: true, subtree: true })`);
  await probed.page.goto(`${box.url()}/#/c/${id}`);
  const ask = () => probed.page.evaluate('window.__paintedMs ?? null');
  await until(async () => {
    await sleep(100);
    return (await ask()) !== null;
  }, 'the first rows');
  const paintedMs = await ask();
  await probed.close();
  return paintedMs;
}
