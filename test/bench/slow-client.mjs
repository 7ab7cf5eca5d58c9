/** One client of eleven stops reading in a flood: what that costs the server's memory and the other ten's time. */
import { openBox } from '../../dist/testing/box.js';
import { CLIENTS } from './lib/clients.mjs';
import { writeProducer } from './lib/producer.mjs';
import { best, mb, median, ms, note, report } from './lib/report.mjs';
import { bench, makeDir, onEnd, startHelper, watchRss } from './lib/stand.mjs';

const ROUNDS = 7;
const DELTAS = 100_000;
const HEALTHY = 10;

await bench(async () => {
  const box = await openBox({ transport: 'stdio', codexBin: writeProducer(makeDir('bench')) });
  onEnd(box.close);
  const clients = startHelper(CLIENTS);
  const place = {
    url: box.url(),
    headers: box.sessionHeaders(),
    conversationId: await box.create({ approval: 'never' }),
  };

  const flood = async (stalled) => {
    await clients.ask({ command: 'joinOurs', ...place, count: HEALTHY + stalled, stalled });
    const highest = watchRss(box.pid());
    const { tookMs } = await clients.ask({ command: 'floodOurs', ...place, text: JSON.stringify({ flood: DELTAS }) });
    const rss = highest();
    await clients.ask({ command: 'leave' });
    return { tookMs, rss };
  };
  // The heap grows to its working size in the first floods; what is compared is what a stalled client adds to that.
  for (let round = 0; round < 3; round += 1) await flood(0);
  const alone = [];
  const stalled = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await flood(0));
    stalled.push(await flood(1));
  }
  const memory = (runs) => median(runs.map((run) => run.rss));
  const fastest = (runs) => best(runs.map((run) => run.tookMs));
  note(
    `${DELTAS} deltas as fast as they are taken, ${ROUNDS} alternating rounds: the best times, medians of the highest memory`,
  );
  report({
    name: `slow client: memory, 1 of ${HEALTHY + 1} stalled`,
    ours: mb(memory(stalled)),
    baseline: mb(memory(alone)),
    ratio: memory(stalled) - memory(alone),
    show: mb,
    goal: ['≤', 10],
  });
  report({
    name: `slow client: time of the other ${HEALTHY}`,
    ours: ms(fastest(stalled)),
    baseline: ms(fastest(alone)),
    ratio: fastest(stalled) / fastest(alone),
    goal: ['≤', 1.02],
  });
});
