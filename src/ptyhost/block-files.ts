/** What a terminal leaves on disk: its blocks and their output, the story of them, pictures of the screen. */
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { BlockRecord } from '../contract/pty-host.ts';
import type { Block, BlockId, ShellId } from '../contract/terminal.ts';
import { parseAs } from '../node/read-json.ts';

export interface OutputLimits {
  readonly head: number;
  readonly tail: number;
}

export interface BlockFiles {
  readonly lastSeq: number;
  begin(block: Block, at: number): BlockRecord;
  /** Bytes of the running block, in order. Keeps the head. */
  write(bytes: Buffer): void;
  /** `tailOf`: the last bytes of the output, read back from the journal. */
  end(block: Block, tailOf: (max: number) => Buffer): BlockRecord;
  delta(block: Block, text: string): void;
  snapshot(name: 'screen' | 'scrollback', content: unknown): void;
}

/** Then the story goes on in a new file, and the one before is kept. */
const MAX_EVENTS_BYTES = 8 * 1024 * 1024;
/** Outputs of older blocks go; their lines in blocks.jsonl stay. */
const MAX_OUTPUTS = 1_000;

export function openBlockFiles(dir: string, shellId: ShellId, limits: OutputLimits): BlockFiles {
  mkdirSync(join(dir, 'blocks'), { recursive: true, mode: 0o700 });
  const blocksPath = join(dir, 'blocks.jsonl');
  const eventsPath = join(dir, 'events.jsonl');
  const outPath = (id: BlockId) => join(dir, 'blocks', `${id}.out`);
  const records = readRecords(blocksPath);
  const ids = records.map((record) => record.block_id);
  let open: { record: BlockRecord; fd: number | null; kept: number; seen: number } | null = null;

  /** A full disk must not take the terminal away; what is missing shows in `kept_bytes`. */
  const attempt = (work: () => void): boolean => {
    try {
      work();
      return true;
    } catch {
      return false;
    }
  };
  const line = (path: string, value: unknown) =>
    attempt(() => appendFileSync(path, `${JSON.stringify(value)}\n`, { mode: 0o600 }));
  const tell = (type: string, block: Block, more: object = {}) => {
    if (sizeOf(eventsPath) > MAX_EVENTS_BYTES) attempt(() => renameSync(eventsPath, join(dir, 'events.1.jsonl')));
    line(eventsPath, { type, ts: block.ts_end ?? block.ts_begin, shell_id: shellId, block, ...more });
  };

  writeFileSync(join(dir, 'shell_id.txt'), `${shellId}\n`, { mode: 0o600 });
  // What a power cut tore must not swallow the next line.
  if (existsSync(blocksPath) && !readFileSync(blocksPath, 'utf8').endsWith('\n')) appendFileSync(blocksPath, '\n');
  // The shell of a block that still runs in the file is gone with its host.
  for (const record of records) {
    if (record.status === 'running') line(blocksPath, { ...record, status: 'lost' });
  }

  return {
    lastSeq: records.at(-1)?.seq ?? 0,
    begin(block, at) {
      const record = { ...block, shell_id: shellId, at, head_bytes: 0, kept_bytes: 0 };
      let fd: number | null = null;
      attempt(() => {
        fd = openSync(outPath(block.block_id), 'w', 0o600);
      });
      open = { record, fd, kept: 0, seen: 0 };
      line(blocksPath, record);
      tell('agent_block_begin', block);
      ids.push(block.block_id);
      while (ids.length > MAX_OUTPUTS) rmSync(outPath(ids.shift() ?? ''), { force: true });
      return record;
    },
    write(bytes) {
      if (open === null) return;
      const { fd, kept, seen } = open;
      open.seen += bytes.length;
      if (fd === null || kept !== seen || kept >= limits.head) return;
      const part = bytes.subarray(0, limits.head - kept);
      if (attempt(() => writeSync(fd, part))) open.kept += part.length;
    },
    end(block, tailOf) {
      const head = open?.kept ?? 0;
      const fd = open?.fd ?? null;
      const tail = block.output_bytes > head ? tailOf(Math.min(limits.tail, block.output_bytes - head)) : NOTHING;
      let kept = head;
      if (fd !== null) {
        if (tail.length > 0 && attempt(() => writeSync(fd, tail))) kept += tail.length;
        closeSync(fd);
      }
      const at = open?.record.at ?? 0;
      const record = { ...block, shell_id: shellId, at, head_bytes: head, kept_bytes: kept };
      open = null;
      line(blocksPath, record);
      tell('agent_block_end', block);
      return record;
    },
    delta: (block, text) => tell('agent_block_delta', block, { text }),
    snapshot(name, content) {
      const path = join(dir, `${name}.snapshot.json`);
      attempt(() => {
        writeFileSync(`${path}.tmp`, `${JSON.stringify(content)}\n`, { mode: 0o600 });
        renameSync(`${path}.tmp`, path);
      });
    },
  };
}

const NOTHING = Buffer.alloc(0);

function readRecords(path: string): BlockRecord[] {
  if (!existsSync(path)) return [];
  const newest = new Map<string, BlockRecord>();
  for (const text of readFileSync(path, 'utf8').split('\n')) {
    // A torn last line is no record.
    const record = parseAs(BlockRecord, text);
    if (record !== null) newest.set(record.block_id, record);
  }
  return [...newest.values()];
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
