/** The worked examples of the specification, end to end: a wrapper script, a worker that reports, two repositories. */
import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { ask, eventsOf, fragmentsIn, inputOf, openTarget, publishSocket, toldIds, untilState } from './events-stand.ts';

const exec = promisify(execFile);
let box: Box;
beforeAll(async () => {
  box = await openBox();
  // The scripts of the specification know `~/.codex` only.
  await symlink(box.codexHome, join(box.dir, '.codex'));
});
afterAll(() => box.close());

/** As in the specification, but for the thread: also its line breaks inside quotes, which leave a backslash in the file. */
const wrapper = (threadId: string) => String.raw`#!/usr/bin/env bash
set -euo pipefail

thread_id="${threadId}"
inbox="$HOME/.codex/sessions/$thread_id/external_events.inbox.jsonl"

start_ms="$(python -c 'import time; print(int(time.time()*1000))')"
printf '%s\n' \
  '{"schema_version":1,"event_id":"evt_test_started","time_unix_ms":'"$start_ms"',\
"type":"build.status","severity":"info","title":"tests started","summary":"cargo test -p foo"}' \
  >>"$inbox"

if cargo test -p foo; then
  sev="info"
  title="tests passed"
  summary="cargo test -p foo succeeded"
else
  sev="error"
  title="tests failed"
  summary="cargo test -p foo failed (see terminal for logs)"
fi

end_ms="$(python -c 'import time; print(int(time.time()*1000))')"
printf '%s\n' \
  '{"schema_version":1,"event_id":"evt_test_done","time_unix_ms":'"$end_ms"',\
"type":"build.status","severity":"'"$sev"'","title":"'"$title"'","summary":"'"$summary"'"}' \
  >>"$inbox"
`;

/** The wrapper's world: a `cargo` whose tests fail, and a `python` that knows the time. */
async function makeTools(): Promise<string> {
  const bin = join(box.dir, 'bin');
  await mkdir(bin, { recursive: true });
  const tools = {
    cargo: '#!/bin/sh\necho "test foo ... FAILED"\nexit 101\n',
    python: `#!/bin/sh\nexec "${process.execPath}" -p 'Date.now()'\n`,
  };
  for (const [name, text] of Object.entries(tools)) {
    await writeFile(join(bin, name), text);
    await chmod(join(bin, name), 0o755);
  }
  return bin;
}

test('[EV40] a background test run reports into the thread by the wrapper of the specification', async () => {
  const target = await openTarget(box);
  const script = join(box.dir, 'wrapper.sh');
  await writeFile(script, wrapper(target.threadId));
  const env = { ...process.env, HOME: box.dir, PATH: `${await makeTools()}:${process.env.PATH}` };
  const { stdout } = await exec('bash', [script], { env });
  expect(stdout).toContain('FAILED');
  await untilState(box, target, 'evt_test_done', 'queued');
  const [fragment] = fragmentsIn(await ask(box, target, 'go on'));
  expect(fragment?.events).toMatchObject([
    { id: 'evt_test_started', severity: 'info', title: 'tests started' },
    { id: 'evt_test_done', severity: 'error', title: 'tests failed', trust: 'local unauthenticated' },
  ]);
});

test('[EV41] `signalbox run` is that wrapper in one line: its output, its exit code, both events', async () => {
  const target = await openTarget(box);
  const cli = join(import.meta.dirname, '../../dist/bin/signalbox.js');
  const run = (...command: string[]) =>
    exec(process.execPath, [cli, 'run', '--home', box.home, '--thread', target.threadId, '--', ...command]).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
    );
  expect(await run('sh', '-c', 'echo out; exit 7')).toEqual({ code: 7, stdout: 'out\n' });
  expect(await run('true')).toEqual({ code: 0, stdout: '' });
  expect((await run('no-such-command-here')).code).toBe(127);
  const { events } = await eventsOf(box, target);
  expect(events.map(({ type, severity, title }) => [type, severity, title])).toEqual([
    ['build.status', 'info', 'sh -c echo out; exit 7 started'],
    ['build.status', 'error', 'sh -c echo out; exit 7 failed'],
    ['build.status', 'info', 'true started'],
    ['build.status', 'info', 'true passed'],
    ['build.status', 'info', 'no-such-command-here started'],
    ['build.status', 'error', 'no-such-command-here failed'],
  ]);
});

test('[EV40] a worker conversation tells the main one what it found, mid-turn where that is allowed', async () => {
  const main = await openTarget(box);
  const worker = await openTarget(box);
  const finding = (id: string, summary: string) => ({
    schema_version: 1,
    event_id: id,
    time_unix_ms: 1_730_831_111_000,
    type: 'agent.message',
    severity: 'info',
    title: 'worker: likely root cause',
    summary,
    payload: { from: { name: 'codex-worker-1' }, refs: [{ kind: 'path', value: 'codex-rs/tui/src/lib.rs' }] },
  });
  box.model.push({ match: 'scan the logs', events: [{ say: 'Windows failure caused by path separator' }] });
  await ask(box, worker, 'scan the logs');
  const answer = (await box.entries(worker.id)).findLast((entry) => entry.role === 'assistant');
  const found = answer?.role === 'assistant' ? answer.text : '';
  await appendFile(main.inbox, `${JSON.stringify(finding('evt_worker_1', found))}\n`);
  await untilState(box, main, 'evt_worker_1', 'queued');
  const [told] = fragmentsIn(await ask(box, main, 'fix it'));
  expect(told?.events).toMatchObject([
    {
      id: 'evt_worker_1',
      summary: 'Windows failure caused by path separator',
      payload: { from: { name: 'codex-worker-1' } },
    },
  ]);

  await box.must('writeEventRules', {
    rules: [{ match_type: 'agent.message', prefer_steer: true, allow_sources: ['codex-worker-1'] }],
  });
  box.model.push({ match: 'work on', events: [{ say: 'working' }, { gate: 'main-turn' }, { say: 'done' }] });
  box.model.push({ match: 'Events from outside', events: [{ say: 'noted' }] });
  const watcher = await box.watch(main.id);
  await box.must('sendMessage', { conversation_id: main.id, text: 'work on' });
  await watcher.until((frame) => frame.type === 'assistant_delta' || frame.type === 'assistant_finalize', 'words');
  const more = {
    ...finding('evt_worker_2', 'and one more'),
    source: { name: 'codex-worker-1' },
    routing: { thread_id: main.threadId },
  };
  expect(await publishSocket(main, more)).toMatchObject([{ ok: true, delivered: { mode: 'turn_steer' } }]);
  await watcher.turnEnd();
  box.model.release('main-turn');
  expect(toldIds(inputOf(box.model.requests.at(-1)?.body.input))).toContain('evt_worker_2');
  await box.must('writeEventRules', { rules: null });
});

test('[EV40] two repositories tell each other what changed, each its own thread only', async () => {
  const code = await openTarget(box);
  const docs = await openTarget(box);
  const change = {
    schema_version: 1,
    event_id: 'evt_docs_sync_1',
    time_unix_ms: 1_730_831_111_000,
    type: 'repo.change',
    severity: 'info',
    title: 'CLI change needs docs update',
    summary: 'Added --foo; changed default config.bar from X to Y',
    payload: { from_repo: 'codex-cli', refs: [{ kind: 'path', value: 'docs/config.md' }] },
  };
  await appendFile(docs.inbox, `${JSON.stringify(change)}\n`);
  await appendFile(code.inbox, `${JSON.stringify({ ...change, event_id: 'evt_reply', title: 'docs are updated' })}\n`);
  await untilState(box, docs, 'evt_docs_sync_1', 'queued');
  await untilState(box, code, 'evt_reply', 'queued');
  expect(toldIds(await ask(box, docs, 'update the docs'))).toEqual(['evt_docs_sync_1']);
  expect(toldIds(await ask(box, code, 'what do they say?'))).toEqual(['evt_reply']);
  expect(await readFile(join(docs.dir, 'external_events.log.jsonl'), 'utf8')).not.toContain('evt_reply');
});
