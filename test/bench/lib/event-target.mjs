/** What the benches of External Events share: a thread that can be reached, and an event as CI systems send it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './stand.mjs';

let made = 0;

/** A conversation with a thread of its own, so that each measurement begins with an empty ledger. */
export async function target(box) {
  const id = await box.create();
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: 'hello' });
  await watcher.turnEnd();
  watcher.close();
  const { row } = await box.must('readConversation', { id });
  const dir = join(box.codexHome, 'sessions', row.thread_id);
  let discovery = null;
  await until(() => {
    try {
      discovery = JSON.parse(readFileSync(join(dir, 'external_events.json'), 'utf8'));
      return true;
    } catch {
      return false;
    }
  }, 'the discovery file');
  return { id, threadId: row.thread_id, dir, discovery, inbox: join(dir, 'external_events.inbox.jsonl') };
}

/** About 430 bytes. */
export function envelope(threadId) {
  made += 1;
  return {
    schema_version: 1,
    event_id: `evt_bench_${process.pid}_${made}`,
    time_unix_ms: 1_730_831_111_000,
    type: 'build.completed',
    severity: 'info',
    source: {
      name: 'buildkite',
      instance: 'org/repo',
      run_id: `build-${made % 50}`,
      url: 'https://ci.example/org/repo/1234',
    },
    routing: { thread_id: threadId, correlation_id: 'release-1' },
    title: 'Build finished',
    summary: 'Linux x86_64 passed; Windows failed in two tests',
    payload: { job: 'linux', duration_s: 431, tests: { passed: 1822, failed: 2 } },
  };
}

/** As the event socket takes it. */
export const eventLine = (token, threadId) => `${JSON.stringify({ token, event: envelope(threadId) })}\n`;

export function countLines(chunk) {
  let count = 0;
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count += 1;
  return count;
}
