/** Every way in, with a running server: what is taken, what is refused and with which code, and that each event is there once. */
import { appendFile, open, readdir, readFile, rename, stat, truncate, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import {
  eventFor,
  eventsOf,
  openTarget,
  overSocket,
  post,
  publishSocket,
  type Target,
  targetOf,
} from './events-stand.ts';

let box: Box;
let target: Target;
let other: Target;
beforeAll(async () => {
  box = await openBox();
  target = await openTarget(box);
  other = await openTarget(box);
});
afterAll(() => box.close());

const idsOf = async (one: Target) => (await eventsOf(box, one)).events.map((event) => event.event_id);
const line = (event: unknown) => `${JSON.stringify(event)}\n`;

describe('[EV7][EV50] the socket', () => {
  test('answers each line in order, with the code of what is wrong', async () => {
    const { token } = await target.discovery();
    const good = eventFor(target.threadId);
    const { routing: _routing, ...unrouted } = eventFor(target.threadId);
    const acks = await overSocket(target, [
      { token, event: good },
      { token, event: good },
      { token: 'wrong', event: eventFor(target.threadId) },
      { event: eventFor(target.threadId) },
      { token, event: { ...good, schema_version: 9 } },
      { token, event: unrouted },
      { token, event: eventFor(other.threadId) },
      'nonsense',
      { token, event: eventFor(target.threadId, { summary: 'x'.repeat(70_000) }) },
      { token, event: eventFor(target.threadId, { event_id: 'after-all-that' }) },
    ]);
    expect(acks[0]).toEqual({
      ok: true,
      event_id: good.event_id,
      delivered: { thread_id: target.threadId, mode: 'queue_for_next_turn' },
    });
    expect(acks.map((ack) => (ack.ok ? 'ok' : ack.code))).toEqual([
      'ok',
      'duplicate_event',
      'unauthorized',
      'unauthorized',
      'invalid_event',
      'invalid_event',
      'unknown_thread',
      'invalid_event',
      'too_large',
      'ok',
    ]);
    expect(await idsOf(other)).toEqual([]);
  });
  test('stores what was sent, however it was written, and takes no line that only begins well', async () => {
    const { token } = await target.discovery();
    const fresh = () => eventFor(target.threadId, { source: { name: 'ci', run_id: 'build-1' }, payload: { n: [1] } });
    const usual = fresh();
    const spaced = fresh();
    const turned = fresh();
    const escaped = eventFor(target.threadId, { title: 'a "quoted" \\ line\nand é 🚂' });
    const later = fresh();
    const compact = (event: unknown) => JSON.stringify({ token, event });
    const lines = [
      compact(usual),
      `{"token": "${token}", "event": ${JSON.stringify(spaced).replaceAll('":', '": ')}}`,
      JSON.stringify({ event: turned, token }),
      compact(escaped),
      `${compact(fresh()).slice(0, -1)}]`,
      `${compact(fresh())}}`,
      `${compact(fresh()).slice(0, -1)},"event":${JSON.stringify(later)}}`,
      compact(fresh()).slice(0, -1),
      compact({ ...fresh(), trust: { authenticated: false } }),
    ];
    const { ipc } = await target.discovery();
    const socket = connect(ipc?.path ?? '');
    socket.end(lines.join('\n'));
    const acks = (await text(socket)).trimEnd().split('\n');
    const codes = acks.map((ack) => JSON.parse(ack)).map((ack) => (ack.ok ? 'ok' : ack.code));
    const bad = 'invalid_event';
    expect(codes).toEqual(['ok', 'ok', 'ok', 'ok', bad, bad, 'ok', bad, 'ok']);
    const { events } = await eventsOf(box, target);
    for (const sent of [usual, spaced, turned, escaped, later]) {
      const seq = events.find(({ event_id }) => event_id === sent.event_id)?.event_seq ?? 0;
      const { event } = await box.must('readEvent', { thread_id: target.threadId, event_seq: seq });
      const { trust, ...stored } = event;
      expect([stored, trust.authenticated]).toEqual([sent, true]);
    }
    const claimed = await box.must('readEvent', {
      thread_id: target.threadId,
      event_seq: events.at(-1)?.event_seq ?? 0,
    });
    expect(claimed.event.trust).toEqual(events.at(-1)?.trust);
    expect(claimed.event.trust.authenticated).toBe(true);
  });
  test('answers a producer that has closed its side, takes a last line without an end, and knows line ends of Windows', async () => {
    const { token, ipc } = await target.discovery();
    const sent = Array.from({ length: 3 }, () => eventFor(target.threadId));
    const lines = sent.map((event) => JSON.stringify({ token, event }));
    const socket = connect(ipc?.path ?? '');
    socket.end(`\r\n${lines.join('\r\n')}`);
    const acks = (await text(socket)).trimEnd().split('\n');
    expect(acks.map((ack) => JSON.parse(ack))).toMatchObject(sent.map(({ event_id }) => ({ ok: true, event_id })));
  });
  test('and the files around it are private', async () => {
    const { ipc } = await target.discovery();
    const modes = await Promise.all(
      [target.dir, join(target.dir, 'external_events.json'), ipc?.path ?? ''].map(
        async (path) => (await stat(path)).mode & 0o777,
      ),
    );
    expect(modes).toEqual([0o700, 0o600, 0o600]);
  });
});

describe('[EV8] HTTP', () => {
  test('takes an event with the event token, the API token or a session', async () => {
    const { token, http } = await target.discovery();
    expect(http?.url).toBe(`${box.url()}/v1/events`);
    const event = eventFor(target.threadId);
    const taken = await post(box, event, { authorization: `Bearer ${token}` });
    expect(taken).toEqual({
      status: 202,
      body: {
        ok: true,
        event_id: event.event_id,
        delivered: { thread_id: target.threadId, mode: 'queue_for_next_turn' },
      },
    });
    expect((await post(box, eventFor(target.threadId))).status).toBe(202);
    const session = box.sessionHeaders();
    const response = await fetch(`${box.url()}/v1/events`, {
      method: 'POST',
      headers: { ...session, 'content-type': 'application/json' },
      body: JSON.stringify(eventFor(target.threadId)),
    });
    expect(response.status).toBe(202);
  });

  test('refuses with the code that says why, and stores nothing', async () => {
    const before = await idsOf(target);
    const { token } = await target.discovery();
    const own = { authorization: `Bearer ${token}` };
    const event = eventFor(target.threadId);
    const { routing: _routing, ...unrouted } = event;
    const said = [
      await post(box, event, { authorization: 'Bearer codex_evt_tok_wrong' }),
      await post(box, event, { authorization: 'Bearer wrong' }),
      await post(box, eventFor(other.threadId), own),
      await post(box, '{', own),
      await post(box, unrouted),
      await post(box, eventFor('01a1e4f1-852f-7af0-9f4f-ec2e2a3c5e1a')),
      await post(box, eventFor('../../etc')),
      await post(box, eventFor(target.threadId, { summary: 'x'.repeat(65_536) })),
      await post(box, event, { 'content-type': 'text/plain' }),
    ].map(({ status, body }) => `${status} ${body.ok ? 'ok' : body.code}`);
    expect(said).toEqual([
      '401 unauthorized',
      '401 unauthorized',
      '404 unknown_thread',
      '400 invalid_event',
      '400 invalid_event',
      '404 unknown_thread',
      '400 invalid_event',
      '413 too_large',
      '415 unsupported_media_type',
    ]);
    expect(await idsOf(target)).toEqual(before);
  });

  test('answers a batch for each event', async () => {
    const one = eventFor(target.threadId);
    const all = await post(box, [one, eventFor(target.threadId), one, { nonsense: 1 }], {}, '/v1/events:batch');
    expect(all.status).toBe(202);
    expect(all.body.results?.map((ack) => (ack.ok ? 'ok' : ack.code))).toEqual([
      'ok',
      'ok',
      'duplicate_event',
      'invalid_event',
    ]);
    expect((await post(box, [one], {}, '/v1/events:batch')).status).toBe(409);
    expect((await post(box, { not: 'an array' }, {}, '/v1/events:batch')).status).toBe(400);
  });

  test('[EV6] takes CloudEvents, structured, in a batch and in headers', async () => {
    const cloud = (id: string) => ({
      specversion: '1.0',
      id,
      source: '/ci/org',
      type: 'a.b',
      threadid: target.threadId,
      data: { n: 1 },
    });
    expect(
      (await post(box, cloud('s1'), { 'content-type': 'application/cloudevents+json; charset=utf-8' })).status,
    ).toBe(202);
    const batch = await post(box, [cloud('b1'), cloud('b2'), cloud('s1')], {
      'content-type': 'application/cloudevents-batch+json',
    });
    expect(batch.body.results?.map((ack) => ack.ok)).toEqual([true, true, false]);
    const binary = await post(
      box,
      { n: 2 },
      {
        'ce-specversion': '1.0',
        'ce-id': 'h1',
        'ce-source': '/ci/org',
        'ce-type': 'a.b',
        'ce-threadid': target.threadId,
      },
    );
    expect(binary).toMatchObject({ status: 202, body: { event_id: 'h1' } });
    expect(await idsOf(target)).toEqual(expect.arrayContaining(['s1', 'b1', 'b2', 'h1']));
  });
});

describe('[EV10] the inbox file', () => {
  const arrive = (id: unknown) => expect.poll(() => idsOf(other), { timeout: 20_000 }).toContain(id);

  test('is read line by line, with the least an event can be, and a line only when it is whole', async () => {
    const { source: _source, routing: _routing, ...least } = eventFor(other.threadId);
    await appendFile(other.inbox, line(least));
    await arrive(least.event_id);
    const { events } = await eventsOf(box, other);
    expect(events.at(-1)).toMatchObject({ ingress: 'file', trust: { authenticated: false, provenance: 'none' } });
    const half = line(eventFor(other.threadId));
    await appendFile(other.inbox, half.slice(0, 40));
    const next = eventFor(other.threadId);
    await post(box, next);
    await arrive(next.event_id);
    expect(await idsOf(other)).not.toContain(JSON.parse(half).event_id);
    await appendFile(other.inbox, half.slice(40));
    await arrive(JSON.parse(half).event_id);
  });

  test('goes on after truncation, replacement and rotation, each event once', async () => {
    const batch = () => [eventFor(other.threadId), eventFor(other.threadId)];
    const [first, second, third, fourth] = [batch(), batch(), batch(), batch()];
    await appendFile(other.inbox, first.map(line).join(''));
    await arrive(first[1]?.event_id);
    await truncate(other.inbox, 0);
    await appendFile(other.inbox, second.map(line).join(''));
    await arrive(second[1]?.event_id);
    await writeFile(`${other.inbox}.new`, third.map(line).join(''));
    await rename(`${other.inbox}.new`, other.inbox);
    await arrive(third[1]?.event_id);
    await rename(other.inbox, `${other.inbox}.1`);
    await appendFile(other.inbox, fourth.map(line).join(''));
    await arrive(fourth[1]?.event_id);
    const ids = await idsOf(other);
    const sent = [first, second, third, fourth].flat().map((event) => event.event_id);
    expect(ids.filter((id) => sent.includes(id))).toEqual(sent);
  });

  test('[EV12] what is no event is kept aside, counted and holds nothing up', async () => {
    const { quarantined } = await eventsOf(box, other);
    const good = eventFor(other.threadId);
    const foreign = eventFor(target.threadId);
    await appendFile(other.inbox, `nonsense\n${line(foreign)}${line(good)}`);
    await arrive(good.event_id);
    await expect.poll(async () => (await eventsOf(box, other)).quarantined).toBe(quarantined + 2);
    await expect
      .poll(() => readFile(join(other.dir, 'external_events.rejected.jsonl'), 'utf8').catch(() => ''))
      .toContain('another thread');
    expect(await idsOf(target)).not.toContain(foreign.event_id);
  });

  test('[EV11] a file that is made first and written to line by line loses none of them', async () => {
    const path = join(other.dir, 'inbox', 'slow.jsonl');
    const sent = Array.from({ length: 3 }, () => eventFor(other.threadId));
    const file = await open(path, 'a');
    // Something after it that is taken shows that the empty file was looked at.
    const mark = eventFor(other.threadId);
    await writeFile(join(other.dir, 'inbox', 'zz-mark.json'), JSON.stringify(mark));
    await arrive(mark.event_id);
    for (const event of sent) {
      const text = line(event);
      await file.write(text.slice(0, 20));
      await file.write(text.slice(20));
      await arrive(event.event_id);
    }
    await file.close();
    const isGone = () =>
      stat(path).then(
        () => false,
        () => true,
      );
    await expect.poll(isGone, { timeout: 20_000 }).toBe(true);
    expect((await idsOf(other)).filter((id) => sent.some(({ event_id }) => event_id === id))).toHaveLength(3);
  });

  test('[EV11] a file that takes the name of one that is being read is read too', async () => {
    const folder = join(other.dir, 'inbox');
    const sent = Array.from({ length: 30 }, () => eventFor(other.threadId));
    for (const [at, event] of sent.entries()) {
      await writeFile(join(folder, `.status-${at}`), JSON.stringify(event));
      await rename(join(folder, `.status-${at}`), join(folder, 'status.json'));
      // Only what was replaced before anyone could have looked may be missing.
      await arrive(event.event_id);
    }
    const isLeft = async () => (await readdir(folder)).filter((name) => name.includes('status'));
    await expect.poll(isLeft, { timeout: 20_000 }).toEqual([]);
  });

  test('[EV11] whole files can be dropped into the folder, and go when they are read', async () => {
    const one = eventFor(other.threadId);
    const two = [eventFor(other.threadId), eventFor(other.threadId)];
    const path = join(other.dir, 'inbox', 'one.json');
    await writeFile(`${path}.tmp`, JSON.stringify(one, null, 2));
    await rename(`${path}.tmp`, path);
    await writeFile(join(other.dir, 'inbox', 'two.jsonl'), two.map(line).join(''));
    const windows = [eventFor(other.threadId), eventFor(other.threadId), eventFor(other.threadId)];
    const [pretty, ...short] = windows;
    const marked = `\ufeff${JSON.stringify(pretty, null, 2).replaceAll('\n', '\r\n')}\r\n`;
    await writeFile(join(other.dir, 'inbox', 'three.json'), marked);
    await writeFile(
      join(other.dir, 'inbox', 'four.jsonl'),
      `\ufeff${short.map(line).join('').replaceAll('\n', '\r\n')}`,
    );
    for (const { event_id } of [one, ...two, ...windows]) await arrive(event_id);
    await expect
      .poll(
        () =>
          stat(path).then(
            () => 'there',
            () => 'gone',
          ),
        { timeout: 20_000 },
      )
      .toBe('gone');
  });
});

test('[EV9] the same event a thousand times at once by three ways in is one, also after the server was killed', async () => {
  const event = eventFor(target.threadId);
  const [sockets, requests] = await Promise.all([
    Promise.all(Array.from({ length: 6 }, () => publishSocket(target, ...Array.from({ length: 100 }, () => event)))),
    Promise.all(Array.from({ length: 200 }, () => post(box, event))),
    appendFile(target.inbox, line(event).repeat(200)),
  ]);
  const acks = [...sockets.flat(), ...requests.map(({ body }) => body)];
  // None, when the file was first.
  expect(acks.filter(({ ok }) => ok).length).toBeLessThanOrEqual(1);
  expect(new Set(acks.map((ack) => (ack.ok ? 'ok' : ack.code))).has('duplicate_event')).toBe(true);
  expect(acks.filter((ack) => !ack.ok && ack.code !== 'duplicate_event')).toEqual([]);
  await box.restart();
  target = await targetOf(box, target.id, target.threadId);
  other = await targetOf(box, other.id, other.threadId);
  await appendFile(target.inbox, line(event));
  expect((await publishSocket(target, event))[0]).toMatchObject({ ok: false, code: 'duplicate_event' });
  expect((await post(box, event)).status).toBe(409);
  const after = eventFor(target.threadId);
  await appendFile(target.inbox, line(after));
  await expect.poll(() => idsOf(target), { timeout: 20_000 }).toContain(after.event_id);
  expect((await idsOf(target)).filter((id) => id === event.event_id)).toHaveLength(1);
  const ledger = await readFile(join(target.dir, 'external_events.log.jsonl'), 'utf8');
  expect(ledger.split(`"event_id":"${event.event_id}"`)).toHaveLength(2);
});
