/**
 * A 200 KB answer streamed into the page by the real Codex, against the same frames over the same socket appended as plain
 * text in pieces of 4 KB: main-thread time, long tasks, dropped frames, and how many elements are left.
 */
import { openBox } from '../../dist/testing/box.js';
import { measure, openChromium, openProbed, sampleAnswer, turn } from './lib/page-stand.mjs';
import { median, ms, note, report } from './lib/report.mjs';
import { bench, onEnd } from './lib/stand.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 2);
const BYTES = Number(process.env.BYTES ?? 200_000);
const ANSWER = sampleAnswer(BYTES);

/** What the fastest page could do: append, and scroll to the end. */
const plain = (id, proof) => `(() => {
const box = document.createElement('div');
document.body.replaceChildren(box);
document.body.style.margin = '0';
box.style.cssText = 'height: 100vh; overflow: auto; white-space: pre-wrap; font: 15px/22px system-ui';
const socket = new WebSocket(location.origin.replace('http', 'ws') + '/ws/appserver', ['signalbox', 'signalbox.proof.${proof}']);
socket.onopen = () => socket.send(JSON.stringify({ type: 'subscribe', conversation_id: '${id}' }));
let held = '';
let last = null;
let isAsked = false;
socket.onmessage = (message) => {
  const frame = JSON.parse(message.data);
  if (frame.type !== 'assistant_delta') return;
  held += frame.delta;
  if (!isAsked) requestAnimationFrame(flush);
  isAsked = true;
};
function flush() {
  isAsked = false;
  if (last === null || last.data.length > 4096) {
    last = document.createTextNode('');
    const piece = document.createElement('div');
    piece.append(last);
    box.append(piece);
  }
  last.appendData(held);
  held = '';
  box.scrollTop = box.scrollHeight;
}
})()`;

await bench(async () => {
  const box = await openBox();
  onEnd(box.close);
  const browser = await openChromium();
  const runs = { ours: [], plain: [] };
  let nodes = 0;
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const kind of ['plain', 'ours']) {
      const id = await box.create();
      // The first turn starts the thread and compiles the code on the way.
      box.model.push({ match: 'warm', events: [{ say: sampleAnswer(4_000), chunk: 24, delayMs: 1 }] });
      const probed = await openProbed(
        browser,
        box,
        kind === 'plain'
          ? { script: plain(id, box.sessionHeaders().authorization.split(' ')[1]) }
          : { path: `/#/c/${id}` },
      );
      await turn(box, id, 'warm');
      box.model.push({ match: 'stream', events: [{ say: ANSWER, chunk: 24, delayMs: 1 }] });
      const run = await measure(probed, () => turn(box, id, 'stream'));
      if (process.env.DEBUG)
        note(`${kind} ${JSON.stringify(run)} ${await probed.page.evaluate('document.body.innerText.length')}`);
      if (round > 0) runs[kind].push(run);
      if (kind === 'ours') nodes = await probed.nodes();
      await probed.close();
      if (round === 0) break;
    }
  }
  const mid = (kind, what) => median(runs[kind].map(what));
  note(
    `${BYTES / 1000} KB in deltas of 24 B, medians of ${ROUNDS} alternating rounds; ${mid('ours', (run) => run.frames)} frames`,
  );
  const parts = (kind) =>
    ['scriptMs', 'styleMs', 'layoutMs']
      .map((name) => `${name} ${Math.round(mid(kind, (run) => run[name]))}`)
      .join(', ');
  note(`ours: ${parts('ours')}; plain: ${parts('plain')}`);
  report({
    name: 'page: 200 KB answer, main thread (against plain text)',
    ours: ms(mid('ours', (run) => run.taskMs)),
    baseline: ms(mid('plain', (run) => run.taskMs)),
    ratio: mid('ours', (run) => run.taskMs) / mid('plain', (run) => run.taskMs),
    goal: ['≤', 2],
  });
  const count = (value) => value.toFixed(0);
  const percent = (value) => `${(value * 100).toFixed(2)} %`;
  report({
    name: 'page: 200 KB answer, tasks over 50 ms',
    ours: count(mid('ours', (run) => run.longTasks.length)),
    baseline: count(mid('plain', (run) => run.longTasks.length)),
    ratio: mid('ours', (run) => run.longTasks.length),
    show: count,
    goal: ['≤', 0],
  });
  report({
    name: 'page: 200 KB answer, dropped frames',
    ours: percent(mid('ours', (run) => run.droppedShare)),
    baseline: percent(mid('plain', (run) => run.droppedShare)),
    ratio: mid('ours', (run) => run.droppedShare),
    show: percent,
    goal: ['≤', 0.003],
  });
  report({ name: 'page: elements after it', ours: count(nodes), ratio: nodes, show: count, goal: ['≤', 6_000] });
});
