/** Performs the steps of a plan against the server and keeps a record of everything that was submitted and how it was answered. */
import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
/** A socket that says nothing for so long belongs to a dead or stopped server. */
const SOCKET_MS = 5_000;
/** Rules for the events of the rig; `torture.queue` fits none and is queued by default. */
const RULES = [
  { match_type: 'torture.append', delivery: 'append_to_thread' },
  { match_type: 'torture.auto', delivery: 'auto_turn' },
  { match_type: 'torture.steer', delivery: 'queue_for_next_turn', prefer_steer: true },
];

export const setRules = (host) => host.must('PUT', '/v1/event-rules', { rules: RULES, allow_sources: ['torture'] });

export function createRecord() {
  return { messages: new Map(), events: new Map(), posts: new Map(), commands: new Map(), internal: [] };
}

/** @param {{ host: object, record: object, conversations: { id: string, threadId: string | null }[], fault: (step: object) => Promise<void> }} world */
export function createActions({ host, record, conversations, fault }) {
  /** Adds one attempt to submit; its answer is filled in if there is one. */
  const attempt = async (list, key, about, submit) => {
    const known = list.get(key) ?? { ...about, attempts: [] };
    list.set(key, known);
    const one = { submittedAt: performance.now(), answeredAt: null, status: null, body: null };
    known.attempts.push(one);
    try {
      const answer = await submit();
      Object.assign(one, { answeredAt: performance.now(), status: answer.status, body: answer.body });
      // A disk that fails is no bug of the server.
      if (answer.body?.code === 'internal' && !/EIO|ENOSPC/.test(answer.body.message))
        record.internal.push(`${key}: ${JSON.stringify(answer.body)}`);
    } catch (error) {
      one.error = error instanceof Error ? error.message : String(error);
    }
    return one;
  };

  const message = (step) => {
    const { id, marker, text, mode, conversation } = step;
    return attempt(record.messages, id, { id, marker, text, mode, conversation }, () =>
      host.call('POST', '/api/appserver/messages', {
        conversation_id: conversations[conversation].id,
        text,
        mode,
        client_message_id: id,
      }),
    );
  };

  const event = async (step) => {
    const target = conversations[step.conversation];
    target.threadId ??= await threadOf(host, target.id).catch(() => null);
    const { delivery, marker, id, conversation } = step;
    // A draft is the address of its events itself. Not by its files: a thread that begins meanwhile has files of its own.
    const threadId = target.threadId ?? target.id;
    const way = target.threadId === null ? 'http' : step.way;
    const envelope = {
      schema_version: 1,
      event_id: id,
      time_unix_ms: Date.now(),
      type: `torture.${delivery === 'other-turn' ? 'steer' : delivery}`,
      source: { name: 'torture' },
      routing: {
        thread_id: threadId,
        ...(delivery === 'other-turn' && { turn_id: 'a-turn-that-is-not-running' }),
      },
      title: marker,
    };
    const about = { id, marker, way, delivery, conversation, threadId };
    const ways = {
      http: () => host.call('POST', '/v1/events', envelope),
      socket: () => overSocket(host, threadId, envelope),
      inbox: async () => {
        appendFileSync(join(folderOf(host, threadId), 'external_events.inbox.jsonl'), `${JSON.stringify(envelope)}\n`);
        return { status: 202, body: { ok: true } };
      },
      drop: async () => {
        const folder = join(folderOf(host, threadId), 'inbox');
        const hidden = join(folder, `.${id}.part`);
        writeFileSync(hidden, JSON.stringify(envelope));
        renameSync(hidden, join(folder, `${id}.json`));
        return { status: 202, body: { ok: true } };
      },
    };
    await attempt(record.events, id, about, ways[way]);
  };

  const post = async ({ marker, id, times }) => {
    for (let n = 0; n < times; n += 1) {
      const body = { who: 'rig', message: marker, client_message_id: id };
      await attempt(record.posts, id, { id, marker }, () => host.call('POST', '/api/messages', body));
    }
  };

  const terminal = ({ marker, conversation }) =>
    attempt(record.commands, marker, { marker, conversation }, () =>
      host.call('POST', '/api/appserver/shell/exec', {
        conversation_id: conversations[conversation].id,
        command: `echo '${marker}'`,
      }),
    );

  const performers = {
    message,
    repeat: message,
    event,
    post,
    terminal,
    answer: ({ conversation }) => answerApprovals(host, [conversations[conversation].id]).catch(() => undefined),
    fault,
  };

  return {
    message,
    async run(steps) {
      const open = [];
      for (const step of steps) {
        const done = performers[step.do](step);
        if (step.isAwaited) await done;
        else open.push(done);
        if (step.pauseMs > 0) await sleep(step.pauseMs);
      }
      await Promise.allSettled(open);
    },
  };
}

/** Accepts whatever waits for an answer in these conversations; the number of answers that were given. */
export async function answerApprovals(host, ids) {
  const { approvals } = await host.must('GET', '/api/appserver/approvals');
  const ours = approvals.filter((one) => ids.includes(one.conversation_id));
  await Promise.all(
    ours.map(({ approval_id: id }) => host.call('POST', `/api/appserver/approvals/${id}`, { decision: 'accept' })),
  );
  return ours.length;
}

export async function threadOf(host, id) {
  return (await host.must('GET', `/api/appserver/conversations/${id}`)).row.thread_id;
}

const folderOf = (host, threadId) => join(host.codexHome, 'sessions', threadId);

async function overSocket(host, threadId, event) {
  const { ipc, token } = JSON.parse(readFileSync(join(folderOf(host, threadId), 'external_events.json'), 'utf8'));
  const socket = connect(ipc.path);
  try {
    const ack = await new Promise((done, fail) => {
      socket.setTimeout(SOCKET_MS, () => fail(new Error('no answer on the socket')));
      socket.once('error', fail);
      socket.once('close', () => fail(new Error('the socket was closed')));
      createInterface({ input: socket }).once('line', done).on('error', fail);
      socket.write(`${JSON.stringify({ token, event })}\n`);
    });
    const body = JSON.parse(ack);
    return { status: body.ok ? 202 : 400, body };
  } finally {
    socket.destroy();
  }
}
