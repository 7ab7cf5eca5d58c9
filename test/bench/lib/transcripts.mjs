/** Conversations of any length, written straight to a home that no server uses. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** With the rest of the line 1.6 KB, as entries are on average. */
const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(32);
const BATCH = 5_000;

const renderEntry = (seq) =>
  JSON.stringify({
    seq,
    ts: '2026-01-01T00:00:00.000Z',
    role: 'assistant',
    text: `${seq} ${TEXT}`,
    status: 'completed',
    turn_id: `turn-${Math.ceil(seq / 20)}`,
    item_id: `item-${seq}`,
    event: 'item/completed',
  });

export function writeTranscript(path, entries) {
  writeFileSync(path, '', { mode: 0o600 });
  for (let seq = 1; seq <= entries; seq += BATCH) {
    const count = Math.min(BATCH, entries - seq + 1);
    const lines = Array.from({ length: count }, (_, n) => `${renderEntry(seq + n)}\n`);
    writeFileSync(path, lines.join(''), { flag: 'a' });
  }
}

export function writeConversation({ home, cwd, number, entries }) {
  const id = `conv_${number.toString(16).padStart(32, '0')}`;
  const dir = join(home, 'conversations', id);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const meta = {
    conversation_id: id,
    thread_id: null,
    label: null,
    model: null,
    reasoning_effort: null,
    approval: 'never',
    sandbox: 'read-only',
    cwd,
    markdown: true,
    command_output_lines: 20,
    pinned: false,
    draft: '',
    mode: 'default',
    rollout_path: null,
    preview: 'bench',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    archived: false,
    revision: 1,
    queue: [],
    queue_paused: false,
    read_seq: 0,
    history: null,
  };
  writeFileSync(join(dir, 'conversation_meta.json'), JSON.stringify(meta), { mode: 0o600 });
  writeTranscript(join(dir, 'transcript.jsonl'), entries);
  return id;
}
