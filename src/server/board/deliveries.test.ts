/** Bringing posts to conversations over crashes and loops, with real files and twins of the ports. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Entry, NewEntry } from '../../contract/entry.ts';
import { systemClock as clock } from '../../node/clock.ts';
import { createLogger } from '../../node/logger.ts';
import { createBoard } from './board.ts';
import { type AgentMessage, tellConversations } from './tell-conversation.ts';

const A = `conv_${'a'.repeat(32)}`;
const B = `conv_${'b'.repeat(32)}`;

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'board-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** Conversations and events as they are over the life of several servers. */
function createWorld() {
  const transcripts = new Map<string, Entry[]>([
    [A, []],
    [B, []],
  ]);
  const events = new Map<string, AgentMessage>();
  let isCut = false;
  const open = () =>
    createBoard({
      dir,
      clock,
      log: createLogger({ level: 'error', file: join(dir, 'log.jsonl') }),
      conversations: () => [
        { key: A, label: 'A', conversationId: A },
        { key: B, label: 'B', conversationId: B },
      ],
      deliver: tellConversations({
        async open(id) {
          const entries = transcripts.get(id);
          if (entries === undefined) return null;
          return {
            async append(entry: NewEntry) {
              // What a killed process never gets to do.
              if (isCut) await new Promise(() => undefined);
              entries.push({ seq: entries.length + 1, ts: new Date(0).toISOString(), ...entry });
            },
            lastEntries: async (limit) => entries.slice(-limit),
          };
        },
        async publish(message) {
          events.set(message.id, message);
          return { event_seq: events.size, thread_id: 'thread', state: 'queued', mode: 'queue_for_next_turn' };
        },
      }),
    });
  return {
    open,
    events,
    cards: (id: string) => (transcripts.get(id) ?? []).flatMap((entry) => (entry.role === 'board' ? [entry.num] : [])),
    entries: (id: string) => transcripts.get(id) ?? [],
    cut: (value: boolean) => {
      isCut = value;
    },
  };
}

const post = async (board: ReturnType<ReturnType<typeof createWorld>['open']>, message: string) => {
  const posted = await board.post({ kind: 'script' }, { who: 'ann', message });
  if (!posted.ok) throw new Error(posted.error.message);
  return posted.value.num;
};

test('[BD10] what a crash kept from a conversation is brought at the next start, and nothing twice', async () => {
  const world = createWorld();
  const first = world.open();
  const before = await post(first, '@A before');
  await expect.poll(() => world.cards(A)).toEqual([before]);
  world.cut(true);
  const lost = await post(first, '@A and @B in the crash');
  await expect.poll(() => world.events.size).toBeGreaterThanOrEqual(2);
  // The first server is gone without a word; its files are what they are.
  world.cut(false);
  const second = world.open();
  await second.topics();
  await expect.poll(() => world.cards(A)).toEqual([before, lost]);
  await expect.poll(() => world.cards(B)).toEqual([lost]);
  await second.close();
  const third = world.open();
  await third.topics();
  await third.close();
  expect([world.cards(A), world.cards(B)]).toEqual([[before, lost], [lost]]);
});

test('[BD12] a post takes its hops along into the event, where the limit is', async () => {
  const world = createWorld();
  const board = world.open();
  const say = async (from: string, to: string) => {
    const posted = await board.post({ kind: 'conversation', conversationId: from }, { who: from, message: 'x', to });
    return posted.ok ? posted.value.hops : -1;
  };
  const hops: number[] = [];
  for (let at = 0; at < 20; at += 1) hops.push(await (at % 2 === 0 ? say(A, 'B') : say(B, 'A')));
  expect(hops).toEqual(Array.from({ length: 20 }, (_one, at) => at + 1));
  await board.close();
  expect(world.cards(A).length + world.cards(B).length).toBe(20);
  expect([...world.events.values()].map(({ message }) => message.hops)).toEqual(hops);
});

test('[MC12] who waits for a message is not told it a second time as an event', async () => {
  const world = createWorld();
  const board = world.open();
  const waiting = board.wait({ match: { for: A }, timeoutMs: 30_000, holder: A });
  await expect.poll(() => board.waiting()).toBe(1);
  const num = await post(board, '@A here');
  const waited = await waiting;
  expect(waited.ok && waited.value.messages.map((message) => message.num)).toEqual([num]);
  await expect.poll(() => world.cards(A)).toEqual([num]);
  expect(world.events.size).toBe(0);
  await board.close();
});

test('[BD10] a post that comes while earlier ones are brought again is brought once', async () => {
  let letGo = (): void => undefined;
  const gate = new Promise<void>((done) => {
    letGo = done;
  });
  const brought: string[] = [];
  const board = createBoard({
    dir,
    clock,
    log: createLogger({ level: 'error', file: join(dir, 'log.jsonl') }),
    conversations: () => [{ key: A, label: 'A', conversationId: A }],
    async deliver({ message: { num }, isRepeat }) {
      if (num === 1 && !isRepeat) await gate;
      brought.push(`${num}${isRepeat ? ' again' : ''}`);
    },
  });
  const post = { who: 'ci', message: 'look', to: 'A' };
  await board.post({ kind: 'script' }, post);
  const again = board.redeliver(A);
  await board.post({ kind: 'script' }, post);
  letGo();
  await again;
  await board.close();
  expect(brought.sort()).toEqual(['1', '1 again', '2']);
});
