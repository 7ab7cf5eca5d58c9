/** Conversations with what a page finds heavy: a large diff, long output, a long answer. Written to a home that no server uses. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeConversation } from './transcripts.mjs';

/** A file of which every third line was changed. */
export function largeDiff(lines) {
  const body = [];
  let [before, after] = [0, 0];
  for (let n = 1; body.length < lines; n += 1) {
    if (n % 3 === 0) {
      body.push(
        `-  const value${n} = compute(input, ${n});`,
        `+  const value${n} = compute(input, ${n + 1}); // changed`,
      );
    } else body.push(` export function line${n}(input: string): number { return input.length * ${n}; }`);
    before += 1;
    after += 1;
  }
  return `diff --git a/src/large.ts b/src/large.ts\n--- a/src/large.ts\n+++ b/src/large.ts\n@@ -1,${before} +1,${after} @@\n${body.join('\n')}\n`;
}

/** Replaces a conversation's transcript by these entries; `seq` and `ts` are put in. */
export function writeEntries({ home, cwd, number, entries }) {
  const id = writeConversation({ home, cwd, number, entries: 0 });
  const lines = entries.map((entry, at) =>
    JSON.stringify({
      seq: at + 1,
      ts: '2026-01-01T00:00:00.000Z',
      turn_id: 'turn-1',
      item_id: `item-${at}`,
      event: 'bench',
      ...entry,
    }),
  );
  writeFileSync(join(home, 'conversations', id, 'transcript.jsonl'), `${lines.join('\n')}\n`);
  return id;
}
