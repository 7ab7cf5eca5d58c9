/** Requests of Codex that wait for a person. The first answer wins; one for a request that changed or is gone is refused. */
import type { ApprovalAnswer, PendingApproval } from '../../contract/approval.ts';
import type { RpcId } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { recordedAnswers } from '../../core/approvals/card.ts';
import { type Answered, replyTo } from '../../core/approvals/reply.ts';
import type { RecordedAnswers } from '../../core/codex/signal.ts';
import type { OpenAsk, RpcReply } from '../../core/conversations/thread-state.ts';

export interface Approvals {
  open(ask: OpenAsk, onAnswer: OnAnswer): void;
  close(approvalId: string): void;
  pending(): readonly PendingApproval[];
  answer(approvalId: string, answer: ApprovalAnswer): Result<Answered['status']>;
}

type OnAnswer = (status: Answered['status'], decision: string, answers: RecordedAnswers) => void;

/** Ended ones remembered to tell a late click from a wrong id. */
const MAX_ENDED = 1_000;

export function createApprovals(options: {
  readonly reply: (epoch: string, id: RpcId, body: RpcReply) => Result<null>;
}): Approvals {
  const waiting = new Map<string, { ask: OpenAsk; onAnswer: OnAnswer }>();
  const ended = new Set<string>();

  const close = (approvalId: string) => {
    if (!waiting.delete(approvalId)) return;
    ended.add(approvalId);
    const [oldest] = ended;
    if (ended.size > MAX_ENDED && oldest !== undefined) ended.delete(oldest);
  };

  return {
    open(ask, onAnswer) {
      ended.delete(ask.approval.approval_id);
      waiting.set(ask.approval.approval_id, { ask, onAnswer });
    },
    close,
    pending: () => [...waiting.values()].map(({ ask }) => ask.approval),
    answer(approvalId, answer) {
      const found = waiting.get(approvalId);
      if (found === undefined) {
        return ended.has(approvalId)
          ? fail('already_answered', 'this request was already answered, or Codex withdrew it')
          : fail('unknown_approval', `there is no request ${approvalId}`);
      }
      const reply = replyTo(found.ask, answer);
      if (!reply.ok) return reply;
      const sent = options.reply(found.ask.epoch, found.ask.rpcId, reply.value.body);
      if (!sent.ok) return sent;
      close(approvalId);
      found.onAnswer(reply.value.status, answer.decision, recordedAnswers(found.ask.approval.ask, answer));
      return ok(reply.value.status);
    },
  };
}
