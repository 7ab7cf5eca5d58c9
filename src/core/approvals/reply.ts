/** A person's answer → what Codex is told. */

import type { ApprovalAnswer, Ask, DecisionWord } from '../../contract/approval.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { AutoReply } from '../codex/signal.ts';
import type { OpenAsk, RpcReply } from '../conversations/thread-state.ts';
import { isRecord } from '../text/is-record.ts';

export interface Answered {
  readonly body: RpcReply;
  readonly status: 'accepted' | 'declined' | 'cancelled';
}

export function replyTo(open: OpenAsk, answer: ApprovalAnswer): Result<Answered> {
  const { ask } = open.approval;
  if (!open.approval.decisions.includes(answer.decision)) {
    return fail('invalid_request', `decision must be one of: ${open.approval.decisions.join(', ')}`);
  }
  const body = bodyOf(open.method, ask, answer);
  return body.ok ? ok({ body: body.value, status: statusOf(answer.decision) }) : body;
}

function bodyOf(method: string, ask: Ask, answer: ApprovalAnswer): Result<RpcReply> {
  const { decision } = answer;
  switch (ask.kind) {
    case 'command':
    case 'file_change':
      return ok({ result: { decision: isLegacy(method) ? legacyDecision(decision) : decisionOf(ask, decision) } });
    case 'permissions':
      return ok({
        result: {
          permissions: isYes(decision) ? granted(ask.permissions) : {},
          scope: decision === 'accept_for_session' ? 'session' : 'turn',
        },
      });
    case 'elicitation':
    case 'mcp_tool':
      return ok({ result: elicitationResult(decision, answer.content ?? {}) });
    case 'questions':
      return questionsReply(ask, answer);
    case 'unknown':
      return decision === 'accept'
        ? ok({ result: answer.result ?? {} })
        : ok({ error: { code: -32_000, message: 'declined by the user' } });
    default:
      return ask satisfies never;
  }
}

/** What is asked for may be null; what is granted may only be there or not. */
function granted(permissions: unknown): unknown {
  if (!isRecord(permissions)) return {};
  return Object.fromEntries(Object.entries(permissions).filter(([, one]) => one !== null));
}

function decisionOf(ask: Extract<Ask, { kind: 'command' | 'file_change' }>, decision: DecisionWord): unknown {
  switch (decision) {
    case 'accept_for_session':
      return 'acceptForSession';
    case 'accept_always': {
      const rule = ask.kind === 'command' ? (ask.always_rule ?? []) : [];
      return { acceptWithExecpolicyAmendment: { execpolicy_amendment: rule } };
    }
    case 'accept':
    case 'decline':
    case 'cancel':
      return decision;
    default:
      return decision satisfies never;
  }
}

/** Only old versions ask in this form; their words are not those the types of the pinned one list. */
const isLegacy = (method: string): boolean => method === 'applyPatchApproval' || method === 'execCommandApproval';

function legacyDecision(decision: DecisionWord): string {
  if (decision === 'cancel') return 'abort';
  if (decision === 'decline') return 'denied';
  return decision === 'accept' ? 'approved' : 'approved_for_session';
}

function elicitationResult(decision: DecisionWord, content: Record<string, unknown>): unknown {
  if (!isYes(decision)) return { action: decision, content: null, _meta: null };
  const persist = decision === 'accept_always' ? 'always' : decision === 'accept_for_session' ? 'session' : null;
  return { action: 'accept', content, _meta: persist === null ? null : { persist } };
}

function questionsReply(ask: Extract<Ask, { kind: 'questions' }>, answer: ApprovalAnswer): Result<RpcReply> {
  if (answer.decision !== 'accept') return ok({ result: { answers: {} } });
  const given = new Map(Object.entries(answer.answers ?? {}));
  const answers = ask.questions.map(({ id }) => [id, { answers: given.get(id) ?? [] }] as const);
  const missing = answers.filter(([, one]) => one.answers.length === 0).map(([id]) => id);
  if (missing.length > 0) return fail('invalid_request', `answers are missing for: ${missing.join(', ')}`);
  return ok({ result: { answers: Object.fromEntries(answers) } });
}

const isYes = (decision: DecisionWord): boolean => decision.startsWith('accept');

function statusOf(decision: DecisionWord): Answered['status'] {
  if (decision === 'cancel') return 'cancelled';
  return decision === 'decline' ? 'declined' : 'accepted';
}

/** Requests nobody need be asked about. */
export function autoReply(auto: AutoReply, at: number): RpcReply {
  switch (auto.kind) {
    case 'current_time':
      return { result: { currentTimeAt: Math.floor(at / 1000) } };
    case 'no_such_tool':
      return {
        result: { contentItems: [{ type: 'inputText', text: `There is no tool ${auto.tool}.` }], success: false },
      };
    case 'unsupported':
      return { error: { code: -32_601, message: auto.what } };
    default:
      return auto satisfies never;
  }
}
