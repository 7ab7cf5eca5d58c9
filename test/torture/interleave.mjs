/** `--interleave`: rounds in which two clients do everything to the same conversations at the same time, without any crash. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createHost } from './host.mjs';
import { checkInterleaving, INTERLEAVE_LAWS } from './interleave-check.mjs';
import { planInterleaving } from './interleave-plan.mjs';
import { startModel } from './model.mjs';
import { entriesOf, waitUntilQuiet } from './observe.mjs';

const FOLDER = resolve(import.meta.dirname, '../../.tmp');
const BASE = '/api/appserver';
/** Ten times what a slow machine needs to come to rest. */
const QUIET_MS = 15_000;
const say = (text) => process.stdout.write(`${text}\n`);
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** True if no law was broken. */
export async function interleave({ rounds, seed, isVerbose }) {
  say(
    `interleave: ${rounds} rounds, seeds ${seed} to ${seed + rounds - 1}; repeat one with --interleave --rounds 1 --seed N`,
  );
  mkdirSync(FOLDER, { recursive: true });
  const model = await startModel();
  const host = createHost({ dir: mkdtempSync(join(FOLDER, 'interleave-')), modelUrl: model.url });
  const broken = [];
  const answers = new Map();
  const from = performance.now();
  try {
    for (let n = 0; n < rounds; n += 1) {
      const result = await runSafely({ host, model, plan: planInterleaving(seed + n) });
      for (const { operation, status, body } of result.record)
        count(answers, `${operation} ${status} ${body?.code ?? ''}`);
      for (const one of result.violations) broken.push({ ...one, seed: seed + n });
      if (result.violations.length > 0)
        writeFileSync(join(FOLDER, `interleave-${seed + n}.json`), JSON.stringify(result, null, 1));
      if (isVerbose || result.violations.length > 0)
        say([`round ${seed + n}`, ...result.violations.map(({ law, text }) => `    ${law}: ${text}`)].join('\n'));
      else if (n % 25 === 24) say(`interleave: ${n + 1} of ${rounds} rounds, ${broken.length} violations`);
    }
  } finally {
    await host.close();
    await model.close();
  }
  if (isVerbose) for (const [what, times] of [...answers].sort()) say(`${String(times).padStart(6)}  ${what}`);
  const operations = [...answers.values()].reduce((sum, times) => sum + times, 0);
  say(`interleave: ${rounds} rounds, ${operations} operations in ${((performance.now() - from) / 1000).toFixed(1)} s`);
  for (const law of Object.keys(INTERLEAVE_LAWS)) {
    const own = broken.filter((one) => one.law === law);
    if (own.length > 0)
      say(
        `BROKEN: ${law} ${own.length} times (${INTERLEAVE_LAWS[law]}); seeds ${[...new Set(own.map((one) => one.seed))].join(' ')}`,
      );
  }
  say(`violations: ${broken.length}`);
  return broken.length === 0;
}

const count = (counts, key) => counts.set(key, (counts.get(key) ?? 0) + 1);

async function runSafely(input) {
  const record = [];
  try {
    return await runInterleaving({ ...input, record });
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { plan: input.plan, record, violations: [{ law: 'stuck', text }] };
  }
}

async function runInterleaving({ host, model, plan, record }) {
  const conversations = [];
  for (let at = 0; at < plan.conversations; at += 1) {
    const settings = { cwd: host.project, approval: 'untrusted', sandbox: 'read-only' };
    conversations.push({ id: (await host.must('POST', `${BASE}/conversations`, settings)).id });
  }
  const rest = async (when) => {
    const busy = await waitUntilQuiet({ host, model, conversations, timeoutMs: QUIET_MS });
    return busy === null ? [] : [{ law: 'stuck', text: `${when}: ${busy}` }];
  };
  await Promise.all(
    conversations.map(({ id }) => host.must('POST', `${BASE}/messages`, { conversation_id: id, text: 'warm up' })),
  );
  const violations = await rest('after the first message');

  const perform = createPerformer(host, conversations, record);
  await Promise.all(plan.clients.map((steps) => runClient(steps, perform)));

  // Whatever was done, the conversations are brought back, so that they can be looked at and used.
  for (const { id } of conversations) {
    await host.call('POST', `${BASE}/conversations/${id}/restore`, {});
    const back = await untilDone(() => host.call('POST', `${BASE}/conversations/${id}/unarchive`, {}));
    if (back.status !== 200) violations.push({ law: 'stuck', text: `unarchive: ${JSON.stringify(back)}` });
  }
  violations.push(...(await rest('after the operations')));
  for (const { id } of conversations) {
    const body = { conversation_id: id, text: `[f-${plan.tag}-1]`, client_message_id: `f-${plan.tag}-${id}` };
    const answer = await host.call('POST', `${BASE}/messages`, body);
    if (answer.status !== 200) violations.push({ law: 'stuck', text: `a fresh message: ${JSON.stringify(answer)}` });
  }
  violations.push(...(await rest('after the fresh message')));
  const seen = await look(host, model, conversations);
  seen.missingForks = await missingForks(host, record);
  for (const one of seen.conversations)
    if (one.entries.findLast(({ role }) => role === 'status')?.turn_status !== 'completed')
      violations.push({ law: 'stuck', text: `the turn of the fresh message of ${one.id} did not complete` });
  violations.push(...checkInterleaving(record, seen));
  for (const { threads } of seen.conversations) for (const thread of threads) model.forget(thread);
  return { plan, record, seen, violations };
}

async function runClient(steps, perform) {
  const open = [];
  for (const step of steps) {
    const done = perform(step);
    if (step.isAwaited) await done;
    else open.push(done);
    if (step.pauseMs > 0) await sleep(step.pauseMs);
  }
  await Promise.all(open);
}

function createPerformer(host, conversations, record) {
  const requests = {
    send: (id, step) => message(id, step, 'send'),
    steer: (id, step) => message(id, step, 'steer'),
    queue: (id, step) => message(id, step, 'queue'),
    interrupt: (id) => ['POST', `${BASE}/interrupt`, { conversation_id: id }],
    compact: (id) => ['POST', `${BASE}/compact`, { conversation_id: id }],
    review: (id, step) => [
      'POST',
      `${BASE}/conversations/${id}/review`,
      { target: { type: 'custom', instructions: `look at nothing ${step.text.replace(step.marker, '')}` } },
    ],
    fork: (id) => ['POST', `${BASE}/conversations/${id}/fork`, {}],
    revert: async (id, step) => {
      const turns = await endedTurns(host, id);
      const turnId = turns[Math.floor(step.at * turns.length)];
      return turnId === undefined ? null : ['POST', `${BASE}/conversations/${id}/revert`, { before_turn_id: turnId }];
    },
    archive: (id) => ['POST', `${BASE}/conversations/${id}/archive`, {}],
    unarchive: (id) => ['POST', `${BASE}/conversations/${id}/unarchive`, {}],
    delete: (id) => ['DELETE', `${BASE}/conversations/${id}`],
    restore: (id) => ['POST', `${BASE}/conversations/${id}/restore`, {}],
    rename: (id, step) => ['PATCH', `${BASE}/conversations/${id}`, { label: step.marker }],
  };
  return async (step) => {
    const { id } = conversations[step.conversation];
    const request = await requests[step.operation](id, step);
    if (request === null) return;
    const { operation, conversation, marker, id: name } = step;
    const one = {
      operation,
      conversation,
      marker,
      id: name,
      askedAt: performance.now(),
      answeredAt: null,
      status: null,
    };
    record.push(one);
    try {
      const { status, body } = await host.call(...request);
      Object.assign(one, { status, body, answeredAt: performance.now() });
    } catch (error) {
      one.error = error instanceof Error ? error.message : String(error);
    }
  };
}

const message = (id, { id: clientMessageId, text }, mode) => [
  'POST',
  `${BASE}/messages`,
  { conversation_id: id, text, mode, client_message_id: clientMessageId },
];

/** Turns that can be reverted; of a conversation that is deleted just now there are none. */
async function endedTurns(host, id) {
  const answer = await host.call('GET', `${BASE}/transcript?conversation_id=${id}&limit=100`);
  if (answer.status !== 200) return [];
  const { entries } = answer.body;
  const reverted = new Set();
  for (const { role, kind, turn_id: turnId } of entries) {
    if (role !== 'note' || kind !== 'reverted') continue;
    const from = entries.findIndex((entry) => entry.turn_id === turnId);
    for (const entry of entries.slice(from)) if (entry.turn_id) reverted.add(entry.turn_id);
  }
  return [...new Set(entries.flatMap(({ role, turn_id: turn }) => (role === 'status' && turn ? [turn] : [])))].filter(
    (turn) => !reverted.has(turn),
  );
}

/** Operations that change a thread are refused while something runs, and queued messages run one after the other. */
async function untilDone(request) {
  const deadline = performance.now() + QUIET_MS;
  for (;;) {
    const answer = await request();
    if (answer.status !== 409 || performance.now() > deadline) return answer;
    await sleep(25);
  }
}

async function missingForks(host, record) {
  const missing = [];
  for (const { operation, status, body, id } of record) {
    if (operation !== 'fork' || status !== 200) continue;
    const { status: found } = await host.call('GET', `${BASE}/conversations/${body.id}`);
    if (found !== 200) missing.push(`${id}: ${body.id} is ${found}`);
  }
  return missing;
}

async function look(host, model, conversations) {
  const seen = [];
  for (const { id } of conversations) {
    const { row, conversation } = await host.must('GET', `${BASE}/conversations/${id}`);
    const { queue } = await host.must('GET', `${BASE}/conversations/${id}/queue`);
    const threads = [...(conversation.lost_threads ?? []), ...(row.thread_id === null ? [] : [row.thread_id])];
    const told = {};
    for (const thread of threads)
      for (const [marker, times] of Object.entries(model.toldIn(thread)))
        told[marker] = Math.max(times, told[marker] ?? 0);
    seen.push({
      id,
      state: row.state,
      label: conversation.label,
      archived: conversation.archived,
      queue: queue.map((one) => one.client_message_id),
      entries: await entriesOf(host, id),
      threads,
      told,
    });
  }
  return { conversations: seen };
}
