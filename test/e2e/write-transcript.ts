/** Conversations with a long past: their transcripts are written to disk while the server is away. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NewEntry } from '../../src/contract/entry.ts';
import type { Box } from '../../src/testing/box.ts';

const START_MS = Date.parse('2026-01-05T09:00:00Z');

/** Each maker gives the entries of one conversation; the server is started again once all are written. */
export async function writeTranscripts(box: Box, ...all: readonly (readonly NewEntry[])[]): Promise<string[]> {
  const ids = [];
  for (const _one of all) ids.push(await box.create());
  // A Codex that is only just starting could neither be found again nor be replaced at once.
  await box.must('initialize', {});
  await box.kill();
  for (const [at, entries] of all.entries()) {
    const lines = entries.map((entry, index) =>
      JSON.stringify({ seq: index + 1, ts: new Date(START_MS + index * 1_000).toISOString(), ...entry }),
    );
    await writeFile(join(box.home, 'conversations', ids[at] ?? '', 'transcript.jsonl'), `${lines.join('\n')}\n`);
  }
  await box.restart();
  return ids;
}

/** A past like any other: rows of every height. */
export function ordinaryPast(count: number): NewEntry[] {
  return Array.from({ length: count }, (_none, at): NewEntry => {
    const turn = { turn_id: `turn-${Math.floor(at / 4)}`, item_id: `item-${at}` };
    switch (at % 4) {
      case 0:
        return { role: 'user', text: `question ${at}\n${'and more of it\n'.repeat(at % 5)}`, ...turn };
      case 1:
        return {
          role: 'command',
          command: `make target-${at}`,
          cwd: '/',
          output: 'line\n'.repeat(at % 30),
          exit_code: at % 8 === 1 ? 1 : 0,
          duration_ms: at,
          status: 'completed',
          actions: [],
          ...turn,
        };
      case 2:
        return {
          role: 'assistant',
          text: `answer ${at}\n\n${'Some words of the answer. '.repeat(at % 23)}\n\n- a\n- b`,
          status: 'completed',
          ...turn,
        };
      default:
        return { role: 'status', status: 'success', turn_status: 'completed', duration_ms: 1_000, ...turn };
    }
  });
}
