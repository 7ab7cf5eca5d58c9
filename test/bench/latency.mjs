/**
 * What we add between a line leaving Codex and a client hearing it, at 1,000 deltas a second to 1, 10 and 50 clients, against
 * reading the same pipe directly. The producer stands in for Codex, which cannot be paced this exactly; its approvals show
 * that nothing but deltas is ever held back.
 */
import { createInterface } from 'node:readline';
import { openBox } from '../../dist/testing/box.js';
import { CLIENTS } from './lib/clients.mjs';
import { nowUs, stampsOf, writeProducer } from './lib/producer.mjs';
import { best, ms, note, percentile, report } from './lib/report.mjs';
import { bench, makeDir, onEnd, start, startHelper } from './lib/stand.mjs';

const ROUNDS = 3;
const DELTAS = 3_000;
const COUNTS = [1, 10, 50];
/** The first deltas of a turn meet code that is not compiled yet. */
const WARM_UP = { paced: 1_000 };

await bench(async () => {
  const producer = writeProducer(makeDir('bench'));
  const box = await openBox({ transport: 'stdio', codexBin: producer });
  onEnd(box.close);
  const clients = startHelper(CLIENTS);
  note(`${DELTAS} deltas at 1,000 a second, the best of ${ROUNDS} alternating rounds; ratio is the time added`);

  for (const count of COUNTS) {
    const place = {
      url: box.url(),
      headers: box.sessionHeaders(),
      conversationId: await box.create({ approval: 'untrusted' }),
    };
    await clients.ask({ command: 'joinOurs', ...place, count });
    await clients.ask({ command: 'floodOurs', ...place, text: JSON.stringify(WARM_UP) });
    const runs = { ours: [], pipe: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      runs.pipe.push(await pipeRead(producer));
      runs.ours.push(await clients.ask({ command: 'timeOurs', ...place, text: JSON.stringify({ paced: DELTAS }) }));
    }
    await clients.ask({ command: 'leave' });
    const time = (kind, what, share) => best(runs[kind].map((run) => percentile(run[what], share))) / 1000;
    const line = (name, what, share, goal) =>
      report({
        name: `latency: ${name}, ${count} clients`,
        ours: ms(time('ours', what, share)),
        baseline: ms(time('pipe', what, share)),
        ratio: time('ours', what, share) - time('pipe', what, share),
        show: ms,
        goal: ['≤', goal],
      });
    line('deltas p50', 'deltas', 0.5, 1.5);
    line('deltas p99', 'deltas', 0.99, 5);
    line('approvals p50', 'approvals', 0.5, 1.5);
    const frames = best(runs.ours.map((run) => run.frames));
    note(`${Math.round((frames / DELTAS) * 1000)} frames a second and client`);
  }
});

/** The same turn, read straight from the pipe: split, parsed, stamped. */
async function pipeRead(producer) {
  const child = start(producer, []);
  const ask = (id, method, params) => child.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
  const deltas = [];
  const approvals = [];
  ask(1, 'initialize', {});
  ask(2, 'thread/start', { cwd: '/' });
  ask(3, 'turn/start', { threadId: 'thread-1', input: [{ type: 'text', text: JSON.stringify({ paced: DELTAS }) }] });
  await new Promise((done) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const now = nowUs();
      const { method, params } = JSON.parse(line);
      if (method === 'item/agentMessage/delta') deltas.push(...stampsOf(params.delta).map((at) => now - at));
      if (method === 'item/commandExecution/requestApproval')
        approvals.push(...stampsOf(params.command).map((at) => now - at));
      if (method === 'turn/completed') done();
    });
  });
  await child.end();
  return { deltas, approvals };
}
