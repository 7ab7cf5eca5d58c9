/**
 * The result of a JSON-RPC response that a client sends for an open request → a person's answer. Only what the card offers can be
 * said: a result that grants another thing than was asked for is refused. Pure.
 */
import type { ApprovalAnswer, Ask, DecisionWord } from '../../contract/approval.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { isRecord } from '../text/is-record.ts';

/** Codex's words, of all versions, and ours. */
const DECISIONS: Readonly<Record<string, DecisionWord>> = {
  accept: 'accept',
  approved: 'accept',
  acceptForSession: 'accept_for_session',
  accept_for_session: 'accept_for_session',
  approved_for_session: 'accept_for_session',
  accept_always: 'accept_always',
  decline: 'decline',
  denied: 'decline',
  cancel: 'cancel',
  abort: 'cancel',
};

/** A response with an error declines. */
export const DECLINED: ApprovalAnswer = { decision: 'decline' };

export function answerOfResult(ask: Ask, result: unknown): Result<ApprovalAnswer> {
  switch (ask.kind) {
    case 'unknown':
      return ok({ decision: 'accept', result });
    case 'command':
    case 'file_change':
      return decided(ask, result);
    case 'permissions':
      return granted(ask, result);
    case 'elicitation':
    case 'mcp_tool':
      return elicited(result);
    case 'questions':
      return answered(result);
    default:
      return ask satisfies never;
  }
}

function decided(ask: Ask, result: unknown): Result<ApprovalAnswer> {
  const said = isRecord(result) ? result.decision : undefined;
  const word = wordOf(said);
  if (word !== null) return ok({ decision: word });
  const amended = isRecord(said) ? said.acceptWithExecpolicyAmendment : undefined;
  if (!isRecord(amended)) return wrong('{"decision": "accept" | "acceptForSession" | "decline" | "cancel"}');
  // The rule a person was shown, not one that the client made.
  const shown = ask.kind === 'command' ? ask.always_rule : undefined;
  const isShown = shown !== undefined && JSON.stringify(amended.execpolicy_amendment) === JSON.stringify(shown);
  return isShown ? ok({ decision: 'accept_always' }) : wrong('the rule that the request proposes, unchanged');
}

function granted(ask: Extract<Ask, { kind: 'permissions' }>, result: unknown): Result<ApprovalAnswer> {
  if (!isRecord(result)) return wrong('{"permissions": …, "scope": "turn" | "session"}');
  const word = wordOf(result.decision);
  if (word !== null) return ok({ decision: word });
  const { permissions, scope } = result;
  if (isRecord(permissions) && Object.keys(permissions).length === 0) return ok(DECLINED);
  if (JSON.stringify(bare(permissions)) !== JSON.stringify(bare(ask.permissions)))
    return wrong('the permissions that were asked for, unchanged, or none');
  return ok({ decision: scope === 'session' ? 'accept_for_session' : 'accept' });
}

/** A permission that is null is not asked for; the order of the names says nothing. */
function bare(permissions: unknown): unknown {
  if (!isRecord(permissions)) return permissions;
  return Object.entries(permissions)
    .filter(([, one]) => one !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function elicited(result: unknown): Result<ApprovalAnswer> {
  const word = isRecord(result) ? (wordOf(result.action) ?? wordOf(result.decision)) : null;
  if (word === null || !isRecord(result)) return wrong('{"action": "accept" | "decline" | "cancel", "content": …}');
  if (word !== 'accept') return ok({ decision: word });
  const persist = isRecord(result._meta) ? result._meta.persist : undefined;
  const decision = persist === 'always' ? 'accept_always' : persist === 'session' ? 'accept_for_session' : 'accept';
  return ok({ decision, content: isRecord(result.content) ? result.content : {} });
}

function answered(result: unknown): Result<ApprovalAnswer> {
  if (!isRecord(result) || !isRecord(result.answers)) return wrong('{"answers": {"<question>": {"answers": ["…"]}}}');
  const answers = Object.entries(result.answers).map(([id, one]) => [id, wordsOf(one)] as const);
  if (answers.length === 0) return ok(DECLINED);
  return ok({ decision: 'accept', answers: Object.fromEntries(answers) });
}

function wordsOf(given: unknown): string[] {
  const list = isRecord(given) ? given.answers : given;
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

function wordOf(said: unknown): DecisionWord | null {
  return typeof said === 'string' && Object.hasOwn(DECISIONS, said) ? (DECISIONS[said] ?? null) : null;
}

const wrong = (expected: string): Result<never> =>
  fail('invalid_request', `result: expected ${expected}`, { field: 'result' });
