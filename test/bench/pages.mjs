/**
 * A page of 50 entries of a transcript with 100,000, against the same of one with 1,000 and against Codex's own
 * `thread/resume`; the memory it takes; and opening conversations of 100, 10,000 and 100,000 entries over HTTP.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openBox } from '../../dist/testing/box.js';
import { PAGE_READER } from './lib/page-reader.mjs';
import { mb, median, ms, note, report, times } from './lib/report.mjs';
import { bench, codexBinary, end, makeDir, onEnd, start, startHelper, until } from './lib/stand.mjs';
import { writeConversation, writeTranscript } from './lib/transcripts.mjs';

const ROUNDS = 5;
const FEW = 1_000;
const MANY = 100_000;
const HTTP_SIZES = [100, 10_000, 100_000];
const CODEX_ITEMS = 10_000;
const ITEM_TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(24);

const INITIALIZE = {
  clientInfo: { name: 'bench', title: 'Bench', version: '1' },
  capabilities: { experimentalApi: true, requestAttestation: false },
};

await bench(async () => {
  const page = await inProcess();
  const box = await openBox({ transport: 'stdio' });
  onEnd(box.close);
  const overHttp = await http(box);
  await againstCodex(box, page, overHttp);
});

/** In a fresh process each, as the server reads them. */
async function inProcess() {
  const dir = makeDir('bench');
  const path = (entries) => join(dir, `${entries}.jsonl`);
  for (const entries of [FEW, MANY]) writeTranscript(path(entries), entries);
  const runs = { [FEW]: [], [MANY]: [] };
  // The first round writes the index files, which every later opening uses.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const entries of [FEW, MANY]) {
      const reader = startHelper(PAGE_READER, { execArgv: ['--expose-gc'] });
      const run = await reader.ask({ path: path(entries), entries });
      if (round > 0) runs[entries].push(run);
      await reader.stop();
    }
  }
  const mid = (entries, key) => median(runs[entries].map((run) => run[key]));
  note(`pages of 50 entries of 1.6 KB, medians of ${ROUNDS} alternating rounds`);
  report({
    name: 'pages: any page at 100,000 (against 1,000)',
    ours: ms(mid(MANY, 'pageMs')),
    baseline: ms(mid(FEW, 'pageMs')),
    ratio: mid(MANY, 'pageMs') / mid(FEW, 'pageMs'),
    goal: ['≤', 1.2],
  });
  report({
    name: 'pages: opening the log at 100,000',
    ours: ms(mid(MANY, 'openMs')),
    baseline: ms(mid(FEW, 'openMs')),
    ratio: mid(MANY, 'openMs') / mid(FEW, 'openMs'),
  });
  const grown = mid(MANY, 'grownMb') - mid(FEW, 'grownMb');
  report({
    name: 'pages: memory at 100,000 (against 1,000)',
    ours: mb(mid(MANY, 'grownMb')),
    baseline: mb(mid(FEW, 'grownMb')),
    ratio: grown,
    show: mb,
    goal: ['≤', 2],
  });
  return mid(MANY, 'pageMs');
}

/** The first page after the server's start, which opens the conversation, and any later one. */
async function http(box) {
  await box.kill('SIGTERM');
  const ids = HTTP_SIZES.map((entries, number) =>
    writeConversation({ home: box.home, cwd: box.project, number, entries }),
  );
  const warmUp = writeConversation({ home: box.home, cwd: box.project, number: ids.length, entries: 2_000 });
  const opening = HTTP_SIZES.map(() => []);
  const later = HTTP_SIZES.map(() => []);
  for (let round = 0; round <= ROUNDS; round += 1) {
    await box.restart();
    await until(async () => (await box.must('status', {})).running, 'Codex');
    // The first conversation pays for code that is not compiled yet; then each size goes first in turn.
    await box.must('transcriptRange', { conversation_id: warmUp, limit: 50 });
    const order = ids.map((_, n) => (n + round) % ids.length);
    for (const at of order) {
      const conversationId = ids[at];
      const page = (query) =>
        timed(() => box.must('transcriptRange', { conversation_id: conversationId, limit: 50, ...query }));
      const first = await page({});
      if (round > 0) opening[at].push(first);
      for (let n = 1; round > 0 && n <= 20; n += 1) {
        later[at].push(await page({ before: Math.max(51, Math.ceil((HTTP_SIZES[at] * n) / 20)) }));
      }
    }
  }
  for (const [at, entries] of HTTP_SIZES.entries()) {
    const [base] = opening;
    report({
      name: `pages: opening ${entries.toLocaleString('en')} over HTTP (against 100)`,
      ours: ms(median(opening[at])),
      baseline: ms(median(base)),
      ratio: median(opening[at]) / median(base),
    });
  }
  report({
    name: 'pages: any page at 100,000 over HTTP (against 100)',
    ours: ms(median(later.at(-1))),
    baseline: ms(median(later[0])),
    ratio: median(later.at(-1)) / median(later[0]),
  });
  return median(later.at(-1));
}

/** One turn of many messages, then a fresh Codex that is asked for them. */
async function againstCodex(box, pageMs, overHttpMs) {
  const events = Array.from({ length: CODEX_ITEMS }, (_, n) => ({ say: `${n} ${ITEM_TEXT}`, chunk: 4_096 }));
  box.model.push({ events });
  const codexHome = box.codexHome;
  const binary = await codexBinary();
  await box.kill('SIGTERM');

  const first = startCodex(binary, codexHome);
  await first.ask('initialize', INITIALIZE);
  const cwd = join(makeDir('bench'), 'project');
  mkdirSync(cwd);
  const { thread } = await first.ask('thread/start', { cwd, approvalPolicy: 'never', sandbox: 'read-only' });
  const made = first.until('turn/completed');
  await first.ask('turn/start', { threadId: thread.id, input: [{ type: 'text', text: 'many', text_elements: [] }] });
  await made;
  await end(first.child);
  const items = readFileSync(thread.path, 'utf8').split('\n').length;

  const runs = [];
  for (let round = 0; round < 3; round += 1) {
    const codex = startCodex(binary, codexHome);
    await codex.ask('initialize', INITIALIZE);
    runs.push(await timed(() => codex.ask('thread/resume', { threadId: thread.id })));
    await end(codex.child);
  }
  const resumeMs = median(runs);
  note(`Codex's thread: ${CODEX_ITEMS} messages of 1.1 KB in one turn, a rollout of ${items} lines`);
  const line = (name, ours, goal) =>
    report({ name, ours: ms(ours), baseline: ms(resumeMs), ratio: resumeMs / ours, show: times, goal });
  line('pages: thread/resume at 10,000 ÷ page', pageMs, ['≥', 2_000]);
  line('pages: thread/resume at 10,000 ÷ page over HTTP', overHttpMs);
}

function startCodex(binary, codexHome) {
  const child = start(binary, ['app-server'], { cwd: codexHome, env: { ...process.env, CODEX_HOME: codexHome } });
  const waiting = new Map();
  let nextId = 1;
  createInterface({ input: child.stdout }).on('line', (text) => {
    const message = JSON.parse(text);
    waiting.get(message.method ?? message.id)?.(message);
  });
  const until = (key) => new Promise((done) => waiting.set(key, done));
  return {
    child,
    until,
    async ask(method, params) {
      const id = nextId++;
      child.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
      const { result, error } = await until(id);
      if (error !== undefined) throw new Error(`${method}: ${error.message}`);
      return result;
    },
  };
}

async function timed(action) {
  const from = performance.now();
  await action();
  return performance.now() - from;
}
