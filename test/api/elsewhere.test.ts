/** A thread that is continued by another program of Codex: its turns appear here, once, in order, and marked; who has it open is said. */
import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findCodex } from '../../src/server/codex/binary.ts';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
let codex: string;
beforeAll(async () => {
  const found = await findCodex(undefined, '');
  if (!found.ok) throw new Error(found.error.message);
  codex = found.value.path;
  box = await openBox();
});
afterAll(() => box.close());

/** `codex exec` on the same Codex home. */
function exec(...args: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<number | null> } {
  const child = spawn(codex, ['exec', ...args, '--skip-git-repo-check'], {
    cwd: box.project,
    env: { ...process.env, CODEX_HOME: box.codexHome, HOME: box.dir },
    stdio: 'ignore',
  });
  return { child, ended: new Promise((done) => child.once('exit', done)) };
}

/** A conversation with one turn whose thread no Codex has loaded. */
async function closedThread(words: string) {
  const id = await box.create({ approval: 'never' });
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: words });
  await watcher.turnEnd();
  watcher.close();
  await box.must('stop', {});
  await box.must('start', {});
  await expect.poll(async () => (await box.must('status', {})).codex.state, { timeout: 20_000 }).toBe('ready');
  const { conversation } = await box.must('readConversation', { id });
  return { id, threadId: conversation.thread_id ?? '' };
}

const said = async (id: string) =>
  (await box.entries(id)).flatMap((entry) =>
    entry.role === 'user' ? [`${entry.from ?? 'here'}: ${entry.text}`] : entry.role === 'assistant' ? [entry.text] : [],
  );

test('[CS40] threads of `codex exec` are listed for import', async () => {
  expect(await exec('a lone thread').ended).toBe(0);
  const { rollouts } = await box.must('rollouts', {});
  expect(rollouts.map((one) => one.preview)).toContain('a lone thread');
});

test('[CS41] turns that were made elsewhere are there when the conversation is looked at, each once, in order and marked', async () => {
  const { id, threadId } = await closedThread('first words');
  for (let n = 1; n <= 7; n += 1) expect(await exec('resume', threadId, `elsewhere ${n}`).ended).toBe(0);
  const watcher = await box.watch(id);
  await watcher.turnEnd(7);
  const expected = [
    'here: first words',
    'scripted: first words',
    ...[1, 2, 3, 4, 5, 6, 7].flatMap((n) => [`codex exec: elsewhere ${n}`, `scripted: elsewhere ${n}`]),
  ];
  expect(await said(id)).toEqual(expected);
  await box.must('sendMessage', { conversation_id: id, text: 'here again' });
  await watcher.turnEnd(8);
  expect(await said(id)).toEqual([...expected, 'here: here again', 'scripted: here again']);
  const hits = (await box.must('search', { q: 'elsewhere 3' })).hits;
  expect(JSON.stringify(hits)).toContain(id);
});

test('[CS41] [CS42] a turn that runs elsewhere is followed live; who has the thread is said, and it is usable at once after', async () => {
  const { id, threadId } = await closedThread('second words');
  const watcher = await box.watch(id);
  box.model.push({ match: 'held there', events: [{ gate: 'there' }, { say: 'answered there' }] });
  const there = exec('resume', threadId, 'held there');
  const held = await watcher.until((frame) => frame.type === 'holder' && frame.holder !== null);
  expect(held).toMatchObject({ holder: { name: 'codex exec', pid: there.child.pid } });
  await watcher.until(
    (frame) => frame.type === 'message' && frame.entry.role === 'user' && frame.entry.text === 'held there',
  );
  expect(watcher.view().live.activity.state).toBe('running');
  const stop = await box.call('interrupt', { conversation_id: id });
  expect(stop.ok ? '' : stop.body.message).toContain('codex exec');
  const forked = await box.must('forkConversation', { id });
  expect(await said(forked.id)).toEqual([]);
  expect((await box.entries(forked.id)).length).toBe(0);
  box.model.release('there');
  expect(await there.ended).toBe(0);
  await watcher.turnEnd();
  await watcher.until((frame) => frame.type === 'holder' && frame.holder === null);
  expect(await said(id)).toEqual([
    'here: second words',
    'scripted: second words',
    'codex exec: held there',
    'answered there',
  ]);
  expect(await box.must('sendMessage', { conversation_id: id, text: 'mine' })).toMatchObject({ outcome: 'started' });
  await watcher.turnEnd(2);
  const forkedTurn = await box.watch(forked.id);
  await box.must('sendMessage', { conversation_id: forked.id, text: 'in the fork' });
  await forkedTurn.turnEnd();
});

test('[CS41] an imported thread that goes on elsewhere shows its new turns after its past', async () => {
  expect(await exec('begun in exec').ended).toBe(0);
  const { rollouts } = await box.must('rollouts', {});
  const found = rollouts.find((one) => one.preview === 'begun in exec');
  const { row } = await box.must('readConversation', { id: found?.conversation_id ?? '' });
  const past = await box.must('transcript', { conversation_id: row.id, limit: 50 });
  expect(past.entries.map((entry) => entry.role)).toEqual(['user', 'assistant', 'status']);
  const watcher = await box.watch(row.id);
  expect(await exec('resume', found?.thread_id ?? '', 'gone on in exec').ended).toBe(0);
  await watcher.turnEnd();
  const all = await box.must('transcript', { conversation_id: row.id, limit: 50 });
  const texts = all.entries.flatMap((entry) => ('text' in entry ? [entry.text] : []));
  expect(texts).toEqual(['begun in exec', 'scripted: begun in exec', 'gone on in exec', 'scripted: gone on in exec']);
});
