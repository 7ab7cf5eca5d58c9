/** The hub alone, with a transcript in memory and clients that keep what they hear. */
import { describe, expect, test } from 'vitest';
import type { NewEntry } from '../../contract/entry.ts';
import { fail, ok } from '../../contract/result.ts';
import { CLOSE_RESYNC, MAX_CLIENT_QUEUE_BYTES, MAX_CLIENT_QUEUE_EVENTS } from '../../contract/ui-event.ts';
import {
  CONVERSATION,
  createHeardClient,
  createHubStand,
  type HeardClient,
  type HubStand,
  type LiveBody,
  OTHER_CONVERSATION,
  settle,
} from '../../testing/hub-stand.ts';
import type { Caller } from '../caller.ts';
import type { HubConnection } from './hub.ts';

const OWNER: Caller = { kind: 'session', id: 's1' };

function note(text: string): NewEntry {
  return { role: 'note', kind: 'api', text };
}

function delta(item: string, offset: number, text: string): LiveBody {
  return { type: 'assistant_delta', item_id: item, turn_id: 't1', offset, delta: text };
}

function join(stand: HubStand, after?: number): { client: HeardClient; connection: HubConnection } {
  const client = createHeardClient();
  const connection = stand.hub.connect(client, OWNER);
  connection.receive({ type: 'subscribe', conversation_id: CONVERSATION, ...(after !== undefined && { after }) });
  return { client, connection };
}

async function joined(stand: HubStand, after?: number) {
  const made = join(stand, after);
  await settle();
  made.client.types();
  return made;
}

function deltasOf(client: HeardClient): string[] {
  return client
    .heard()
    .flatMap((frame) => ('delta' in frame ? [`${frame.item_id}@${frame.offset}:${frame.delta}`] : []));
}

describe('subscribe', () => {
  test('[HB4] a cursor within reach is answered with what it missed', async () => {
    const stand = createHubStand();
    for (let n = 1; n <= 1_001; n += 1) stand.append(note(`${n}`));
    const { client } = join(stand, 1);
    await settle();
    expect(client.heard()[0]).toMatchObject({
      type: 'sync',
      verdict: 'replay',
      seq: 1_001,
      entries: { length: 1_000 },
    });
    expect(client.heard()[0]).toHaveProperty('entries.0.seq', 2);
  });

  test.each([
    ['none', undefined],
    ['one too far back', 0],
    ['one ahead of the server', 1_002],
    ['a negative one', -1],
  ])('[HB4] %s: reset with the newest 50', async (_name, after) => {
    const stand = createHubStand();
    for (let n = 1; n <= 1_001; n += 1) stand.append(note(`${n}`));
    const { client } = join(stand, after);
    await settle();
    expect(client.heard()[0]).toMatchObject({ type: 'sync', verdict: 'reset', seq: 1_001, entries: { length: 50 } });
    expect(client.heard()[0]).toHaveProperty('entries.0.seq', 952);
    expect(client.heard()[0]).toHaveProperty('has_more', true);
    expect(client.heard()[1]).toEqual({ type: 'synchronized', conversation_id: CONVERSATION, seq: 1_001 });
  });

  test('[HB4] a reset that holds everything says that there is no more', async () => {
    const stand = createHubStand();
    stand.append(note('only'));
    const { client } = join(stand);
    await settle();
    expect(client.heard()[0]).toMatchObject({ verdict: 'reset', entries: { length: 1 }, has_more: false });
  });

  test('[HB5] sync, then what was published meanwhile, then synchronized, then live', async () => {
    const stand = createHubStand();
    stand.append(note('1'));
    stand.live(delta('a', 0, 'so far'));
    stand.live({ type: 'activity', activity: { state: 'running', text: 'Thinking', turn_id: 't1', lamp: 'off' } });
    const { client } = join(stand, 0);
    stand.gate.close();
    await settle();
    expect(stand.gate.waiting()).toBe(1);
    stand.live(delta('a', 6, ' and on'));
    stand.append(note('2'));
    expect(client.frames).toHaveLength(0);
    await stand.gate.release();
    stand.append(note('3'));
    const [sync, held, entry, marker, live] = client.heard();
    expect(sync).toEqual({
      type: 'sync',
      conversation_id: CONVERSATION,
      verdict: 'replay',
      seq: 1,
      entries: [stand.log[0]],
      live: [expect.objectContaining({ role: 'assistant', item_id: 'a', text: 'so far', text_start: 0 })],
      approvals: [],
      running: [],
      holder: null,
      status: {
        activity: { state: 'running', text: 'Thinking', turn_id: 't1', lamp: 'off' },
        usage: null,
        row: expect.objectContaining({ id: CONVERSATION, last_seq: 1 }),
      },
    });
    expect(held).toMatchObject({ type: 'assistant_delta', delta: ' and on' });
    expect(entry).toMatchObject({ seq: 2 });
    expect(marker).toEqual({ type: 'synchronized', conversation_id: CONVERSATION, seq: 2 });
    expect(live).toMatchObject({ seq: 3 });
  });

  test('[HB6] an entry on disk but not yet published is not in the snapshot, and comes once', async () => {
    const stand = createHubStand();
    stand.append(note('1'));
    const entry = { seq: 2, ts: '2026-01-01T00:00:00.000Z', ...note('2') };
    stand.log.push(entry);
    const { client } = join(stand, 0);
    await settle();
    expect(client.heard()[0]).toMatchObject({ seq: 1, entries: [{ seq: 1 }] });
    stand.hub.publish(CONVERSATION, { type: 'note', conversation_id: CONVERSATION, seq: 2, entry });
    expect(client.heard().at(-1)).toMatchObject({ seq: 2 });
  });

  test('[HB6] a conversation nothing was published of starts at its last entry; what was told already is dropped', async () => {
    const stand = createHubStand();
    const entries = ['1', '2'].map((text, at) => ({ seq: at + 1, ts: '2026-01-01T00:00:00.000Z', ...note(text) }));
    stand.log.push(...entries);
    const { client } = await joined(stand);
    expect(client.heard()[0]).toMatchObject({ seq: 2, entries: { length: 2 } });
    for (const entry of entries) {
      stand.hub.publish(CONVERSATION, { type: 'note', conversation_id: CONVERSATION, seq: entry.seq, entry });
    }
    expect(client.types()).toEqual([]);
  });

  test('[HB7] entries go from the disk into the frame as they are', async () => {
    const line = '{"seq":1,"ts":"2026-01-01T00:00:00.000Z","role":"from_the_future",  "text":"\\u2028 kept"}';
    const stand = createHubStand();
    const source = {
      open: async () => ok({ lastSeq: () => 1, row: () => JSON.parse('{}') }),
      entriesAfter: async () => [],
      lastEntries: async () => ({ lines: [line], hasMore: false }),
    };
    const other = createHubStand({ source });
    const { client } = join(other);
    await settle();
    expect(client.frames[0]?.toString()).toContain(`"entries":[${line}],`);
    expect(client.heard()[0]).toMatchObject({ entries: [{ role: 'from_the_future' }] });
    stand.hub.stop();
  });

  test('[HB8] a sync frame holds at most 4 Mi of entries: a longer replay is a reset, a longer page is shortened', async () => {
    const stand = createHubStand();
    for (let n = 0; n < 5; n += 1) stand.append(note('x'.repeat(1024 * 1024)));
    const { client } = join(stand, 0);
    await settle();
    expect(client.heard()[0]).toMatchObject({ verdict: 'reset', entries: [{ seq: 3 }, { seq: 4 }, { seq: 5 }] });
    stand.append(note('y'.repeat(5 * 1024 * 1024)));
    const { client: second } = join(stand);
    await settle();
    expect(second.heard()[0]).toMatchObject({ verdict: 'reset', entries: [{ seq: 6 }] });
  });

  test('[HB9] a second subscribe resyncs, and of several under way only the last counts', async () => {
    const stand = createHubStand();
    stand.append(note('1'));
    const { client, connection } = await joined(stand);
    connection.receive({ type: 'subscribe', conversation_id: CONVERSATION, after: 1 });
    await settle();
    expect(client.types()).toEqual(['sync', 'synchronized']);
    stand.gate.close();
    for (const after of [0, 1, 0]) connection.receive({ type: 'subscribe', conversation_id: CONVERSATION, after });
    await settle();
    expect(stand.gate.waiting()).toBe(1);
    stand.append(note('2'));
    await stand.gate.release();
    stand.append(note('3'));
    const [sync] = client.heard().slice(-3);
    expect(client.types()).toEqual(['sync', 'synchronized', 'note']);
    expect(sync).toMatchObject({ verdict: 'replay', seq: 2, entries: [{ seq: 1 }, { seq: 2 }] });
  });

  test('[HB10] an unknown conversation, or one that cannot be read, is refused and the connection stays', async () => {
    const stand = createHubStand();
    const { client, connection } = await joined(stand);
    const unknown = `conv_${'f'.repeat(32)}`;
    connection.receive({ type: 'subscribe', conversation_id: unknown });
    await settle();
    expect(client.heard().at(-1)).toMatchObject({
      type: 'refused',
      code: 'unknown_conversation',
      conversation_id: unknown,
    });
    stand.append(note('still here'));
    expect(client.types()).toEqual(['refused', 'note']);

    const broken = createHubStand({
      source: {
        open: async () => ok({ lastSeq: () => 0, row: () => JSON.parse('{}') }),
        entriesAfter: () => Promise.reject(new Error('EIO')),
        lastEntries: () => Promise.reject(new Error('EIO')),
      },
    });
    const { client: other } = join(broken);
    await settle();
    expect(other.heard()).toEqual([
      { type: 'refused', code: 'internal', message: expect.any(String), conversation_id: CONVERSATION },
    ]);
    expect(broken.errors).toHaveLength(1);
    expect(other.closed).toEqual([]);
  });

  test('[HB11] unsubscribing ends it, also while it is under way; a conversation that is no more says so', async () => {
    const stand = createHubStand();
    const { client, connection } = await joined(stand);
    connection.receive({ type: 'unsubscribe', conversation_id: CONVERSATION });
    stand.append(note('1'));
    expect(client.types()).toEqual(['unsubscribed']);
    stand.gate.close();
    connection.receive({ type: 'subscribe', conversation_id: CONVERSATION });
    connection.receive({ type: 'unsubscribe', conversation_id: CONVERSATION });
    await stand.gate.release();
    expect(client.types()).toEqual(['unsubscribed']);
    connection.receive({ type: 'subscribe', conversation_id: CONVERSATION });
    await settle();
    client.types();
    stand.hub.closeChannel(CONVERSATION);
    stand.append(note('2'));
    expect(client.types()).toEqual(['unsubscribed']);
  });

  test('[HB11] one client follows at most 64 conversations', async () => {
    const source = {
      open: async () => ok({ lastSeq: () => 0, row: () => JSON.parse('{}') }),
      entriesAfter: async () => [],
      lastEntries: async () => ({ lines: [], hasMore: false }),
    };
    const stand = createHubStand({ source });
    const client = createHeardClient();
    const connection = stand.hub.connect(client, OWNER);
    for (let n = 0; n < 65; n += 1) {
      connection.receive({ type: 'subscribe', conversation_id: `conv_${n.toString(16).padStart(32, '0')}` });
    }
    await settle();
    const types = client.types();
    expect(types.filter((type) => type === 'synchronized')).toHaveLength(64);
    expect(types.filter((type) => type === 'refused')).toHaveLength(1);
  });
});

describe('clients', () => {
  test.each([
    ['bytes', { bytes: MAX_CLIENT_QUEUE_BYTES + 1, events: 1 }],
    ['events', { bytes: 1, events: MAX_CLIENT_QUEUE_EVENTS + 1 }],
  ])('[HB12] one that has too many %s waiting is closed with 4008, and it alone', async (_unit, queue) => {
    const stand = createHubStand();
    const slow = await joined(stand);
    const quick = await joined(stand);
    slow.client.queue = { bytes: MAX_CLIENT_QUEUE_BYTES, events: MAX_CLIENT_QUEUE_EVENTS };
    stand.append(note('at the limit'));
    expect(slow.client.types()).toEqual(['note']);
    slow.client.queue = queue;
    stand.append(note('over it'));
    stand.append(note('and on'));
    expect(slow.client.types()).toEqual([]);
    expect(slow.client.closed).toEqual([{ code: CLOSE_RESYNC, reason: 'resync' }]);
    expect(quick.client.types()).toEqual(['note', 'note', 'note']);
    expect(quick.client.closed).toEqual([]);
    expect(stand.hub.stats().clients).toBe(1);
  });

  test('[HB12] what waits for a slow snapshot is bounded the same way', async () => {
    const stand = createHubStand();
    const { client } = join(stand);
    await Promise.resolve();
    stand.gate.close();
    await settle();
    expect(stand.gate.waiting()).toBe(1);
    for (let n = 0; n <= MAX_CLIENT_QUEUE_EVENTS; n += 1) stand.append(note('x'));
    expect(client.closed).toEqual([{ code: CLOSE_RESYNC, reason: 'resync' }]);
    await stand.gate.release();
    expect(client.frames).toHaveLength(0);
  });

  test('[HB13] a server event reaches every client, whatever it follows', async () => {
    const stand = createHubStand();
    const clients = [createHeardClient(), createHeardClient()];
    for (const client of clients) stand.hub.connect(client, OWNER);
    stand.hub.broadcast({ type: 'conversation', deleted: OTHER_CONVERSATION });
    expect(clients.map((client) => client.types())).toEqual([['conversation'], ['conversation']]);
  });

  test('[HB14] a call is answered to its caller alone, also when it fails or throws', async () => {
    const calls: unknown[] = [];
    const stand = createHubStand({
      rpc: async (caller, frame) => {
        calls.push([caller, frame.method]);
        if (frame.method === 'throws') throw new Error('a bug');
        return frame.method === 'fails' ? fail('codex_error', 'no') : ok({ x: 1 });
      },
    });
    const { client, connection } = await joined(stand);
    const other = await joined(stand);
    for (const method of ['works', 'fails', 'throws']) connection.receive({ type: 'rpc', id: method, method });
    await settle();
    expect(client.heard().slice(-3)).toEqual([
      { type: 'rpc_response', id: 'works', result: { x: 1 } },
      { type: 'rpc_error', id: 'fails', code: 'codex_error', message: 'no' },
      { type: 'rpc_error', id: 'throws', code: 'internal', message: 'the call failed' },
    ]);
    expect(other.client.types()).toEqual([]);
    expect(calls[0]).toEqual([OWNER, 'works']);
    expect(stand.errors).toHaveLength(1);
  });

  test('[HB14] one client has at most 64 calls under way', async () => {
    const stand = createHubStand({ rpc: () => new Promise(() => {}) });
    const { client, connection } = await joined(stand);
    for (let id = 0; id < 65; id += 1) connection.receive({ type: 'rpc', id, method: 'slow' });
    await settle();
    expect(client.heard().at(-1)).toMatchObject({ type: 'rpc_error', id: 64, code: 'rate_limited' });
    expect(client.types()).toHaveLength(1);
  });

  test('[HB15] stopping closes every client with 1001 and leaves no timer', async () => {
    const stand = createHubStand();
    const { client, connection } = await joined(stand);
    stand.live(delta('a', 0, '1'));
    stand.live(delta('a', 1, '2'));
    stand.hub.stop();
    expect(deltasOf(client)).toEqual(['a@0:1', 'a@1:2']);
    expect(client.closed).toEqual([{ code: 1001, reason: 'server stopping' }]);
    expect(stand.clock.waiting()).toBe(0);
    connection.receive({ type: 'subscribe', conversation_id: CONVERSATION });
    connection.disconnect();
    expect(stand.hub.stats()).toMatchObject({ clients: 0, channels: 0 });
  });
});
