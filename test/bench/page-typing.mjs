/** Key to paint in the message box while about 1,000 deltas a second stream into a long conversation, against an idle page; and what the tab keeps after many rows. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openBox } from '../../dist/testing/box.js';
import { openChromium, openProbed, sampleAnswer, turn } from './lib/page-stand.mjs';
import { mb, ms, note, percentile, report } from './lib/report.mjs';
import { bench, onEnd } from './lib/stand.mjs';

const KEYS = 200;
const ROWS = Number(process.env.ROWS ?? 10_000);

await bench(async () => {
  const box = await openBox();
  onEnd(box.close);
  const browser = await openChromium();
  const id = await box.create();
  const probed = await openProbed(browser, box, { path: `/#/c/${id}` });
  box.model.push({ match: 'warm', events: [{ say: sampleAnswer(20_000) }] });
  await turn(box, id, 'warm');
  const idle = await typing(probed);
  box.model.push({ match: 'stream', events: [{ say: sampleAnswer(200_000), chunk: 24, delayMs: 1 }] });
  let busy = [];
  const streamed = turn(box, id, 'stream');
  await sleep(1_000);
  busy = await typing(probed);
  await streamed;
  note(
    `${KEYS} keys, 20 ms apart; p50 ${ms(percentile(busy, 0.5))} while streaming, ${ms(percentile(idle, 0.5))} idle`,
  );
  report({
    name: 'page: key to paint p99 while streaming (idle)',
    ours: ms(percentile(busy, 0.99)),
    baseline: ms(percentile(idle, 0.99)),
    ratio: percentile(busy, 0.99),
    show: ms,
    goal: ['≤', 50],
  });
  const few = await rows(box, browser, 100);
  const many = await rows(box, browser, ROWS);
  report({
    name: `page: heap after ${ROWS.toLocaleString('en')} streamed rows (100)`,
    ours: mb(many),
    baseline: mb(few),
    ratio: many / few,
  });
});

async function typing(probed) {
  await probed.page.locator('#composer').fill('');
  await probed.page.locator('#composer').focus();
  await probed.reset();
  for (let n = 0; n < KEYS; n += 1) {
    await probed.page.keyboard.press('a');
    await sleep(20);
  }
  await probed.frames();
  return (await probed.counts()).keys;
}

async function rows(box, browser, wanted) {
  const id = await box.create();
  const probed = await openProbed(browser, box, { path: `/#/c/${id}` });
  const events = Array.from({ length: wanted }, (_, n) => ({ say: `row ${n} of a long turn`, chunk: 4_096 }));
  box.model.push({ match: 'rows', events });
  await turn(box, id, 'rows');
  await sleep(500);
  const heap = await probed.heapMb();
  await probed.close();
  return heap;
}
