/** What people and programs see of events and do with them: webhooks, RPC, lists, rules, and the command line. */
import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Box, openBox } from '../../src/testing/box.ts';
import { eventFor, eventsOf, openTarget, post, type Target, untilState } from './events-stand.ts';

const SECRET = 'it is a secret';
const STANDARD = `whsec_${Buffer.from('another secret').toString('base64')}`;
const CLI = join(import.meta.dirname, '../../dist/bin/signalbox.js');
let box: Box;
let target: Target;
beforeAll(async () => {
  const sources = `[${[
    `{ type = "webhook", provider = "github", secret_env = "HOOK_SECRET" }`,
    `{ type = "webhook", provider = "gitlab", secret = "${SECRET}" }`,
    `{ type = "webhook", provider = "buildkite", secret = "new one", old_secret = "${SECRET}" }`,
    `{ type = "webhook", provider = "standard", secret = "${STANDARD}" }`,
  ].join(', ')}]`;
  box = await openBox({ env: { HOOK_SECRET: SECRET }, flags: ['-c', `external_events.sources=${sources}`] });
  target = await openTarget(box);
});
afterAll(() => box.close());

const hex = (text: string) => createHmac('sha256', SECRET).update(text).digest('hex');
const hook = (provider: string, body: unknown, headers: (text: string) => Record<string, string>) => {
  const text = JSON.stringify(body);
  const path = `/v1/hooks/${provider}/${target.threadId}`;
  return post(box, text, { authorization: '', ...headers(text) }, path);
};
const newest = async () => (await eventsOf(box, target)).events.at(-1);

describe('[EV16] webhooks', () => {
  const run = {
    action: 'completed',
    workflow_run: {
      id: 42,
      name: 'CI',
      conclusion: 'failure',
      html_url: 'https://github.com/o/r/runs/42',
      head_branch: 'main',
    },
    repository: { full_name: 'o/r' },
    sender: { login: 'octocat' },
  };
  const github = (delivery: string) => (text: string) => ({
    'x-hub-signature-256': `sha256=${hex(text)}`,
    'x-github-event': 'workflow_run',
    'x-github-delivery': delivery,
  });

  test('of GitHub become events, a repeated delivery is one', async () => {
    expect((await hook('github', run, github('d-1'))).status).toBe(202);
    expect(await newest()).toMatchObject({
      event_id: 'd-1',
      type: 'github.workflow_run',
      severity: 'error',
      title: 'workflow run: CI',
      source: { name: 'github', run_id: '42', url: 'https://github.com/o/r/runs/42' },
      trust: { origin: 'network', authenticated: true, provenance: 'signature' },
      state: 'queued',
    });
    const again = await hook('github', run, github('d-1'));
    expect(again).toMatchObject({ status: 202, body: { ok: true, duplicate: true } });
  });

  test('of GitLab, by token, and of Buildkite, by signature, also with the old secret', async () => {
    const pipeline = {
      object_attributes: { id: 7, status: 'failed', ref: 'main' },
      project: { path_with_namespace: 'g/p' },
    };
    await hook('gitlab', pipeline, () => ({
      'x-gitlab-token': SECRET,
      'x-gitlab-event': 'Pipeline Hook',
      'idempotency-key': 'gl-1',
    }));
    expect(await newest()).toMatchObject({
      event_id: 'gl-1',
      type: 'gitlab.pipeline',
      severity: 'error',
      trust: { provenance: 'shared_secret' },
    });
    const build = {
      build: { id: 'b-1', state: 'passed', web_url: 'https://bk/1', number: 3 },
      pipeline: { slug: 'app' },
    };
    const now = Math.floor(Date.now() / 1000);
    await hook('buildkite', build, (text) => ({
      'x-buildkite-event': 'build.finished',
      'x-buildkite-signature': `timestamp=${now},signature=${hex(`${now}.${text}`)}`,
    }));
    expect(await newest()).toMatchObject({
      type: 'buildkite.build.finished',
      severity: 'info',
      source: { name: 'buildkite', run_id: 'b-1' },
    });
  });

  const standard =
    (id: string, seconds: number, change: (signature: string) => string = (one) => one) =>
    (text: string) => {
      const at = Math.floor(Date.now() / 1000) + seconds;
      const key = Buffer.from(STANDARD.slice('whsec_'.length), 'base64');
      const signature = createHmac('sha256', key).update(`${id}.${at}.${text}`).digest('base64');
      return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': change(`v1,${signature}`) };
    };

  test('of the standard kind, within five minutes', async () => {
    const body = { type: 'invoice.paid', data: { id: 'in_1', title: 'Paid' } };
    expect((await hook('standard', body, standard('wh-1', 0))).status).toBe(202);
    expect(await newest()).toMatchObject({ event_id: 'wh-1', type: 'invoice.paid', source: { name: 'webhook' } });
    const refused = [
      await hook('standard', body, standard('wh-2', -301)),
      await hook('standard', body, standard('wh-3', 302)),
      await hook(
        'standard',
        body,
        standard('wh-4', 0, () => 'v1,'),
      ),
      await hook(
        'standard',
        body,
        standard('wh-5', 0, (one) => `v2${one.slice(2)}`),
      ),
      await hook('github', run, () => ({ 'x-hub-signature-256': 'sha256=00' })),
      await hook('github', { ...run, action: 'x' }, () => github('d-2')(JSON.stringify(run))),
      await hook('gitlab', {}, () => ({ 'x-gitlab-token': 'wrong' })),
      await post(box, '{}', { authorization: '' }, `/v1/hooks/github/${target.threadId}`),
    ];
    expect(refused.map(({ status }) => status)).toEqual(Array(8).fill(401));
    for (const { body: said } of refused) expect(JSON.stringify(said)).toContain('[[external_events.sources]]');
    expect((await newest())?.event_id).toBe('wh-1');
    expect(box.stderr()).not.toContain(SECRET);
  });
});

test('[EV19] clients that speak the app-server way publish, list, acknowledge and hear', async () => {
  const socket = new WebSocket(`${box.url().replace('http', 'ws')}/ws/appserver`, {
    headers: { ...box.sessionHeaders(), origin: box.url() },
  });
  const frames: { type: string; id?: number; method?: string; result?: { events?: unknown[]; unread?: number } }[] = [];
  socket.on('message', (data) => frames.push(JSON.parse(data.toString())));
  await new Promise((done) => socket.once('open', done));
  const call = async (id: number, method: string, params: object) => {
    socket.send(JSON.stringify({ type: 'rpc', id, method, params }));
    await expect.poll(() => frames.find((frame) => frame.id === id), { timeout: 20_000 }).toBeDefined();
    return frames.find((frame) => frame.id === id);
  };
  const event = eventFor(target.threadId);
  expect(await call(1, 'externalEvent/publish', { event })).toMatchObject({
    type: 'rpc_response',
    result: { ok: true, event_id: event.event_id },
  });
  expect(await call(2, 'externalEvent/publish', { event })).toMatchObject({
    type: 'rpc_error',
    code: 'duplicate_event',
  });
  const listed = await call(3, 'externalEvent/list', { thread_id: target.threadId, limit: 1 });
  expect(listed).toMatchObject({ result: { events: [{ event_id: event.event_id, ingress: 'rpc', read: false }] } });
  const acked = await call(4, 'externalEvent/ack', { thread_id: target.threadId, event_id: event.event_id });
  expect(acked?.result?.unread).toBe((listed?.result?.unread ?? 0) - 1);
  await expect
    .poll(() => frames.filter((frame) => frame.type === 'notification' && frame.method === 'externalEvent/received'), {
      timeout: 20_000,
    })
    .not.toHaveLength(0);
  socket.terminate();
  const overHttp = await box.must('rpc', {
    method: 'externalEvent/list',
    params: { thread_id: target.threadId, limit: 2 },
  });
  expect(overHttp.result).toMatchObject({ events: [{}, { event_id: event.event_id, read: true }] });
});

test('[EV17] lists page both ways, an event can be read whole, and reading is remembered over a restart', async () => {
  const own = await openTarget(box);
  const sent = Array.from({ length: 5 }, (_, at) => eventFor(own.threadId, { payload: { at } }));
  for (const event of sent) await post(box, event);
  const ids = async (query: object) =>
    (await box.must('listEvents', { thread_id: own.threadId, ...query })).events.map((one) => one.event_id);
  const all = await eventsOf(box, own);
  const [first, , third] = all.events;
  expect(await ids({ limit: 2 })).toEqual(sent.slice(-2).map((one) => one.event_id));
  expect(await ids({ limit: 2, after: first?.event_seq ?? 0 })).toEqual(sent.slice(1, 3).map((one) => one.event_id));
  expect(await ids({ before: third?.event_seq ?? 0 })).toEqual(sent.slice(0, 2).map((one) => one.event_id));
  const whole = await box.must('readEvent', { thread_id: own.threadId, event_seq: third?.event_seq ?? 0 });
  expect(whole.event.payload).toEqual({ at: 2 });
  await box.must('ackEvent', { thread_id: own.threadId, event_id: String(sent[0]?.event_id) });
  expect(await box.must('ackEvents', { thread_id: own.threadId, up_to: third?.event_seq ?? 0 })).toMatchObject({
    acked: 2,
    unread: 2,
  });
  await box.restart();
  expect((await eventsOf(box, own)).unread).toBe(2);
  expect(await ids({ unread: 'true' })).toEqual(sent.slice(3).map((one) => one.event_id));
  expect((await box.call('readEvent', { thread_id: own.threadId, event_seq: 999 })).status).toBe(404);
});

test('[EV38] rules are the person’s, can be tried before they are chosen, and go back to the configuration', async () => {
  const rules = [{ match_type: 'build.*', delivery: 'auto_turn' as const }];
  const event = eventFor(target.threadId, { type: 'build.failed' });
  const before = (await eventsOf(box, target)).total;
  const tried = await box.must('tryEvent', { event, rules });
  expect(tried).toMatchObject({ mode: 'queue_for_next_turn', rule: 0, reason: expect.stringContaining('allow-list') });
  expect(tried.model_text).toContain(String(event.event_id));
  expect(await box.must('tryEvent', { event, rules, allow_sources: ['ci'] })).toMatchObject({ mode: 'auto_turn' });
  expect((await eventsOf(box, target)).total).toBe(before);
  expect((await box.call('writeEventRules', { rules, allow_sources: ['ci'] }, 'token')).status).toBe(403);
  expect(await box.must('writeEventRules', { rules, allow_sources: ['ci'] })).toMatchObject({
    from: 'page',
    allow_sources: ['ci'],
  });
  expect(await box.must('tryEvent', { event })).toMatchObject({ mode: 'auto_turn' });
  expect(await box.must('tryEvent', { event, authenticated: false })).toMatchObject({ mode: 'queue_for_next_turn' });
  await box.restart();
  expect(await box.must('readEventRules', {})).toMatchObject({ from: 'page', rules: [{ match_type: 'build.*' }] });
  expect(await box.must('writeEventRules', { rules: null })).toMatchObject({ from: 'config', rules: [] });
  const schema = await box.must('eventSchema', {});
  expect(schema).toMatchObject({
    type: 'object',
    required: expect.arrayContaining(['schema_version', 'event_id', 'routing']),
  });
});

describe('[EV18] the command line', () => {
  const cli = (...args: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
      execFile(process.execPath, [CLI, ...args, '--home', box.home], (error, stdout, stderr) =>
        done({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
      );
    });
  const send = (...more: string[]) =>
    cli(
      'events',
      'send',
      '--thread',
      target.threadId,
      '--type',
      'agent.message',
      '--title',
      'docs agent: FYI',
      ...more,
    );

  test('sends a whole event from stdin, to the thread that was named', async () => {
    const artifact = { kind: 'log', ref: { type: 'url', url: 'https://ci.example/1' } };
    const event = { type: 'build.failed', title: 'Windows', artifacts: [artifact], routing: { thread_id: 'another' } };
    const args = ['events', 'send', '-', '--thread', target.threadId, '--event-id', 'cli-whole', '--home', box.home];
    const child = spawn(process.execPath, [CLI, ...args], { stdio: ['pipe', 'ignore', 'ignore'] });
    child.stdin.end(JSON.stringify(event));
    expect(await new Promise((done) => child.once('exit', done))).toBe(0);
    const { event_seq = 0 } = (await newest()) ?? {};
    const { event: stored } = await box.must('readEvent', { thread_id: target.threadId, event_seq });
    expect(stored).toMatchObject({ event_id: 'cli-whole', type: 'build.failed', artifacts: [artifact] });
    const bad = await cli('events', 'send', '{"type":"no type","title":"x"}', '--thread', target.threadId);
    expect([bad.code, bad.stderr]).toEqual([6, expect.stringContaining('type: expected dot-separated words')]);
    expect((await cli('events', 'send', '[]', '--thread', target.threadId)).code).toBe(6);
    expect((await cli('events', 'send', '--thread', target.threadId, '--type', 'a')).code).toBe(2);
  });

  test('sends, shows, lists and acknowledges, with an exit code for each refusal', async () => {
    const sent = await send(
      '--summary',
      'a \u001b[31mred\u001b[0m flag',
      '--payload-json',
      '{"from_repo":"codex-cli"}',
      '--event-id',
      'cli-1',
      '--json',
    );
    expect(JSON.parse(sent.stdout)).toMatchObject({ ok: true, event_id: 'cli-1' });
    expect((await send('--event-id', 'cli-1')).code).toBe(7);
    expect((await send('--payload-json', '{')).code).toBe(6);
    expect(
      (await cli('events', 'send', '--thread', '01a1e4f1-0000-7000-8000-000000000000', '--type', 'a', '--title', 'b'))
        .code,
    ).toBe(5);
    expect((await cli('events', 'send', '--type', 'a', '--title', 'b')).code).toBe(2);
    const shown = await cli('events', 'show', '--thread', target.threadId, '--last', '1');
    expect(shown.stdout).toMatch(
      /info +agent\.message {2}docs agent: FYI: a red flag {2}cli \(local\) {2}queued {2}unread\n$/,
    );
    const whole = await cli('events', 'show', String((await newest())?.event_seq), '--thread', target.threadId);
    expect(whole.stdout).toContain('"from_repo": "codex-cli"');
    expect((await cli('events', 'show', '999', '--thread', target.threadId)).code).toBe(1);
    const listed = JSON.parse((await cli('events', 'list', '--json')).stdout);
    expect(listed.threads).toEqual(expect.arrayContaining([expect.objectContaining({ thread_id: target.threadId })]));
    expect((await cli('events', 'ack', '--thread', target.threadId, 'cli-1')).stderr).toContain('1 read');
    expect((await cli('events', 'inbox-path', '--thread', target.threadId)).stdout.trim()).toBe(target.inbox);
  });

  test('tails what comes, until it is told to stop', async () => {
    const child = spawn(process.execPath, [
      CLI,
      'events',
      'tail',
      '--thread',
      target.threadId,
      '--json',
      '--home',
      box.home,
    ]);
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    const exited = new Promise<number | null>((done) => child.once('exit', done));
    // The first may come before it listens; it hears all from then on.
    await expect
      .poll(
        async () => {
          await post(box, eventFor(target.threadId));
          return lines.length;
        },
        { timeout: 25_000, interval: 200 },
      )
      .toBeGreaterThan(0);
    child.kill('SIGINT');
    expect(await exited).toBe(130);
    expect(new Set(lines.map((line) => JSON.parse(line).event_seq)).size).toBe(lines.length);
  });
});

test('[EV13] the discovery file is there for as long as the thread can be reached', async () => {
  const own = await openTarget(box);
  const path = join(own.dir, 'external_events.json');
  const isThere = () =>
    stat(path).then(
      () => true,
      () => false,
    );
  expect(await own.discovery()).toMatchObject({
    thread_id: own.threadId,
    http: { url: `${box.url()}/v1/events` },
    inbox: { path: own.inbox },
    capabilities: { notify: true, queue_for_next_turn: true, turn_steer: true },
  });
  await box.must('archiveConversation', { id: own.id });
  await expect.poll(isThere, { timeout: 20_000 }).toBe(false);
  expect((await post(box, eventFor(own.threadId))).status).toBe(202);
  const other = await openTarget(box);
  await box.kill('SIGTERM');
  expect(
    await stat(join(other.dir, 'external_events.json')).then(
      () => true,
      () => false,
    ),
  ).toBe(false);
  await box.restart();
  await untilState(box, own, (await eventsOf(box, own)).events[0]?.event_id, 'queued');
  await mkdir(own.dir, { recursive: true });
  await writeFile(join(own.dir, 'note.txt'), 'other files stay');
});
