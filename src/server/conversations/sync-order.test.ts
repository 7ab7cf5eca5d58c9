/**
 * The snapshot of a client against the order of publishing, with the real conversation, its log on disk and the real hub: clients come, go and
 * come back with the last number they have, while entries are stored in batches and live events are sent between them.
 */
import { rm } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digest } from '../../../test/recording.ts';
import { begin, delta, end, say, started } from '../../../test/signals.ts';
import { ok } from '../../contract/result.ts';
import type { ServerFrame } from '../../contract/ui-event.ts';
import { systemClock as clock } from '../../node/clock.ts';
import { createLogger } from '../../node/logger.ts';
import { makeDir } from '../../testing/box.ts';
import { createHeardClient, type HeardClient } from '../../testing/hub-stand.ts';
import { quietCodex, quietConversation } from '../../testing/quiet-ports.ts';
import { quietSeals } from '../../testing/quiet-seals.ts';
import { sampleMeta } from '../../testing/samples.ts';
import { createHub, type HubConnection } from '../hub/hub.ts';
import { openConversation } from './conversation.ts';
import { createConversationStore } from './store.ts';

const log = createLogger({ level: 'silent' });
const ID = sampleMeta().conversation_id;
const CLIENTS = 3;

const client = fc.integer({ min: 0, max: CLIENTS - 1 });
const action = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('append' as const), times: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('live' as const), text: fc.string({ maxLength: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('item' as const, 'settle' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), turns: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('join' as const, 'again' as const, 'hurry' as const, 'cut' as const),
      client,
    }),
  },
);

/** A client that keeps the number of the last entry it has, and every place where another one came than the next. */
class Follower {
  last: number | null = null;
  /** Subscribes once more right after the next frame it hears. */
  isHurried = false;
  readonly holes: string[] = [];
  #heard: HeardClient = createHeardClient();
  #connection: HubConnection | null = null;
  #read = 0;

  join(connect: (port: HeardClient) => HubConnection): void {
    if (this.#connection !== null) return;
    this.#heard = createHeardClient();
    this.#read = 0;
    const heard = this.#heard;
    this.#connection = connect({
      ...heard,
      send: (frame) => {
        heard.send(frame);
        if (!this.isHurried) return;
        this.isHurried = false;
        queueMicrotask(() => this.again());
      },
    });
    this.again();
  }

  again(): void {
    this.read();
    const after = this.last === null ? {} : { after: this.last };
    this.#connection?.receive({ type: 'subscribe', conversation_id: ID, ...after });
  }

  cut(): void {
    this.read();
    this.#connection?.disconnect();
    this.#connection = null;
  }

  read(): void {
    const frames = this.#heard.heard();
    for (const frame of frames.slice(this.#read)) this.#take(frame);
    this.#read = frames.length;
  }

  #take(frame: ServerFrame): void {
    if (frame.type === 'sync') {
      if (frame.verdict === 'reset') this.last = null;
      for (const { seq } of frame.entries) this.#next(seq, `${frame.verdict} up to ${frame.seq}`);
      if (this.last !== null && this.last !== frame.seq)
        this.holes.push(`${frame.verdict} ends at ${this.last} of ${frame.seq}`);
      this.last ??= frame.seq;
    } else if ('seq' in frame && 'entry' in frame) this.#next(frame.seq, frame.type);
  }

  #next(seq: number, what: string): void {
    if (this.last !== null && seq !== this.last + 1) this.holes.push(`${what}: ${seq} where ${this.last + 1} was due`);
    this.last = seq;
  }
}

test('[HB20] a client that comes back hears every entry once and in order, wherever storing, publishing and its snapshot meet', async () => {
  const home = await makeDir('sync');
  let round = 0;
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 60 }), async (actions) => {
        round += 1;
        const own = `${home}/${round}`;
        const store = createConversationStore({ home: own, seals: quietSeals, clock, log, onStorage: () => undefined });
        const hub = createHub({ clock, onError: (error) => expect.fail(String(error)) });
        const real = { clock, log, store, digest, codex: quietCodex() };
        const ports = quietConversation(real, { publish: (event) => hub.publish(ID, event) });
        const { session, history, row, close } = await openConversation(sampleMeta(), ports);
        const gateway = hub.serve({
          source: {
            open: async () => ok({ lastSeq: session.publishedSeq, row }),
            entriesAfter: async (_id, after, upTo) =>
              (await session.transcript.reader.read({ after, before: upTo + 1, limit: upTo - after })).lines,
            lastEntries: (_id, upTo, limit) => history.page({ before: upTo + 1, limit }),
          },
          rpc: async () => ok(null),
        });
        const followers = Array.from({ length: CLIENTS }, () => new Follower());
        const connect = (port: HeardClient) => gateway.connect(port, { kind: 'session', id: 's' });
        session.accept(started('t'));
        let items = 0;
        for (const one of actions) {
          switch (one.do) {
            case 'append':
              for (let n = 0; n < one.times; n += 1) void session.append({ role: 'note', kind: 'api', text: `${n}` });
              break;
            case 'live':
              session.accept(delta('t', `i${items}`, one.text));
              break;
            case 'item':
              session.accept(end('t', say(`i${items}`, 'x')));
              items += 1;
              session.accept(begin('t', say(`i${items}`, '')));
              break;
            case 'settle':
              await session.drain();
              break;
            case 'wait':
              for (let n = 0; n < one.turns; n += 1) await nextTurn();
              break;
            case 'join':
              followers[one.client]?.join(connect);
              break;
            case 'again':
              followers[one.client]?.again();
              break;
            case 'hurry': {
              const hurried = followers[one.client];
              if (hurried !== undefined) hurried.isHurried = true;
              break;
            }
            case 'cut':
              followers[one.client]?.cut();
              break;
            default:
              one satisfies never;
          }
        }
        for (const follower of followers) follower.join(connect);
        await session.drain();
        const last = session.publishedSeq();
        for (const follower of followers) {
          await expect
            .poll(
              () => {
                follower.read();
                return follower.last;
              },
              { interval: 1 },
            )
            .toBe(last);
          expect(follower.holes).toEqual([]);
        }
        hub.stop();
        await close();
      }),
      { numRuns: 200 },
    );
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
