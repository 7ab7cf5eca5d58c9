/**
 * The contract suite: a Codex, the pinned one or the one of `npm run codex:try`, is driven through every scenario, and what it says leaves
 * the entries of the recording. `SIGNALBOX_RECORD=1` writes the recordings of the pinned version anew.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { CODEX_VERSION } from '../../src/contract/generated/codex-methods.ts';
import { FIXTURES, readRecording, replay, summaryOf, type Wire } from '../recording.ts';
import { codexUnderTest, openRecorder } from './recorder.ts';
import { SCENARIOS } from './scenarios.ts';

const isRecording = process.env.SIGNALBOX_RECORD === '1';
/** A scenario starts one process and has at most six turns. */
const LIMIT_MS = 120_000;

let codexBin = '';
let version = '';
beforeAll(async () => {
  codexBin = await codexUnderTest();
  version = execFileSync(codexBin, ['--version'], { encoding: 'utf8' }).trim().replace('codex-cli ', '');
});

/** What a reader sees, without what differs from run to run: ids, times, token counts and the paths of temporary files. */
function told(wires: readonly Wire[]): unknown {
  const { runs, elsewhere } = replay(wires);
  return {
    threads: [...runs.values()].map((run) => ({
      entries: run.entries.filter((entry) => entry.role !== 'token_usage').map(withoutNumbers),
      asks: run.asks.map(({ ask, decisions }) => ({ ask: ask.kind, decisions })),
    })),
    unknown: [...runs.values()].flatMap((run) => run.notes),
    elsewhere: elsewhere.map((signal) => signal.type),
  };
}

const DIFFERS = new Set([
  'seq',
  'ts',
  'turn_id',
  'item_id',
  'duration_ms',
  'approval_id',
  'process_id',
  'event',
  'diff_id',
]);

function withoutNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNumbers);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !DIFFERS.has(key));
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutNumbers(one)]));
}

test.each(SCENARIOS)('[CX60] $name: $done', { timeout: LIMIT_MS }, async ({ name, done, play }) => {
  const codex = await openRecorder(codexBin);
  try {
    await play(codex);
  } finally {
    await codex.close();
  }
  const wires = codex.wires();
  if (isRecording) store(name, done, wires);
  expect(told(wires)).toEqual(told(readRecording(`${CODEX_VERSION}/${name}`)));
});

function store(name: string, done: string, wires: readonly Wire[]): void {
  if (version !== CODEX_VERSION) throw new Error(`only the pinned Codex ${CODEX_VERSION} is recorded, not ${version}`);
  const folder = join(FIXTURES, version);
  mkdirSync(folder, { recursive: true });
  const write = (ending: string, text: string) => writeFileSync(join(folder, `${name}.${ending}`), `${text}\n`);
  write('jsonl', wires.map(({ dir, msg }) => JSON.stringify({ dir, msg })).join('\n'));
  const provenance = 'recorded from the real binary with a scripted model; paths replaced';
  write('meta.json', JSON.stringify({ version, done, recorded: new Date().toISOString(), provenance }, null, 2));
  write('expected.json', JSON.stringify({ only: summaryOf(replay(wires)) }, null, 2));
}

test('[CX60] a recording names no folder of the machine it was made on', () => {
  for (const { name } of SCENARIOS) {
    const text = readFileSync(join(FIXTURES, CODEX_VERSION, `${name}.jsonl`), 'utf8');
    expect(text).not.toMatch(/\/(work|root|tmp)\//);
  }
});
