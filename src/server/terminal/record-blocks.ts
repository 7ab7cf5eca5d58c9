/** Each block of a shared terminal becomes a pair of entries in the transcript, once: also for what ended while no server ran. */
import { join } from 'node:path';
import type { Entry, NewEntry } from '../../contract/entry.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { type BlockRecord, RecordedBlocks } from '../../contract/pty-host.ts';
import { isSharedTerminal } from '../../core/terminal/terminal-key.ts';
import { cutMiddle } from '../../core/text/cut.ts';
import { writeFileAtomic } from '../../node/atomic-file.ts';
import { createKeyedQueue } from '../../node/keyed-queue.ts';
import type { Logger } from '../../node/logger.ts';
import { readJson } from '../../node/read-json.ts';
import type { PtyHostLink } from './pty-host-link.ts';

export interface BlockTranscript {
  append(id: ConversationId, entry: NewEntry): Promise<void>;
  /** The newest entries; empty for a conversation that is gone. */
  recent(id: ConversationId): Promise<readonly Entry[]>;
}

interface Book {
  readonly inputs: Set<string>;
  readonly outputs: Set<string>;
  seq: number;
}

export interface BlockRecorder {
  /** Adds to the transcript the blocks on disk that it lacks; returns those whose end it did not have. */
  reconcile(id: ConversationId): Promise<readonly BlockRecord[]>;
  forget(id: ConversationId): void;
  drain(): Promise<void>;
}

export function recordBlocks(options: {
  readonly link: PtyHostLink;
  readonly transcript: BlockTranscript;
  readonly dirOf: (id: ConversationId) => string;
  readonly log: Logger;
}): BlockRecorder {
  const { link, transcript } = options;
  const books = new Map<ConversationId, Promise<Book>>();
  const queue = createKeyedQueue<ConversationId>((error, id) =>
    options.log.warn({ error, id }, 'a block was not recorded'),
  );
  const recordedPath = (id: ConversationId) => join(options.dirOf(id), 'recorded.json');

  const openBook = async (id: ConversationId): Promise<Book> => {
    const seq = (await readJson(recordedPath(id), RecordedBlocks))?.seq ?? 0;
    const book: Book = { inputs: new Set(), outputs: new Set(), seq };
    for (const entry of await transcript.recent(id)) {
      if (entry.role === 'shell_input' && entry.block_id !== undefined) book.inputs.add(entry.block_id);
      if (entry.role === 'shell_output' && entry.block_id !== undefined) book.outputs.add(entry.block_id);
    }
    return book;
  };
  const bookOf = (id: ConversationId): Promise<Book> => {
    const book = books.get(id) ?? openBook(id);
    books.set(id, book);
    return book;
  };

  /** True when its end is new. */
  const record = async (id: ConversationId, block: BlockRecord): Promise<boolean> => {
    const book = await bookOf(id);
    if (block.seq <= book.seq) return false;
    const origin = { block_id: block.block_id, actor: block.actor };
    if (!book.inputs.has(block.block_id)) {
      book.inputs.add(block.block_id);
      await transcript.append(id, { role: 'shell_input', command: block.cmd, cwd: block.cwd, ...origin });
    }
    if (block.status === 'running') return false;
    const isNew = !book.outputs.has(block.block_id);
    if (isNew) {
      book.outputs.add(block.block_id);
      const { text, omittedBytes } = await (await link.store(id)).text(block, true);
      const cut = cutMiddle(text);
      const omitted = omittedBytes + cut.omitted;
      await transcript.append(id, {
        role: 'shell_output',
        command: block.cmd,
        stdout: block.alt_screen ? '' : cut.text,
        stderr: '',
        ...(omitted > 0 && { output_omitted: omitted, output_lines: block.output_lines }),
        exit_code: block.exit_code,
        duration_ms: block.ts_end === null ? null : Math.max(0, block.ts_end - block.ts_begin),
        ...origin,
      });
    }
    book.seq = block.seq;
    book.inputs.delete(block.block_id);
    book.outputs.delete(block.block_id);
    await writeFileAtomic(recordedPath(id), `${JSON.stringify({ seq: block.seq })}\n`);
    return isNew;
  };

  link.listenAll((id, event) => {
    if (event.type === 'block' && event.kind !== 'change' && isSharedTerminal(id))
      void queue.add(id, () => record(id, event.record));
  });

  return {
    async reconcile(id) {
      const missed: BlockRecord[] = [];
      await queue.add(id, async () => {
        for (const block of (await link.store(id)).all()) if (await record(id, block)) missed.push(block);
      });
      return missed;
    },
    forget(id) {
      books.delete(id);
    },
    drain: queue.allIdle,
  };
}
