/**
 * The list behind `@` in a tree of 200,000 files: our index, asked through the server as the page asks it, against Codex's one-shot
 * `fuzzyFileSearch` on the same tree in the same run. Then what the index costs: first names, the whole listing, memory, the loop.
 */
import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '../../dist/node/clock.js';
import { createLogger } from '../../dist/node/logger.js';
import { createFileIndex } from '../../dist/server/files/file-index.js';
import { findRg } from '../../dist/server/files/find-rg.js';
import { createTreeIndex } from '../../dist/server/files/tree-index.js';
import { openBox } from '../../dist/testing/box.js';
import { median, ms, note, percentile, report } from './lib/report.mjs';
import { bench, codexBinary, makeDir, onEnd, start, until } from './lib/stand.mjs';

const DIRECTORIES = 20_000;
const FILES_EACH = 10;
const ROUNDS = 5;
const TOTAL = DIRECTORIES * FILES_EACH;
/** What a person types, letter by letter. */
const WORDS = ['index', 'usercontroller', 'srcparse', 'readme', 'configloader', 'p42/mod7', 'zzzz', 'handlertest'];
const TYPED = WORDS.flatMap((word) => [...word].map((_letter, at) => word.slice(0, at + 1)));
const CODEX_QUERIES = ['index', 'usercontroller', 'srcparse', 'readme', 'configloader'];
const NAMES = [
  'index',
  'UserController',
  'parse-line',
  'README',
  'config_loader',
  'handler.test',
  'types',
  'util',
  'view',
  'api',
];

await bench(async () => {
  const tree = plant();
  const box = await openBox();
  onEnd(box.close);
  let conversation_id = await box.create({ cwd: tree });
  const ask = async (query) => {
    const startedAt = performance.now();
    const answer = await box.must('mention', { conversation_id, query, limit: 30 });
    return { ...answer, tookMs: performance.now() - startedAt };
  };

  await box.must('mention', { conversation_id: await box.create(), query: '' });
  const firsts = [];
  const bare = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await timeFirstChunk(tree));
    // Another name for the same tree is another index.
    const alias = `${tree}-${round}`;
    symlinkSync(tree, alias);
    onEnd(() => unlinkSync(alias));
    conversation_id = await box.create({ cwd: alias });
    firsts.push(await ask(''));
    await until(async () => (await ask('zzzz')).is_complete, 'the whole index');
  }
  report({
    name: 'files: first names of a tree never asked for',
    ours: ms(median(firsts.map(({ tookMs }) => tookMs))),
    baseline: ms(median(bare)),
    ratio: median(firsts.map(({ tookMs }) => tookMs)) - median(bare),
    goal: ['≤', 20],
    show: ms,
  });
  note(
    `${firsts[0].files.length} names of ${firsts[0].indexed} listed by then; baseline: the first bytes of rg itself`,
  );

  const codex = await startCodex();
  const codexMs = [];
  const ours = [];
  for (const query of CODEX_QUERIES) codexMs.push(await codex.search(query, tree));
  for (let round = 0; round < 3; round += 1) for (const query of TYPED) ours.push((await ask(query)).tookMs);
  const fair = [];
  for (const query of CODEX_QUERIES) fair.push((await ask(query)).tookMs);
  report({
    name: `files: @ list at ${TOTAL.toLocaleString('en')} files, p50`,
    ours: ms(median(ours)),
    baseline: ms(median(codexMs)),
    ratio: median(codexMs) / median(ours),
    goal: ['≥', 20],
  });
  report({
    name: 'files: @ list, p99',
    ours: ms(percentile(ours, 0.99)),
    baseline: '60 ms',
    ratio: percentile(ours, 0.99) / 60,
    goal: ['≤', 1],
  });
  note(
    `whole words without narrowing: ${ms(median(fair))}; one-letter p99: ${ms(
      percentile(
        ours.filter((_one, at) => TYPED[at % TYPED.length].length === 1),
        0.99,
      ),
    )}`,
  );
  await costs(tree);
});

async function costs(tree) {
  const found = await timeFind(tree);
  const index = createTreeIndex({ root: tree, rg: findRg(), now: () => performance.now() });
  const startedAt = performance.now();
  await until(async () => (await index.search('', 1, () => true)).isComplete, 'the whole index');
  const listingMs = performance.now() - startedAt;
  const { paths, bytes } = index.size();
  index.close();
  report({
    name: 'files: whole listing against find',
    ours: ms(listingMs),
    baseline: ms(found),
    ratio: listingMs / found,
    goal: ['≤', 1.5],
  });
  report({
    name: 'files: memory a path',
    ours: `${(bytes / paths).toFixed(0)} B`,
    ratio: bytes / paths,
    goal: ['≤', 200],
    show: (value) => `${value.toFixed(0)} B`,
  });

  const threaded = createFileIndex({ clock: systemClock, log: createLogger({ level: 'error' }) });
  const search = (query) => threaded.search({ root: tree, query, limit: 30, picker: null });
  const coldAt = performance.now();
  await search('');
  note(`with the thread not yet started: ${ms(performance.now() - coldAt)}`);
  await until(async () => (await search('')).value.isComplete, 'the whole index');
  const before = performance.eventLoopUtilization();
  for (const query of TYPED) await search(query);
  const { active } = performance.eventLoopUtilization(before);
  await threaded.close();
  report({
    name: 'files: our loop busy for one search',
    ours: ms(active / TYPED.length),
    ratio: active / TYPED.length,
    goal: ['≤', 1],
    show: ms,
  });
}

async function timeFirstChunk(tree) {
  const startedAt = performance.now();
  const child = start(findRg(), ['--files'], { cwd: tree, stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise((done) => child.stdout.once('data', done));
  const tookMs = performance.now() - startedAt;
  await child.end();
  return tookMs;
}

async function timeFind(tree) {
  const startedAt = performance.now();
  const child = start('find', [tree, '-type', 'f'], { stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.resume();
  await new Promise((done) => child.on('close', done));
  return performance.now() - startedAt;
}

async function startCodex() {
  const home = makeDir('bench-codex');
  const child = start(await codexBinary(), ['app-server'], { cwd: home, env: { ...process.env, CODEX_HOME: home } });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, method } = JSON.parse(line);
    if (method === undefined) waiting.get(id)?.(result);
  });
  let nextId = 1;
  const request = (method, params) =>
    new Promise((done) => {
      waiting.set(nextId, done);
      child.stdin.write(`${JSON.stringify({ id: nextId++, method, params })}\n`);
    });
  await request('initialize', {
    clientInfo: { name: 'bench', title: null, version: '0' },
    capabilities: { experimentalApi: true },
  });
  child.stdin.write('{"method":"initialized"}\n');
  return {
    async search(query, root) {
      const startedAt = performance.now();
      const { files } = await request('fuzzyFileSearch', { query, roots: [root], cancellationToken: null });
      if (files.length === 0) note(`Codex found nothing for ${query}`);
      return performance.now() - startedAt;
    },
  };
}

function plant() {
  const tree = makeDir('bench-tree');
  for (let at = 0; at < DIRECTORIES; at += 1) {
    const dir = join(tree, `pkg${at % 100}`, at % 3 === 0 ? 'src' : 'lib', `p${Math.floor(at / 100)}`, `mod${at}`);
    mkdirSync(dir, { recursive: true });
    for (let file = 0; file < FILES_EACH; file += 1) {
      writeFileSync(join(dir, `${NAMES[file]}${file % 2 === 0 ? '' : at % 50}.ts`), '');
    }
  }
  return tree;
}
