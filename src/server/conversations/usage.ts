/** Tokens per turn for the plot: read once from the end of the transcript, then only what was added. */
import type { ConversationId } from '../../contract/ids.ts';
import type { UsagePoint } from '../../contract/routes-search.ts';
import type { LogReader } from '../../node/read-log.ts';
import { parseEntry } from './session.ts';
import type { Transcripts } from './transcripts.ts';

export interface Usage {
  points(id: ConversationId): Promise<readonly UsagePoint[]>;
}

/** As many as a plot has pixels for. */
const MAX_POINTS = 500;
/** Conversations whose points are kept: a few tabs' worth, at about 100 KB each. */
const MAX_KEPT = 32;
const SLICE_ENTRIES = 1_000;
const SLICE_BYTES = 512 * 1024;
const MARK = '"role":"token_usage"';

interface Kept {
  readonly points: readonly UsagePoint[];
  readonly upTo: number;
}

export function createUsage({ borrow }: Pick<Transcripts, 'borrow'>): Usage {
  const kept = new Map<ConversationId, Kept>();
  const reading = new Map<ConversationId, Promise<readonly UsagePoint[]>>();

  const read = async (id: ConversationId): Promise<readonly UsagePoint[]> => {
    const lent = await borrow(id, 'transcript');
    if (lent === null) return [];
    try {
      const { reader } = lent;
      const last = reader.index.lastSeq();
      const known = kept.get(id);
      const isUsable = known !== undefined && known.upTo <= last;
      const points = isUsable ? await readOn(reader, known) : await readBack(reader, last);
      kept.delete(id);
      kept.set(id, { points, upTo: last });
      const [oldest] = kept.keys();
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
      return points;
    } finally {
      await lent.release();
    }
  };

  return {
    points(id) {
      const running = reading.get(id) ?? read(id).finally(() => reading.delete(id));
      reading.set(id, running);
      return running;
    },
  };
}

async function readBack(reader: LogReader, last: number): Promise<UsagePoint[]> {
  /** By turn, newest first: a turn stands where it was first told and shows what was last told. */
  const newestFirst = new Map<string, UsagePoint>();
  for (let before: number | null = last + 1; before !== null && newestFirst.size < MAX_POINTS; ) {
    const page = await reader.read({ before, limit: SLICE_ENTRIES, maxBytes: SLICE_BYTES });
    for (const point of page.lines.flatMap(pointOf).reverse()) {
      const key = point.turn_id ?? `entry ${point.seq}`;
      const last = newestFirst.get(key) ?? point;
      newestFirst.delete(key);
      newestFirst.set(key, last);
    }
    before = page.hasMore ? page.firstSeq : null;
    await nextTurn();
  }
  return [...newestFirst.values()].slice(0, MAX_POINTS).reverse();
}

async function readOn(reader: LogReader, known: Kept): Promise<UsagePoint[]> {
  const points = [...known.points];
  for (let after: number | null = known.upTo; after !== null; ) {
    const page = await reader.read({ after, limit: SLICE_ENTRIES, maxBytes: SLICE_BYTES });
    for (const point of page.lines.flatMap(pointOf)) {
      const at = point.turn_id === null ? -1 : points.findLastIndex((one) => one.turn_id === point.turn_id);
      if (at >= 0) points[at] = point;
      else points.push(point);
    }
    after = page.hasMore ? page.lastSeq : null;
    if (after !== null) await nextTurn();
  }
  return points.slice(-MAX_POINTS);
}

function pointOf(line: string): UsagePoint[] {
  // Wherever the role stands: other programs write transcripts too.
  if (!line.includes(MARK)) return [];
  const [entry] = parseEntry(line);
  if (entry?.role !== 'token_usage') return [];
  const { seq, ts, total_tokens, input_tokens, cached_input_tokens, output_tokens, context_window } = entry;
  const turn_id = entry.turn_id ?? null;
  return [{ seq, ts, turn_id, total_tokens, input_tokens, cached_input_tokens, output_tokens, context_window }];
}

const nextTurn = (): Promise<void> => new Promise((done) => setImmediate(done));
