/** A server whose wall clock jumps: order, repetition and pace of events do not depend on it, and a turn goes on. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { openBox } from '../../src/testing/box.ts';
import { ask, eventFor, eventsOf, openTarget, post, publishSocket, toldIds } from '../api/events-stand.ts';

/** As a URL: words of this variable are split at spaces. */
const SHIM = pathToFileURL(join(import.meta.dirname, '../fixtures/jumping-clock.mjs')).href;

test('[FT14] an hour back and two forward: events keep their order, are known, and are told once', async () => {
  const box = await openBox({ env: { NODE_OPTIONS: `--import=${SHIM}` } });
  try {
    const target = await openTarget(box);
    const sent = Array.from({ length: 6 }, () => eventFor(target.threadId));
    const received = async () => (await eventsOf(box, target)).events.map((event) => event.received_at);
    const jump = async (signal: NodeJS.Signals, event: unknown) => {
      const before = (await received()).at(-1) ?? '';
      process.kill(box.pid(), signal);
      // The signal is handled when it is handled: the clock of the next event says so.
      await expect
        .poll(async () => {
          await post(box, eventFor(target.threadId, { type: 'clock.look' }));
          const now = (await received()).at(-1) ?? '';
          return signal === 'SIGUSR2' ? now < before : Date.parse(now) - Date.parse(before) > 3_000_000;
        })
        .toBe(true);
      expect((await publishSocket(target, event))[0]?.ok).toBe(true);
    };

    expect((await post(box, sent[0])).status).toBe(202);
    expect((await publishSocket(target, sent[1]))[0]?.ok).toBe(true);
    await jump('SIGUSR2', sent[2]);
    expect((await post(box, sent[0])).status).toBe(409);
    expect((await post(box, sent[3])).status).toBe(202);
    await jump('SIGURG', sent[4]);
    expect((await publishSocket(target, sent[1]))[0]).toMatchObject({ ok: false, code: 'duplicate_event' });
    expect((await post(box, sent[5])).status).toBe(202);

    const ids = sent.map(({ event_id }) => event_id);
    const listed = (await eventsOf(box, target)).events.filter(({ type }) => type === 'build.status');
    expect(listed.map(({ event_id }) => event_id)).toEqual(ids);
    const told = toldIds(await ask(box, target, 'what came?')).filter((id) => ids.includes(id));
    expect(new Set(told).size).toBe(told.length);
    expect(told.at(-1)).toBe(ids.at(-1));
    expect(toldIds(await ask(box, target, 'and now?'))).toEqual(toldIds(await ask(box, target, 'still?')));
  } finally {
    await box.close();
  }
});
