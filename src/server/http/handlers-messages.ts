/** Route id → service call, for what is said in a conversation. No logic. */
import { randomUUID } from 'node:crypto';
import type { Entry } from '../../contract/entry.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { MESSAGE_ROUTES } from '../../contract/routes-messages.ts';
import { stepsOfAnswer } from '../../core/access/step-up.ts';
import { cleanText } from '../../core/text/clean.ts';
import type { Caller } from '../caller.ts';
import type { Conversation } from '../conversations/conversation.ts';
import type { PageQuery } from '../conversations/history.ts';
import { parseEntry } from '../conversations/session.ts';
import { confirmChange, type HandlersFor, type Services } from './services.ts';

/** A command of a person may take as long as they let it; the answer waits for an hour. */
const SHELL_TIMEOUT_MS = 3_600_000;

export function messageHandlers(services: Services): HandlersFor<typeof MESSAGE_ROUTES> {
  const { registry, actions, approvals, selection, board, terminals, context, running } = services;

  const openOf = (id: ConversationId | undefined, caller: Caller): Promise<Result<Conversation>> => {
    const chosen = id ?? selection.of(caller);
    if (chosen === undefined)
      return Promise.resolve(fail('unknown_conversation', 'no conversation is selected: give conversation_id'));
    return registry.open(chosen);
  };

  const page = async (
    id: ConversationId | undefined,
    caller: Caller,
    { aliases, ...query }: PageQuery & { readonly aliases: boolean },
  ) => {
    const opened = await openOf(id, caller);
    if (!opened.ok) return opened;
    const { lines, firstSeq, lastSeq, hasMore } = await opened.value.history.page(query);
    const read = lines.flatMap(parseEntry);
    const entries = aliases ? read.map(withAliases) : read;
    return ok({ entries, first_seq: firstSeq, last_seq: lastSeq, has_more: hasMore });
  };

  const queueOf = (conversation: Conversation) => {
    const { queue, queue_paused } = conversation.meta();
    return ok({ queue, paused: queue_paused });
  };

  return {
    async sendMessage({ conversation_id, text: typed, mode, client_message_id, images, revision, retry_of }) {
      const opened = await registry.open(conversation_id);
      if (!opened.ok) return opened;
      const known = opened.value.meta().revision;
      if (revision !== undefined && revision !== known) {
        return fail('stale', 'the conversation was changed elsewhere: reload it and send again', { revision: known });
      }
      const text = cleanText(typed);
      if (text.trim() === '' && (images ?? []).length === 0) return fail('invalid_request', 'the message is empty');
      const clientMessageId = client_message_id ?? `msg_${randomUUID()}`;
      const message = {
        text,
        images: images ?? [],
        clientMessageId,
        ...(retry_of !== undefined && { retryOf: retry_of }),
      };
      const sent = await opened.value.outbox.send(message, mode);
      if (!sent.ok) return sent;
      board.personSpoke(conversation_id);
      const { outcome, turnId: turn_id, state } = sent.value;
      return ok({ outcome, client_message_id: clientMessageId, turn_id, ...(state !== undefined && { state }) });
    },
    async interrupt({ conversation_id }) {
      const opened = await registry.open(conversation_id);
      if (!opened.ok) return opened;
      const holder = opened.value.thread.holder();
      if (holder !== null)
        return fail('conflict', `${holder.name} (process ${holder.pid}) runs this turn: stop it there`);
      const interrupted = await opened.value.outbox.interrupt();
      if (!interrupted.ok) return interrupted;
      const left = await running.stopped(opened.value.meta().conversation_id);
      return ok({ interrupted: interrupted.value, left: [...left] });
    },
    async compact({ conversation_id }) {
      const compacted = await actions.compact(conversation_id);
      return compacted.ok ? ok({ ok: true }) : compacted;
    },
    async shellExec({ conversation_id: named, command }, caller) {
      const opened = await openOf(named, caller);
      if (!opened.ok) return opened;
      const { conversation_id } = opened.value.meta();
      const ran = await terminals.exec(conversation_id, { command, actor: 'user', timeoutMs: SHELL_TIMEOUT_MS });
      if (ran.ok) {
        // Whoever hears of the end can send a message, and it carries the command.
        await context.noted(conversation_id);
        const { block, text } = ran.value;
        return ok({ stdout: text, stderr: '', exitCode: block.exit_code, block_id: block.block_id });
      }
      if (ran.error.code !== 'not_running' || ran.error.details?.may_have_run === true) return ran;
      // No terminal can be had, or its shell does not tell where a command ends: Codex runs it.
      const ranByCodex = await actions.shell(conversation_id, command);
      return ranByCodex.ok ? ok({ ...ranByCodex.value, block_id: null }) : ranByCodex;
    },
    async readQueue({ id }) {
      const opened = await registry.open(id);
      return opened.ok ? queueOf(opened.value) : opened;
    },
    async writeQueue({ id, queue }) {
      const opened = await registry.open(id);
      if (!opened.ok) return opened;
      const list = queue.map((one) => ({ clientMessageId: one.client_message_id, text: one.text ?? null }));
      const written = await opened.value.outbox.rewriteQueue(list);
      return written.ok ? queueOf(opened.value) : written;
    },
    async resumeQueue({ id }) {
      const opened = await registry.open(id);
      if (!opened.ok) return opened;
      opened.value.outbox.resumeQueue();
      return queueOf(opened.value);
    },
    async sendQueued({ id, client_message_id }) {
      const opened = await registry.open(id);
      if (!opened.ok) return opened;
      const sent = await opened.value.outbox.sendNow(client_message_id);
      if (!sent.ok) return sent;
      const { outcome, turnId: turn_id, state } = sent.value;
      return ok({ outcome, client_message_id, turn_id, ...(state !== undefined && { state }) });
    },
    transcript: ({ conversation_id, ...query }, caller) => page(conversation_id, caller, query),
    transcriptRange: ({ conversation_id, ...query }, caller) => page(conversation_id, caller, query),
    async appendNote({ conversation_id, text: named, content }) {
      const text = named ?? content;
      if (text === undefined) return fail('invalid_request', 'text is missing', { in: 'body', field: 'text' });
      const opened = await registry.open(conversation_id);
      if (!opened.ok) return opened;
      const { session } = opened.value;
      if (session.transcript.log.state() !== 'ok')
        return fail('storage_full', 'the disk is full: the note was not stored');
      return ok({ seq: await session.append({ role: 'note', kind: 'api', text }) });
    },
    async approvalRecord({ approval_id, conversation_id }) {
      const opened = await registry.open(conversation_id);
      if (!opened.ok) return opened;
      return ok({ entry: await findApproval(opened.value, approval_id) });
    },
    async listApprovals({ conversation_id }) {
      const all = approvals.pending();
      return ok({
        approvals: all.filter((one) => conversation_id === undefined || one.conversation_id === conversation_id),
      });
    },
    async answerApproval({ approval_id, confirm, ...answer }, caller) {
      const ask = approvals.pending().find((one) => one.approval_id === approval_id)?.ask;
      // An answer to a request that is gone is refused below, with the reason.
      const steps = ask === undefined ? [] : stepsOfAnswer(ask, answer);
      const change = ['answerApproval', approval_id, answer];
      const confirmed = await confirmChange(services, { caller, steps, change, confirm });
      if (!confirmed.ok) return confirmed;
      const answered = approvals.answer(approval_id, answer);
      return answered.ok ? ok({ approval_id, status: answered.value }) : answered;
    },
  };
}

/** Both sets of names, for scripts that know the other one. */
const withAliases = (entry: Entry) => ({
  ...entry,
  timestamp: entry.ts,
  ...('text' in entry && entry.text !== undefined && { content: entry.text }),
});

const SEARCH_PAGE = 500;

async function findApproval(conversation: Conversation, approvalId: string) {
  const { reader } = conversation.session.transcript;
  for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; ) {
    const page = await reader.read({ before, limit: SEARCH_PAGE });
    const line = page.lines.findLast((one) => one.includes(approvalId));
    if (line !== undefined) return parseEntry(line)[0] ?? null;
    before = page.hasMore ? page.firstSeq : null;
  }
  return null;
}
