/** Waits until a round is quiet, then collects what can be seen from outside: transcripts, queues, ledgers, board, Codex, model. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerApprovals } from './actions.mjs';

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const POLL_MS = 15;
/** Two looks so far apart must agree; longer than the time in which the server gathers events for a turn. */
const STABLE_MS = 60;
const FINAL = ['delivered', 'not_delivered'];

/** Null when all is quiet; else what still was not when the time was over. */
export async function waitUntilQuiet({ host, model, conversations, timeoutMs }) {
  const deadline = performance.now() + timeoutMs;
  let busy = 'nothing was looked at';
  let before = '';
  while (performance.now() < deadline) {
    try {
      const { reason, print } = await look(host, model, conversations);
      if (reason === null && print === before) return null;
      busy = reason ?? 'it changed between two looks';
      before = reason === null ? print : '';
      await sleep(reason === null ? STABLE_MS : POLL_MS);
    } catch (error) {
      busy = error instanceof Error ? error.message : String(error);
      before = '';
      await sleep(POLL_MS);
    }
  }
  return busy;
}

async function look(host, model, conversations) {
  const { codex, storage } = await host.must('GET', '/api/appserver/status');
  if (codex.state !== 'ready') {
    // Also clears the waiting time after several deaths, which is for people and not for a rig.
    await host.call('POST', '/api/appserver/start', {});
    return { reason: `Codex is ${codex.state}: ${codex.message}` };
  }
  if (storage !== 'ok') return { reason: `storage is ${storage}` };
  const ids = conversations.map(({ id }) => id);
  if ((await answerApprovals(host, ids)) > 0) return { reason: 'an approval waited' };
  if (model.open() > 0) return { reason: 'the model is answering' };
  const prints = [];
  for (const { id } of conversations) {
    const { row, conversation } = await host.must('GET', `/api/appserver/conversations/${id}`);
    if (row.queued > 0 && conversation.queue_paused)
      await host.call('POST', `/api/appserver/conversations/${id}/queue/resume`, {});
    if (row.queued > 0) return { reason: `${row.queued} messages are queued` };
    if (!['idle', 'failed', 'draft'].includes(row.state)) return { reason: `${id} is ${row.state}` };
    const entries = await entriesOf(host, id);
    const open = unsettled(entries);
    if (open.length > 0) return { reason: `neither delivered nor not delivered: ${open.join(', ')}` };
    const ledger = await ledgerOf(host, row.thread_id ?? id);
    const moving = ledger.find(isMoving);
    if (moving !== undefined) return { reason: `event ${moving.event_id} is ${moving.state} (${moving.mode})` };
    prints.push(row.thread_id, entries.length, ...ledger.map(({ state, mode }) => `${state}/${mode}`));
  }
  return { reason: null, print: JSON.stringify([prints, model.requests()]) };
}

/** Something will happen to the event by itself. */
const isMoving = ({ state, mode }) =>
  state === 'received' ||
  state === 'sending' ||
  (state === 'queued' && (mode === 'auto_turn' || mode === 'turn_steer'));

function unsettled(entries) {
  const states = new Map();
  for (const entry of entries)
    if ((entry.role === 'user' || entry.role === 'delivery') && entry.state !== undefined)
      states.set(entry.client_message_id, entry.state);
  return [...states].flatMap(([id, state]) => (FINAL.includes(state) ? [] : [id]));
}

export async function entriesOf(host, id) {
  const all = [];
  for (let after = 0; ; ) {
    const path = `/api/appserver/transcript/range?conversation_id=${id}&after=${after}&limit=500&aliases=false`;
    const { entries, last_seq: last } = await host.must('GET', path);
    all.push(...entries);
    if (last === null || entries.length === 0) return all;
    after = last;
  }
}

async function ledgerOf(host, threadId) {
  const answer = await host.call('GET', `/v1/threads/${threadId}/events?limit=1000`);
  return answer.status === 200 ? answer.body.events : [];
}

/** Everything the checker compares, as plain data. */
export async function observe({ host, model, conversations, tag }) {
  const seen = [];
  for (const { id } of conversations) {
    const { row, conversation } = await host.must('GET', `/api/appserver/conversations/${id}`);
    const { queue } = await host.must('GET', `/api/appserver/conversations/${id}/queue`);
    const threads = [...(conversation.lost_threads ?? []), ...(row.thread_id === null ? [] : [row.thread_id])];
    seen.push({
      id,
      threadId: row.thread_id,
      state: row.state,
      pendingApprovals: row.pending_approvals,
      queue: queue.map((one) => one.client_message_id),
      entries: await entriesOf(host, id),
      raw: readRaw(host.home, id),
      ledger: (await Promise.all(threads.map((threadId) => ledgerOf(host, threadId)))).flat(),
      history: row.thread_id === null ? [] : await historyOf(host, row.thread_id),
      newestInput: row.thread_id === null ? [] : model.inputOf(row.thread_id).map(model.textOf),
      /** For each thread this conversation has had: marker -> the most often it occurred in one request. */
      told: threads.map((threadId) => model.toldIn(threadId)),
    });
  }
  const { messages } = await host.must('GET', `/api/messages?limit=500&q=${encodeURIComponent(`-${tag}-`)}`);
  return { conversations: seen, board: messages };
}

function readRaw(home, id) {
  let text = '';
  try {
    text = readFileSync(join(home, 'conversations', id, 'transcript.jsonl'), 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line)];
    } catch {
      // A line that a kill cut off; the next line repeats its number.
      return [];
    }
  });
}

/** Client ids of the user messages Codex lists for a thread. */
async function historyOf(host, threadId) {
  const params = { threadId, limit: 100, sortDirection: 'asc', itemsView: 'full' };
  const answer = await host.call('POST', '/api/appserver/rpc', { method: 'thread/turns/list', params });
  const turns = answer.body.result?.data ?? [];
  return turns.flatMap((turn) =>
    turn.items.flatMap((item) => (item.type === 'userMessage' ? [item.clientId ?? ''] : [])),
  );
}
