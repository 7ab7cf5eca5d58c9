/** The blocks of one conversation as they lie on disk, kept level with what the host tells. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BlockRecord } from '../../contract/pty-host.ts';
import type { OutputPage } from '../../contract/routes-terminal.ts';
import { Block, type BlockId } from '../../contract/terminal.ts';
import { cleanOutput } from '../../core/terminal/clean-output.ts';
import { parseAs } from '../../node/read-json.ts';
import type { BlockQuery } from './terminals.ts';

export interface BlockStore {
  put(record: BlockRecord): void;
  get(id: BlockId): BlockRecord | null;
  /** Oldest first. */
  all(): readonly BlockRecord[];
  lastSeq(): number;
  page(query: BlockQuery): Promise<Block[]>;
  output(record: BlockRecord, offset: number, maxBytes: number, keepsColors: boolean): Promise<OutputPage>;
  /** What it printed, whole as far as it was kept. */
  text(record: BlockRecord, keepsColors?: boolean): Promise<{ text: string; omittedBytes: number }>;
}

/** In memory; older ones are on disk for whoever looks there. */
const MAX_BLOCKS = 10_000;

export async function openBlockStore(dir: string): Promise<BlockStore> {
  const records = new Map<BlockId, BlockRecord>();
  const put = (record: BlockRecord) => {
    records.set(record.block_id, record);
    const [oldest] = records.keys();
    if (records.size > MAX_BLOCKS && oldest !== undefined) records.delete(oldest);
  };
  const text = await readFile(join(dir, 'blocks.jsonl'), 'utf8').catch(() => '');
  for (const line of text.split('\n')) for (const record of parseRecord(line)) put(record);

  const outPath = (id: BlockId) => join(dir, 'blocks', `${id}.out`);
  const all = () => [...records.values()];

  const isMatch = async (record: BlockRecord, needle: string): Promise<boolean> => {
    if (record.cmd.toLowerCase().includes(needle)) return true;
    const raw = await readFile(outPath(record.block_id), 'utf8').catch(() => '');
    return cleanOutput(raw).toLowerCase().includes(needle);
  };

  return {
    put,
    get: (id) => records.get(id) ?? null,
    all,
    lastSeq: () => all().at(-1)?.seq ?? 0,
    async page({ after, before, limit, query }) {
      const inRange = all().filter(({ seq }) => seq > (after ?? 0) && seq < (before ?? Number.POSITIVE_INFINITY));
      const needle = (query ?? '').toLowerCase();
      // From the end that was asked for: what is nearest to it comes first.
      const ordered = after === undefined ? inRange.reverse() : inRange;
      const found: Block[] = [];
      for (const record of ordered) {
        if (found.length >= limit) break;
        if (needle === '' || (await isMatch(record, needle))) found.push(Block.parse(record));
      }
      return found.sort((a, b) => a.seq - b.seq);
    },
    async output(record, offset, maxBytes, keepsColors) {
      const { output_bytes: total } = record;
      const isRunning = record.status === 'running';
      const file = await readFile(outPath(record.block_id)).catch(() => Buffer.alloc(0));
      // The file of a running command is ahead of what was told of it: read now, the rest would be read twice.
      const bytes = isRunning ? file.subarray(0, total) : file;
      const head = isRunning ? bytes.length : Math.min(record.head_bytes, bytes.length);
      const tailFrom = isRunning ? total : Math.max(head, total - (bytes.length - head));
      // Nothing is kept of the middle: whoever asks for it gets the tail.
      const from = offset < head ? offset : Math.max(offset, tailFrom);
      const inFile = from < head ? from : head + (from - tailFrom);
      const stop = from < head ? head : bytes.length;
      const part = wholeCharacters(
        bytes.subarray(inFile, Math.min(stop, inFile + maxBytes)),
        inFile + maxBytes >= stop,
      );
      const next = from + part.length;
      return {
        text: cleanOutput(part.toString('utf8'), keepsColors),
        offset: Math.min(from, total),
        next_offset: Math.min(next >= head && next < tailFrom ? tailFrom : next, total),
        total_bytes: total,
        omitted_bytes: tailFrom - head,
      };
    },
    async text(record, keepsColors = false) {
      const bytes = await readFile(outPath(record.block_id)).catch(() => Buffer.alloc(0));
      const head = record.status === 'running' ? bytes.length : Math.min(record.head_bytes, bytes.length);
      const omittedBytes = Math.max(0, record.output_bytes - bytes.length);
      if (omittedBytes === 0) return { text: cleanOutput(bytes.toString('utf8'), keepsColors), omittedBytes };
      const parts = [bytes.subarray(0, head), bytes.subarray(head)].map((part) =>
        cleanOutput(part.toString('utf8'), keepsColors),
      );
      return { text: parts.join(`\n… ${omittedBytes} bytes omitted …\n`), omittedBytes };
    },
  };
}

/** A torn or foreign line is no record. */
function parseRecord(line: string): BlockRecord[] {
  const record = line === '' ? null : parseAs(BlockRecord, line);
  return record === null ? [] : [record];
}

/** Without the beginning of a character whose rest is on the next page. */
function wholeCharacters(bytes: Buffer, isLast: boolean): Buffer {
  if (isLast) return bytes;
  let end = bytes.length;
  while (end > 0 && end > bytes.length - 4 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  const lead = bytes[end - 1] ?? 0;
  const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return bytes.length - (end - 1) >= needed ? bytes : bytes.subarray(0, end - 1);
}
