/**
 * What a message costs between `POST /messages` and its answer, against `turn/start` on Codex's own socket in the same run. The
 * difference holds our HTTP, the context of the message and the synced entry that is on disk before Codex gets the message.
 */
import { openBox } from '../../dist/testing/box.js';
import { openRawCodex } from '../../dist/testing/raw-codex.js';
import { ms, note, percentile, report } from './lib/report.mjs';
import { bench, onEnd } from './lib/stand.mjs';

const MESSAGES = 150;
/** The first messages meet code that is not compiled yet. */
const WARM_UP = 15;

await bench(async () => {
  const box = await openBox();
  onEnd(box.close);
  const conversation = await box.create();
  const watcher = await box.watch(conversation);
  await box.must('sendMessage', { conversation_id: conversation, text: 'first' });
  await watcher.turnEnd(1);
  const codex = await openRawCodex(box.home);
  const { thread } = await codex.request('thread/start', { cwd: box.project, approvalPolicy: 'never' });
  note(`${MESSAGES} messages each, alternating`);

  const times = { ours: [], codex: [] };
  for (let at = 0; at < WARM_UP + MESSAGES; at += 1) {
    const ours = await timed(() => box.must('sendMessage', { conversation_id: conversation, text: `message ${at}` }));
    await watcher.turnEnd(at + 2);
    const input = [{ type: 'text', text: `message ${at}`, text_elements: [] }];
    const direct = await timed(() => codex.request('turn/start', { threadId: thread.id, input }));
    await codex.heard('turn/completed');
    if (at < WARM_UP) continue;
    times.ours.push(ours);
    times.codex.push(direct);
  }
  codex.close();
  for (const [name, share] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ]) {
    const ours = percentile(times.ours, share);
    const direct = percentile(times.codex, share);
    report({
      name: `send: answer ${name}`,
      ours: ms(ours),
      baseline: ms(direct),
      ratio: ours - direct,
      show: ms,
    });
  }
});

async function timed(task) {
  const started = performance.now();
  await task();
  return performance.now() - started;
}
