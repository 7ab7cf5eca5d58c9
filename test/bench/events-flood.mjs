/**
 * What a flood of events does to a conversation that streams: deltas at 1,000 a second to one client, with and without
 * 50,000 events a second for another conversation of the same server,
 * once with the limits a source has by default and once with none; and with the same flood to a process beside the server that only answers,
 * which is what the machine itself has left. The producer stands in for Codex, as for the latency bench.
 */
import { join } from 'node:path';
import { openBox } from '../../dist/testing/box.js';
import { CLIENTS } from './lib/clients.mjs';
import { EVENT_PRODUCER } from './lib/event-producer.mjs';
import { EVENT_SINK } from './lib/event-sink.mjs';
import { target } from './lib/event-target.mjs';
import { writeProducer } from './lib/producer.mjs';
import { median, ms, note, percentile, perSecond, report } from './lib/report.mjs';
import { bench, makeDir, onEnd, startHelper } from './lib/stand.mjs';

const ROUNDS = 3;
const DELTAS = 1_500;
const EVENTS_PER_SECOND = 50_000;
/** Below what a thread keeps unread, beyond which events are refused. */
const EVENTS_AT_MOST = 95_000;
const unlimited = ['burst', 'rate_per_second', 'max_ledger_mb', 'max_total_ledger_mb'].flatMap((name) => [
  '-c',
  `external_events.${name}=100000000`,
]);

await bench(async () => {
  note(`${DELTAS} deltas at 1,000 a second to one client, medians of ${ROUNDS} alternating rounds`);
  await measure('to a process beside', [], await startSink());
  await measure('as configured', []);
  await measure('all taken', unlimited);
});

async function startSink() {
  const path = join(makeDir('sink'), 's');
  await startHelper(EVENT_SINK).ask({ command: 'listen', path });
  return path;
}

/** `flags`: how much of the flood the server is to take. `sink`: where the flood goes instead. */
async function measure(name, flags, sink) {
  const box = await openBox({ transport: 'stdio', codexBin: writeProducer(makeDir('bench')), flags });
  const close = onEnd(box.close);
  const clients = startHelper(CLIENTS);
  const producer = startHelper(EVENT_PRODUCER);
  const place = {
    url: box.url(),
    headers: box.sessionHeaders(),
    conversationId: await box.create({ approval: 'untrusted' }),
  };
  const stream = () => clients.ask({ command: 'timeOurs', ...place, text: JSON.stringify({ paced: DELTAS }) });
  await clients.ask({ command: 'joinOurs', ...place, count: 1 });
  await stream();

  const runs = { calm: [], flooded: [], taken: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const calm = await stream();
    const { threadId, discovery } = await target(box);
    const flow = { path: sink ?? discovery.ipc.path, token: discovery.token, threadId };
    await producer.ask({ command: 'begin', ...flow, perSecond: EVENTS_PER_SECOND, atMost: EVENTS_AT_MOST });
    const flooded = await stream();
    const { perSecond: taken } = await producer.ask({ command: 'end' });
    // The first flood meets code that is not compiled yet.
    if (round === 0) continue;
    runs.calm.push(calm.deltas);
    runs.flooded.push(flooded.deltas);
    runs.taken.push(taken);
  }
  await clients.stop();
  await producer.stop();
  await close();

  const time = (kind, share) => median(runs[kind].map((deltas) => percentile(deltas, share))) / 1000;
  report({ name: `events flood, ${name}: events taken`, ours: perSecond(median(runs.taken)) });
  for (const [what, share, goal] of [
    ['p50', 0.5, undefined],
    ['p99', 0.99, sink === undefined ? 1.5 : undefined],
  ]) {
    const [ours, baseline] = [time('flooded', share), time('calm', share)];
    report({
      name: `events flood, ${name}: deltas ${what}`,
      ours: ms(ours),
      baseline: ms(baseline),
      ratio: ours / baseline,
      ...(goal !== undefined && { goal: ['≤', goal] }),
    });
  }
}
