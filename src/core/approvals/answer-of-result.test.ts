/** JSON-RPC results of clients, turned into answers. */
import { expect, test } from 'vitest';
import type { ApprovalAnswer, Ask } from '../../contract/approval.ts';
import { answerOfResult } from './answer-of-result.ts';

const COMMAND: Ask = { kind: 'command', command: 'git push', actions: [], action: 'run', always_rule: ['git', 'push'] };
const CHANGE: Ask = { kind: 'file_change', changes: [] };
const NETWORK = { network: { enabled: true }, fileSystem: null };
const PERMISSIONS: Ask = { kind: 'permissions', permissions: NETWORK };
const TOOL: Ask = { kind: 'mcp_tool', server: 's', message: 'm', mode: 'form', persist: ['session', 'always'] };
const QUESTIONS: Ask = { kind: 'questions', questions: [] };
const amend = (rule: string[]) => ({ decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: rule } } });

test.each<[Ask, unknown, ApprovalAnswer]>([
  [COMMAND, { decision: 'accept' }, { decision: 'accept' }],
  [COMMAND, { decision: 'acceptForSession' }, { decision: 'accept_for_session' }],
  [COMMAND, { decision: 'approved' }, { decision: 'accept' }],
  [COMMAND, amend(['git', 'push']), { decision: 'accept_always' }],
  [CHANGE, { decision: 'decline' }, { decision: 'decline' }],
  [CHANGE, { decision: 'abort' }, { decision: 'cancel' }],
  [PERMISSIONS, { permissions: { network: { enabled: true } }, scope: 'turn' }, { decision: 'accept' }],
  [PERMISSIONS, { permissions: NETWORK, scope: 'session' }, { decision: 'accept_for_session' }],
  [PERMISSIONS, { permissions: {} }, { decision: 'decline' }],
  [TOOL, { action: 'accept', content: { a: 1 } }, { decision: 'accept', content: { a: 1 } }],
  [TOOL, { action: 'accept', _meta: { persist: 'always' } }, { decision: 'accept_always', content: {} }],
  [TOOL, { action: 'cancel' }, { decision: 'cancel' }],
  [QUESTIONS, { answers: { q: { answers: ['yes'] } } }, { decision: 'accept', answers: { q: ['yes'] } }],
  [QUESTIONS, { answers: {} }, { decision: 'decline' }],
  [{ kind: 'unknown', method: 'x', params: {} }, { any: 1 }, { decision: 'accept', result: { any: 1 } }],
])('[RP7] to %j, %j says %j', (ask, result, answer) => {
  expect(answerOfResult(ask, result)).toEqual({ ok: true, value: answer });
});

test.each<[Ask, unknown]>([
  [COMMAND, amend(['git'])],
  [COMMAND, amend([])],
  [CHANGE, amend(['git', 'push'])],
  [COMMAND, { decision: 'constructor' }],
  [COMMAND, 'accept'],
  [PERMISSIONS, { permissions: { network: { enabled: true }, fileSystem: { write: ['/'] } } }],
  [PERMISSIONS, { permissions: { fileSystem: { write: ['/'] } } }],
  [PERMISSIONS, null],
  [TOOL, { content: {} }],
  [QUESTIONS, {}],
])('[RP7] to %j, %j is refused', (ask, result) => {
  expect(answerOfResult(ask, result)).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
});
