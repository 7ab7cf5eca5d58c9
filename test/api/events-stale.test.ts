/** Targets that are not what they were: archived, deleted, lost and replaced, known to Codex only, known to nobody. */
import { execFile } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import {
  ask,
  eventFor,
  eventsOf,
  openTarget,
  post,
  publishSocket,
  type Target,
  targetOf,
  toldIds,
  untilState,
} from './events-stand.ts';

const CLI = join(import.meta.dirname, '../../dist/bin/signalbox.js');
const LEDGER = 'external_events.log.jsonl';
const SECRET = 'of the hook';
const WAIT = { timeout: 25_000, interval: 20 };
let box: Box;
beforeAll(async () => {
  const sources = `[{ type = "webhook", provider = "github", secret = "${SECRET}" }]`;
  box = await openBox({ flags: ['-c', `external_events.sources=${sources}`] });
});
afterAll(() => box?.close());

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
const rowsOf = async (target: Pick<Target, 'threadId'>) => {
  const all = [{}, { archived: 'true' as const }].map((query) => box.must('listConversations', query));
  return (await Promise.all(all)).flatMap(({ conversations }) =>
    conversations.filter((row) => row.thread_id === target.threadId),
  );
};

/** What each way in that can still be tried says to a producer: HTTP, its batch, a webhook, RPC and the command line. */
async function tell(threadId: string): Promise<Record<string, unknown>> {
  const batch = await post(box, [eventFor(threadId)], {}, '/v1/events:batch');
  const body = JSON.stringify({ zen: 'x' });
  const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
  const headers = { authorization: '', 'x-hub-signature-256': signature, 'x-github-event': 'ping' };
  const hook = await post(box, body, { ...headers, 'x-github-delivery': randomUUID() }, `/v1/hooks/github/${threadId}`);
  const rpc = await box.call('rpc', { method: 'externalEvent/publish', params: { event: eventFor(threadId) } });
  const cli = await new Promise((done) => {
    const args = ['events', 'send', '--thread', threadId, '--type', 'a', '--title', 'b', '--home', box.home];
    execFile(process.execPath, [CLI, ...args], (error) => done(error?.code ?? 0));
  });
  const { status, body: said } = await post(box, eventFor(threadId));
  const [first] = batch.body.results ?? [];
  return {
    http: `${status} ${said.ok ? 'ok' : said.code}`,
    batch: `${batch.status} ${first?.ok === true ? 'ok' : first?.code}`,
    hook: hook.status,
    rpc: rpc.status,
    cli,
  };
}

const UNKNOWN = { http: '404 unknown_thread', batch: '404 unknown_thread', hook: 404, rpc: 404, cli: 5 };
const TAKEN = { http: '202 ok', batch: '202 ok', hook: 202, rpc: 200, cli: 0 };
const setRules = (isOn: boolean) =>
  box.must('writeEventRules', {
    rules: isOn ? [{ match_type: '*', delivery: 'auto_turn' }] : null,
    allow_sources: isOn ? ['ci'] : [],
  });

test('[EV42] a thread nobody knows is told to the producer on every way in, and nothing is made of it', async () => {
  const threadId = '01a1e4f1-0000-7000-8000-00000000dead';
  expect(await tell(threadId)).toEqual(UNKNOWN);
  expect(await isThere(join(box.codexHome, 'sessions', threadId))).toBe(false);
  expect(await rowsOf({ threadId })).toEqual([]);
});

test('[EV42] events for an archived conversation wait; none brings it back, a person does', async () => {
  const target = await openTarget(box);
  const { token, ipc } = await target.discovery();
  await box.must('archiveConversation', { id: target.id });
  await expect.poll(() => isThere(join(target.dir, 'external_events.json')), WAIT).toBe(false);
  await setRules(true);
  const requests = box.model.requests.length;
  const own = await post(box, eventFor(target.threadId), { authorization: `Bearer ${token}` });
  expect(own).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  expect(await isThere(ipc?.path ?? '')).toBe(false);
  const waking = eventFor(target.threadId);
  expect((await post(box, waking)).body).toMatchObject({ ok: true, delivered: { mode: 'queue_for_next_turn' } });
  const lying = eventFor(target.threadId);
  await appendFile(target.inbox, `${JSON.stringify(lying)}\n`);
  await box.restart();
  const late = eventFor(target.threadId);
  await post(box, late);
  expect((await eventsOf(box, target)).events).toMatchObject([
    { event_id: waking.event_id, state: 'queued', reason: 'archived' },
    { event_id: late.event_id, state: 'queued', reason: 'archived' },
  ]);
  expect(await rowsOf(target)).toMatchObject([{ id: target.id, archived: true }]);
  expect(box.model.requests.length).toBe(requests);
  await setRules(false);
  await box.must('unarchiveConversation', { id: target.id });
  await untilState(box, target, lying.event_id, 'queued');
  const told = [waking, late, lying].map(({ event_id }) => String(event_id));
  expect(toldIds(await ask(box, target, 'what did I miss?')).sort()).toEqual(told.sort());
});

test('[EV42] a deleted conversation takes no event and no event brings it back; restored, it has what waited', async () => {
  const target = await openTarget(box);
  const { token } = await target.discovery();
  const waiting = eventFor(target.threadId);
  await post(box, waiting);
  await box.must('deleteConversation', { id: target.id });
  await expect.poll(() => isThere(join(target.dir, 'external_events.json')), WAIT).toBe(false);
  expect(await tell(target.threadId)).toEqual(UNKNOWN);
  const own = await post(box, eventFor(target.threadId), { authorization: `Bearer ${token}` });
  expect(own).toMatchObject({ status: 401 });
  const lying = eventFor(target.threadId);
  await appendFile(target.inbox, `${JSON.stringify(lying)}\n`);
  await box.restart();
  expect(await tell(target.threadId)).toEqual(UNKNOWN);
  expect((await rowsOf(target)).filter((row) => !row.archived)).toEqual([]);
  await box.must('restoreConversation', { id: target.id });
  const again = await targetOf(box, target.id, target.threadId);
  await untilState(box, again, lying.event_id, 'queued');
  expect(await rowsOf(target)).toHaveLength(1);
  const told = [waiting, lying].map(({ event_id }) => String(event_id));
  expect(toldIds(await ask(box, again, 'here again')).sort()).toEqual(told.sort());
});

test('[EV42] a thread that Codex lost before its first turn is replaced: what waited goes along, and the old one is unknown', async () => {
  const id = await box.create();
  await box.kill();
  const path = join(box.home, 'conversations', id, 'conversation_meta.json');
  const lost = randomUUID();
  // As a crash leaves it between the start of a thread and that of its first turn.
  await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), thread_id: lost }));
  await box.restart();
  const old = await targetOf(box, id, lost);
  const { token, ipc } = await old.discovery();
  const event = eventFor(lost, { source: { name: 'ci', run_id: 'r1' } });
  expect((await publishSocket(old, event))[0]).toMatchObject({ ok: true });
  const items = await ask(box, old, 'first words');
  expect(toldIds(items)).toEqual([event.event_id]);
  const { row } = await box.must('readConversation', { id });
  expect(row.thread_id).not.toBe(lost);
  const fresh = await targetOf(box, id, row.thread_id ?? '');
  await untilState(box, fresh, event.event_id, 'delivered');
  expect((await eventsOf(box, fresh)).events).toMatchObject([{ trust: { authenticated: true, provenance: 'token' } }]);
  await expect.poll(() => isThere(join(old.dir, 'external_events.json')), WAIT).toBe(false);
  expect(await isThere(ipc?.path ?? '')).toBe(false);
  expect(await post(box, eventFor(lost), { authorization: `Bearer ${token}` })).toMatchObject({ status: 401 });
  expect(await tell(lost)).toEqual(UNKNOWN);
  expect(toldIds(await ask(box, fresh, 'second words'))).toEqual([event.event_id]);
});

test('[EV42] killed while a thread is replaced: what was not moved yet goes along at the next start, once, also over two threads', async () => {
  const id = await box.create();
  const path = join(box.home, 'conversations', id, 'conversation_meta.json');
  const change = async (meta: Record<string, unknown>) =>
    writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), ...meta }));
  const [first, second] = [randomUUID(), randomUUID()];
  await box.kill();
  await change({ thread_id: first });
  await box.restart();
  const old = await targetOf(box, id, first);
  const [moved, left, lying] = [eventFor(first), eventFor(first), eventFor(first)];
  expect(await publishSocket(old, moved, left)).toMatchObject([{ ok: true }, { ok: true }]);
  await box.kill();
  // As a kill leaves it behind the first of two: stored for the new thread, and still waiting for the old one.
  const [line = ''] = (await readFile(join(old.dir, LEDGER), 'utf8')).split('\n');
  const next = join(box.codexHome, 'sessions', second);
  await mkdir(next, { mode: 0o700 });
  await writeFile(join(next, LEDGER), `${line.replace(first, second)}\n`, { mode: 0o600 });
  await appendFile(old.inbox, `${JSON.stringify(lying)}\n`);
  await change({ thread_id: second, lost_threads: [first] });
  await box.restart();
  const ids = [moved, left, lying].map(({ event_id }) => String(event_id)).sort();
  const idsOf = async (target: Target) => (await eventsOf(box, target)).events.map((one) => one.event_id).sort();
  const fresh = await targetOf(box, id, second);
  await expect.poll(() => idsOf(fresh), WAIT).toEqual(ids);
  expect(await tell(first)).toEqual(UNKNOWN);
  await box.restart();
  // This one is lost as well, with the first message.
  expect(toldIds(await ask(box, await targetOf(box, id, second), 'words at last')).sort()).toEqual(ids);
  const { row } = await box.must('readConversation', { id });
  const last = await targetOf(box, id, row.thread_id ?? '');
  for (const eventId of ids) await untilState(box, last, eventId, 'delivered');
  expect(await idsOf(last)).toEqual(ids);
  expect(toldIds(await ask(box, last, 'more words')).sort()).toEqual(ids);
});

test('[EV42] a thread that only Codex knows takes events, becomes a conversation once, and is told them', async () => {
  const target = await openTarget(box);
  await box.kill();
  await rm(join(box.home, 'conversations', target.id), { recursive: true });
  await rm(target.dir, { recursive: true });
  await mkdir(target.dir, { mode: 0o700 });
  const lying = eventFor(target.threadId);
  await appendFile(target.inbox, `${JSON.stringify(lying)}\n`);
  await box.restart();
  await expect.poll(async () => (await box.must('status', {})).running, WAIT).toBe(true);
  expect(await tell(target.threadId)).toEqual(TAKEN);
  const rows = await rowsOf(target);
  expect(rows).toHaveLength(1);
  const adopted = await targetOf(box, rows[0]?.id ?? '', target.threadId);
  await untilState(box, adopted, lying.event_id, 'queued');
  expect(toldIds(await ask(box, adopted, 'you again'))).toHaveLength(6);
  expect((await readdir(join(box.home, 'conversations'))).filter((name) => name === target.id)).toEqual([]);
});

test('[EV42] a line in the inbox of a thread that was not used for long goes along with the first message', async () => {
  const target = await openTarget(box);
  await box.kill();
  const path = join(box.home, 'conversations', target.id, 'conversation_meta.json');
  const meta = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify({ ...meta, updated_at: '2020-01-01T00:00:00.000Z' }));
  await box.restart();
  const lying = eventFor(target.threadId);
  await appendFile(target.inbox, `${JSON.stringify(lying)}\n`);
  // What the killed server left there is no way in.
  await expect.poll(() => isThere(join(target.dir, 'external_events.json')), WAIT).toBe(false);
  expect(toldIds(await ask(box, target, 'long time no see'))).toEqual([lying.event_id]);
});
