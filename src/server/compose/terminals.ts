/** Ties the shared terminals to the conversations: their directory, their transcript, and who follows them. */
import { join } from 'node:path';
import { ok } from '../../contract/result.ts';
import type { Registry } from '../conversations/registry.ts';
import type { Transcripts } from '../conversations/transcripts.ts';
import type { Hub } from '../hub/hub.ts';
import { createTerminals, type SharedTerminals, type TerminalsOptions } from '../terminal/create-terminals.ts';

export type TerminalSettings = Pick<
  TerminalsOptions,
  'launcher' | 'runDir' | 'shell' | 'outputHeadBytes' | 'outputTailBytes' | 'env'
>;

interface TerminalStackOptions extends TerminalSettings, Pick<TerminalsOptions, 'home' | 'clock' | 'log'> {
  readonly registry: Registry;
  readonly transcripts: Transcripts;
  readonly hub: Hub;
}

/** Looked through for blocks that are recorded already: more than can end between two writes of what is recorded. */
const RECENT_ENTRIES = 1_000;

export function composeTerminals(options: TerminalStackOptions): SharedTerminals {
  const { registry, transcripts, hub } = options;
  return createTerminals({
    ...options,
    folderOf: (id) => join(options.home, 'conversations', id),
    async cwdOf(id) {
      const opened = await registry.open(id);
      return opened.ok ? ok(opened.value.meta().cwd) : opened;
    },
    transcript: {
      append: async (id, entry) => void (await (await transcripts.open(id))?.append(entry)),
      recent: async (id) => (await (await transcripts.open(id))?.lastEntries(RECENT_ENTRIES)) ?? [],
    },
    onOutput(id, { block_id, output_bytes }) {
      const after = registry.peek(id)?.session.publishedSeq();
      // Whoever follows a conversation has it loaded.
      if (after === undefined) return;
      hub.publish(id, { type: 'block_output', conversation_id: id, after, block_id, output_bytes });
    },
  });
}
