/** The file of a ledger: its lines, how it is read, and how it is written anew without what has expired. */
import { readFile, rm } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LedgerLine, type Trust } from '../../contract/external-event.ts';
import type { GoneKey } from '../../core/events/known-events.ts';
import { type Arrival, emptyLedger, foldLine, type LedgerState } from '../../core/events/ledger-state.ts';
import { isoTime } from '../../core/text/iso-time.ts';
import { errorCode, writeFileAtomic } from '../../node/atomic-file.ts';
import { openLogReader } from '../../node/read-log.ts';

/** Lines read at once while the ledger is opened. */
const PAGE = 2_000;
const KEYS_PER_LINE = 1_000;
/** Lines looked at before everybody else is served again. */
const LINES_PER_TURN = 200;

export async function loadLedger(path: string): Promise<LedgerState> {
  const state = emptyLedger();
  const reader = await openLogReader({ path }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (reader === null) return state;
  try {
    for (let after = 0; ; ) {
      const page = await reader.read({ after, limit: PAGE });
      for (const line of page.lines.flatMap(parseLine)) foldLine(state, line);
      if (page.lastSeq === null || !page.hasMore) return state;
      after = page.lastSeq;
    }
  } finally {
    await reader.close();
  }
}

/** Lines of our own: what does not parse was counted when the log was opened. */
export function parseLine(line: string): LedgerLine[] {
  try {
    const parsed = LedgerLine.safeParse(JSON.parse(line));
    return parsed.success ? [parsed.data] : [];
  } catch {
    return [];
  }
}

/** One `LedgerLine`. What came in as it is to be stored is not written out a second time: that costs as much as reading it. */
export function eventLine(seq: number, ts: string, arrival: Arrival, verbatim: string | null): string {
  const { event, ingress, standing, trust } = arrival;
  if (verbatim === null || standing.reason !== undefined)
    return JSON.stringify({ seq, ts, kind: 'event', ingress, ...standing, event: { ...event, trust } });
  const head = `{"seq":${seq},"ts":"${ts}","kind":"event","ingress":"${ingress}","state":"${standing.state}"`;
  return `${head},"mode":"${standing.mode}","event":${verbatim.slice(0, -1)},"trust":${trustText(trust)}}}`;
}

/** There are a handful of them, shared by all events. */
const trustTexts = new WeakMap<Trust, string>();

function trustText(trust: Trust): string {
  const known = trustTexts.get(trust);
  if (known !== undefined) return known;
  const text = JSON.stringify(trust);
  trustTexts.set(trust, text);
  return text;
}

/** Without the events of `gone` and what became of them; `keys` name all that went, now and earlier. Nobody else may use the file. */
export async function rewriteLedger(path: string, gone: ReadonlySet<number>, keys: readonly GoneKey[]): Promise<void> {
  const text = await readFile(path, 'utf8');
  const lines = await withoutGone(text.split('\n'), gone, keys);
  // First the index: one of the old file would point into the middle of the new one's lines.
  await rm(path.replace(/\.jsonl$/, '.idx'), { force: true });
  await writeFileAtomic(path, `${lines.join('\n')}\n`);
}

async function withoutGone(
  lines: readonly string[],
  gone: ReadonlySet<number>,
  keys: readonly GoneKey[],
): Promise<string[]> {
  const chunks = chunkKeys(keys);
  const left: string[] = [];
  // From the end: the keys take the places of the last lines that go, so that the last seq stays and the numbering never goes back.
  for (const [at, line] of lines.toReversed().entries()) {
    if (at % LINES_PER_TURN === 0) await nextTurn();
    const [parsed] = parseLine(line);
    if (parsed === undefined) continue;
    if (!isGone(parsed, gone)) {
      left.push(line);
      continue;
    }
    const chunk = chunks.pop();
    if (chunk !== undefined)
      left.push(JSON.stringify({ seq: parsed.seq, ts: isoTime(chunk.at), kind: 'seen', keys: chunk.keys }));
  }
  return left.toReversed();
}

/** With the time they went: were it that of the writing, none would ever be forgotten. There are no more of them than lines that go. */
function chunkKeys(keys: readonly GoneKey[]): { readonly at: number; readonly keys: string[] }[] {
  const chunks: { readonly at: number; readonly keys: string[] }[] = [];
  for (const { key, at } of keys) {
    const last = chunks.at(-1);
    if (last?.at === at && last.keys.length < KEYS_PER_LINE) last.keys.push(key);
    else chunks.push({ at, keys: [key] });
  }
  return chunks;
}

function isGone(line: LedgerLine, gone: ReadonlySet<number>): boolean {
  switch (line.kind) {
    case 'event':
      return gone.has(line.seq);
    case 'seen':
      return true;
    default:
      return line.events.every((seq) => gone.has(seq));
  }
}
