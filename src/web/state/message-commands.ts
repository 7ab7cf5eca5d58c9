/** What a person says in a conversation: messages, shell commands, the queue, stop, and answers to approvals. */
import type { ApprovalAnswer } from '../../contract/approval.ts';
import type { ImageInput } from '../../contract/conversation.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Failure } from '../../contract/result.ts';
import type { RouteCall } from '../../contract/routes.ts';
import { en } from '../strings/en.ts';
import type { CommandPorts } from './command-ports.ts';

export type SendMode = 'send' | 'steer' | 'queue';

export interface MessageCommands {
  /** Null when it was taken; else what went wrong, for the composer to say beside the text it kept. */
  send(id: ConversationId, text: string, images: readonly ImageInput[], mode: SendMode): Promise<Failure | null>;
  runShell(id: ConversationId, command: string): Promise<Failure | null>;
  interrupt(id: ConversationId): Promise<void>;
  writeQueue(id: ConversationId, queue: RouteCall<'writeQueue'>['queue']): Promise<void>;
  resumeQueue(id: ConversationId): Promise<void>;
  answer(approvalId: string, answer: ApprovalAnswer): Promise<Failure | null>;
}

interface MessagePorts extends CommandPorts {
  readMeta(): Promise<void>;
  /** Whoever says something looks at the end of the transcript. */
  leavePast(): void;
}

export function createMessageCommands(ports: MessagePorts): MessageCommands {
  const { store, call, said, toast, readMeta, leavePast } = ports;
  const set = store.setState;
  return {
    send: async (id, text, images, mode) => {
      const clientMessageId = crypto.randomUUID();
      const outgoing = { conversationId: id, clientMessageId, text, imageCount: images.length, isTaken: false };
      if (mode !== 'queue') {
        leavePast();
        set((state) => ({ outbox: [...state.outbox, outgoing], follow: 'pinned' }));
      }
      const sent = await call('sendMessage', {
        conversation_id: id,
        text,
        mode,
        client_message_id: clientMessageId,
        ...(images.length > 0 && { images: [...images] }),
      });
      const isShown = sent.ok && (sent.value.outcome === 'started' || sent.value.outcome === 'steered');
      set((state) => ({
        outbox: state.outbox.flatMap((one) => {
          if (one.clientMessageId !== clientMessageId) return [one];
          return isShown ? [{ ...one, isTaken: true }] : [];
        }),
      }));
      if (sent.ok && sent.value.outcome === 'queued') await readMeta();
      return sent.ok ? null : sent.error;
    },
    runShell: async (id, command) => {
      leavePast();
      set({ follow: 'pinned' });
      const ran = await call('shellExec', { conversation_id: id, command });
      return ran.ok ? null : ran.error;
    },
    interrupt: async (id) => {
      await said(call('interrupt', { conversation_id: id }));
    },
    writeQueue: async (id, queue) => {
      await said(call('writeQueue', { id, queue }));
      await readMeta();
    },
    resumeQueue: async (id) => {
      await said(call('resumeQueue', { id }));
      await readMeta();
    },
    answer: async (approvalId, answer) => {
      const done = await call('answerApproval', { approval_id: approvalId, ...answer });
      if (done.ok) return null;
      // The card may be gone before its message could be read.
      if (done.error.code === 'already_answered') toast({ tone: 'plain', text: en.approval.answeredElsewhere });
      return done.error;
    },
  };
}
