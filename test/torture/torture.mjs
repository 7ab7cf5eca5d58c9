/** Runs rounds one after the other against one server and prints what became of them. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setRules } from './actions.mjs';
import { LAWS } from './check.mjs';
import { openFailingSync, openFullDisk } from './disk.mjs';
import { createHost } from './host.mjs';
import { startModel } from './model.mjs';
import { KINDS, planRound } from './plan.mjs';
import { runRound } from './round.mjs';

/** Not below the temporary directory: Codex refuses to put its helpers there. */
const FOLDER = resolve(import.meta.dirname, '../../.tmp');
const say = (text) => process.stdout.write(`${text}\n`);

/** True if no law was broken. */
export async function torture({ rounds, seed, only, isVerbose }) {
  const unknown = only.filter((kind) => !(kind in KINDS));
  if (unknown.length > 0)
    throw new Error(`no such kind: ${unknown.join(', ')}; there are ${Object.keys(KINDS).join(', ')}`);
  const filter = only.length === 0 ? '' : ` --only ${only.join(',')}`;
  say(`torture: ${rounds} rounds, seeds ${seed} to ${seed + rounds - 1}; repeat one with --rounds 1 --seed N${filter}`);
  mkdirSync(FOLDER, { recursive: true });
  const model = await startModel();
  const makeDir = () => mkdtempSync(join(FOLDER, 'torture-'));
  const stands = createStands(model, makeDir);
  const totals = {
    rounds: 0,
    skipped: 0,
    messages: 0,
    events: 0,
    posts: 0,
    commands: 0,
    counts: new Map(),
    broken: [],
  };
  const from = performance.now();
  let isInterrupted = false;
  // Ctrl-C ends after the round, so that no process is left behind; a second one ends at once.
  process.once('SIGINT', () => {
    isInterrupted = true;
  });
  try {
    for (let n = 0; n < rounds && !isInterrupted; n += 1) {
      const one = seed + n;
      const begun = performance.now();
      const { kind } = planRound(one, only);
      const stand = await stands.open(kind);
      if (typeof stand === 'string') {
        totals.skipped += 1;
        if (isVerbose) say(`round ${one}: ${kind} skipped: ${stand}`);
        continue;
      }
      const result = await runSafely({ seed: one, only, model, ...stand, counts: totals.counts });
      add(totals, result, one);
      if (result.violations.length > 0) keep(result, one);
      if (isVerbose) say(describe(one, kind, result, performance.now() - begun));
      else if (process.stdout.isTTY || n % 25 === 24) progress(n + 1, rounds, totals);
    }
  } finally {
    await stands.close();
    await model.close();
  }
  printTable(totals, (performance.now() - from) / 1000, stands.skipped);
  return totals.broken.length === 0;
}

/** The ordinary server, and one more for each kind of disk; each is opened when a round first needs it. */
function createStands(model, makeDir) {
  const open = new Map();
  const skipped = new Map();
  const makers = {
    'full-disk': () => openFullDisk(makeDir(), model.url),
    'failing-sync': () => openFailingSync(makeDir(), model.url),
  };
  const plain = async () => ({ host: createHost({ dir: makeDir(), modelUrl: model.url }), disk: null });
  return {
    skipped,
    /** The stand for a kind of round, or why it cannot be had here. */
    async open(kind) {
      const name = kind in makers ? kind : 'plain';
      if (!open.has(name)) {
        const made = await (makers[name] ?? plain)();
        if (typeof made === 'string') skipped.set(name, made);
        else await setRules(made.host);
        open.set(name, made);
      }
      return open.get(name);
    },
    async close() {
      for (const stand of open.values()) {
        if (typeof stand === 'string') continue;
        await stand.disk?.heal();
        await stand.host.close();
        stand.disk?.close();
      }
    },
  };
}

async function runSafely(input) {
  try {
    return await runRound(input);
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { record: null, violations: [{ law: 'stuck', text: `the round could not be finished: ${text}` }] };
  }
}

/** Everything about a round that broke a law: .tmp/torture-SEED.json. */
function keep({ plan, record, seen, violations }, seed) {
  const readable = (_key, value) => (value instanceof Map ? [...value.values()] : value);
  const text = JSON.stringify({ violations, plan, record, seen }, readable, 1);
  writeFileSync(join(FOLDER, `torture-${seed}.json`), text);
}

function add(totals, { record, violations }, seed) {
  totals.rounds += 1;
  if (record !== null) {
    totals.messages += record.messages.size;
    totals.events += record.events.size;
    totals.posts += record.posts.size;
    totals.commands += record.commands.size;
  }
  for (const one of violations) totals.broken.push({ ...one, seed });
}

function describe(seed, kind, { plan, record, violations }, tookMs) {
  const what = record === null ? '' : `, ${record.messages.size} messages, ${record.events.size} events`;
  const at = plan?.killAt ? ` ${plan.killAt}` : '';
  const head = `round ${seed}: ${kind}${at}${what}, ${Math.round(tookMs)} ms`;
  return [head, ...violations.map(({ law, text }) => `    ${law}: ${text}`)].join('\n');
}

function progress(done, rounds, { broken }) {
  const line = `torture: ${done} of ${rounds} rounds, ${broken.length} violations`;
  if (process.stdout.isTTY) process.stdout.write(`\r${line}`);
  else say(line);
}

function printTable(totals, seconds, skipped) {
  const rows = [
    ['rounds', `${totals.rounds} in ${seconds.toFixed(1)} s`],
    ['messages', totals.messages],
    ['events', totals.events],
    ['posts', totals.posts],
    ['commands', totals.commands],
    ...[...totals.counts].sort().map(([name, times]) => [`fault: ${name}`, times]),
    ...[...skipped].map(([kind, why]) => [`skipped: ${kind}`, why]),
  ];
  for (const law of Object.keys(LAWS)) {
    const broken = totals.broken.filter((one) => one.law === law);
    if (broken.length === 0) continue;
    const seeds = [...new Set(broken.map(({ seed }) => seed))];
    const more = seeds.length > 12 ? ` and ${seeds.length - 12} more` : '';
    rows.push([`BROKEN: ${law}`, `${broken.length} (${LAWS[law]}); seeds ${seeds.slice(0, 12).join(' ')}${more}`]);
    rows.push(['', `e.g. ${broken[0].text}`]);
  }
  rows.push(['violations', totals.broken.length]);
  const width = Math.max(...rows.map(([name]) => name.length));
  say(`\n${rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')}`);
}
