/** Where the files of one thread's events are, below Codex's own `sessions`. */
import { join } from 'node:path';

export interface ThreadFiles {
  readonly dir: string;
  readonly discovery: string;
  readonly inbox: string;
  readonly cursor: string;
  readonly drop: string;
  readonly socket: string;
  readonly rejected: string;
}

/** `threadId` is one that was found, never what a stranger wrote. */
export function threadFiles(codexHome: string, threadId: string): ThreadFiles {
  const dir = join(codexHome, 'sessions', threadId);
  return {
    dir,
    discovery: join(dir, 'external_events.json'),
    inbox: join(dir, 'external_events.inbox.jsonl'),
    cursor: join(dir, 'external_events_state.json'),
    drop: join(dir, 'inbox'),
    socket: join(dir, 'events.sock'),
    rejected: join(dir, 'external_events.rejected.jsonl'),
  };
}
