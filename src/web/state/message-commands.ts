/** What a person says in a conversation: messages, shell commands, the queue, stop, and answers to approvals. */
import type { ApprovalAnswer } from '../../contract/approval.ts';
import type { ImageInput } from '../../contract/conversation.ts';
import type { Entry, EntryOf, MessageMode } from '../../contract/entry.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Failure } from '../../contract/result.ts';
import type { RouteCall } from '../../contract/routes.ts';
import { en } from '../strings/en.ts';
import type { CommandPorts } from './command-ports.ts';

interface MessageToSend {
  readonly text: string;
  readonly images: readonly ImageInput[];
  readonly mode: MessageMode;
  /** The message that was not delivered and that this one repeats. */
  readonly retryOf?: string | undefined;
}

/** Only the newest ones matter: older cards were looked at. */
const MAX_SENT_COMMANDS = 50;

export interface MessageCommands {
  /** Null if the transcript has the message or will have it; else the failure, for the composer to show beside the text it kept. */
  send(id: ConversationId, message: MessageToSend): Promise<Failure | null>;
  /** Repeats a message that was not delivered, under an id of its own. */
  sendAgain(id: ConversationId, entry: EntryOf<'user'>): Promise<void>;
  /** Puts a message that was not delivered into the message box. */
  editAgain(id: ConversationId, entry: EntryOf<'user'>): void;
  /** The message box has taken the message. */
  clearToEdit(): void;
  runShell(id: ConversationId, command: string): Promise<Failure | null>;
  interrupt(id: ConversationId): Promise<void>;
  writeQueue(id: ConversationId, queue: RouteCall<'writeQueue'>['queue']): Promise<void>;
  resumeQueue(id: ConversationId): Promise<void>;
  /** Gives a queued message at once; says so if it has to wait all the same. */
  sendQueued(id: ConversationId, clientMessageId: string): Promise<void>;
  answer(approvalId: string, answer: ApprovalAnswer): Promise<Failure | null>;
}

interface MessagePorts extends CommandPorts {
  readMeta(): Promise<void>;
  /** Whoever says something looks at the end of the transcript. */
  leavePast(): void;
}

export function createMessageCommands(ports: MessagePorts): MessageCommands {
  const { store, call, said, sayFailure, toast, readMeta, leavePast } = ports;
  const get = store.getState;
  const set = store.setState;

  async function send(id: ConversationId, { text, images, mode, retryOf }: MessageToSend): Promise<Failure | null> {
    const clientMessageId = crypto.randomUUID();
    if (mode !== 'queue') {
      const outgoing = { conversationId: id, clientMessageId, text, images, mode };
      leavePast();
      set((state) => ({ outbox: [...state.outbox, outgoing], follow: 'pinned' }));
    }
    if (retryOf !== undefined) set((state) => ({ repeats: new Map(state.repeats).set(retryOf, clientMessageId) }));
    const sent = await call('sendMessage', {
      conversation_id: id,
      text,
      mode,
      client_message_id: clientMessageId,
      ...(images.length > 0 && { images: [...images] }),
      ...(retryOf !== undefined && { retry_of: retryOf }),
    });
    // A failure after the message was stored: the transcript shows it as not delivered, with a way to send it again.
    const isStored = sent.ok
      ? sent.value.outcome === 'started' || sent.value.outcome === 'steered'
      : sent.error.details?.stored === true || hasMessage(get().view.entries, clientMessageId);
    // A stored message stays in the outbox until its entry arrives.
    if (!isStored) set((state) => ({ outbox: state.outbox.filter((one) => one.clientMessageId !== clientMessageId) }));
    if (sent.ok && sent.value.outcome === 'queued') await readMeta();
    return sent.ok || isStored ? null : sent.error;
  }

  return {
    send,
    sendAgain: async (id, { text, images = [], mode, client_message_id: retryOf }) => {
      const isRunning = get().view.live.activity.state !== 'idle';
      const modeNow = !isRunning ? 'send' : mode === 'steer' ? 'steer' : 'queue';
      const failure = await send(id, { text, images, mode: modeNow, retryOf });
      if (failure !== null) sayFailure(failure);
    },
    editAgain: (id, { text, images = [], client_message_id: retryOf }) => {
      if (retryOf !== undefined) set({ isShellMode: false, toEdit: { conversationId: id, text, images, retryOf } });
    },
    clearToEdit: () => set({ toEdit: null }),
    runShell: async (id, command) => {
      leavePast();
      const sentCommands = [...get().sentCommands.slice(1 - MAX_SENT_COMMANDS), command.trim()];
      set({ follow: 'pinned', sentCommands });
      const ran = await call('shellExec', { conversation_id: id, command });
      return ran.ok ? null : ran.error;
    },
    interrupt: async (id) => {
      const stopped = await said(call('interrupt', { conversation_id: id }));
      if (stopped !== null && stopped.left.length > 0)
        toast({ text: en.runs.notEnded(stopped.left.length), tone: 'error' });
    },
    writeQueue: async (id, queue) => {
      await said(call('writeQueue', { id, queue }));
      await readMeta();
    },
    resumeQueue: async (id) => {
      await said(call('resumeQueue', { id }));
      await readMeta();
    },
    sendQueued: async (id, clientMessageId) => {
      leavePast();
      const sent = await said(call('sendQueued', { id, client_message_id: clientMessageId }));
      if (sent?.outcome === 'queued') toast({ text: en.queue.waits, tone: 'plain' });
      await readMeta();
    },
    answer: async (approvalId, answer) => {
      const done = await call('answerApproval', { approval_id: approvalId, ...answer });
      if (done.ok) return null;
      // The card may be gone before its message could be read.
      if (done.error.code === 'confirmation_required') return null;
      if (done.error.code === 'already_answered') toast({ tone: 'plain', text: en.approval.answeredElsewhere });
      return done.error;
    },
  };
}

function hasMessage(entries: readonly Entry[], clientMessageId: string): boolean {
  return entries.some((entry) => entry.role === 'user' && entry.client_message_id === clientMessageId);
}
