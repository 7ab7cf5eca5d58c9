/** Answers in the words each method takes, held against the generated types of the pinned Codex. */
import { expect, test } from 'vitest';
import { asks, runOf } from '../../../test/signals.ts';
import type { ApprovalAnswer, Ask, DecisionWord } from '../../contract/approval.ts';
import type { CodexServerRequests } from '../../contract/generated/codex-protocol.ts';
import { autoReply, replyTo } from './reply.ts';

type Result<M extends keyof CodexServerRequests> = CodexServerRequests[M]['response'];

function reply(method: string, ask: Ask, answer: ApprovalAnswer) {
  const open = Object.values(runOf(asks(0, 't', 'i', { method, ask })).state.asks)[0];
  if (open === undefined) throw new Error('not asked');
  return replyTo(open, answer);
}

/** One row per decision: the method, the card, the word, what Codex is told, how it is recorded. */
function row<M extends keyof CodexServerRequests>(
  method: M,
  ask: Ask,
  answer: ApprovalAnswer | DecisionWord,
  result: Result<M>,
  status: string,
) {
  return [method, typeof answer === 'string' ? { decision: answer } : answer, ask, result, status] as const;
}

const COMMAND: Ask = { kind: 'command', action: 'run', command: 'ls', actions: [], always_rule: ['ls'] };
const CHANGE: Ask = { kind: 'file_change', changes: [] };
const MORE: Ask = { kind: 'permissions', permissions: { network: { enabled: true }, fileSystem: null } };
const TOOL: Ask = { kind: 'mcp_tool', server: 's', message: 'm', mode: 'form', persist: ['session', 'always'] };
const FORM: Ask = { kind: 'elicitation', server: 's', message: 'm', mode: 'form', persist: [] };
const question = (id: string) => ({ id, header: '', question: 'Go?', is_other: false, is_secret: false, options: [] });
const QUESTIONS: Ask = { kind: 'questions', questions: [question('q1'), question('constructor')] };

const exec = 'item/commandExecution/requestApproval';
const file = 'item/fileChange/requestApproval';
const grant = 'item/permissions/requestApproval';
const elicit = 'mcpServer/elicitation/request';
const input = 'item/tool/requestUserInput';

test.each([
  row(exec, COMMAND, 'accept', { decision: 'accept' }, 'accepted'),
  row(exec, COMMAND, 'accept_for_session', { decision: 'acceptForSession' }, 'accepted'),
  row(
    exec,
    COMMAND,
    'accept_always',
    { decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['ls'] } } },
    'accepted',
  ),
  row(exec, COMMAND, 'decline', { decision: 'decline' }, 'declined'),
  row(exec, COMMAND, 'cancel', { decision: 'cancel' }, 'cancelled'),
  row(file, CHANGE, 'accept', { decision: 'accept' }, 'accepted'),
  row(file, CHANGE, 'accept_for_session', { decision: 'acceptForSession' }, 'accepted'),
  row(file, CHANGE, 'decline', { decision: 'decline' }, 'declined'),
  row(file, CHANGE, 'cancel', { decision: 'cancel' }, 'cancelled'),
  row(grant, MORE, 'accept', { permissions: { network: { enabled: true } }, scope: 'turn' }, 'accepted'),
  row(grant, MORE, 'accept_for_session', { permissions: { network: { enabled: true } }, scope: 'session' }, 'accepted'),
  row(grant, MORE, 'decline', { permissions: {}, scope: 'turn' }, 'declined'),
  row(grant, MORE, 'cancel', { permissions: {}, scope: 'turn' }, 'cancelled'),
  row(elicit, TOOL, 'accept', { action: 'accept', content: {}, _meta: null }, 'accepted'),
  row(elicit, TOOL, 'accept_for_session', { action: 'accept', content: {}, _meta: { persist: 'session' } }, 'accepted'),
  row(elicit, TOOL, 'accept_always', { action: 'accept', content: {}, _meta: { persist: 'always' } }, 'accepted'),
  row(elicit, TOOL, 'decline', { action: 'decline', content: null, _meta: null }, 'declined'),
  row(elicit, TOOL, 'cancel', { action: 'cancel', content: null, _meta: null }, 'cancelled'),
  row(
    elicit,
    FORM,
    { decision: 'accept', content: { name: 'Bob' } },
    { action: 'accept', content: { name: 'Bob' }, _meta: null },
    'accepted',
  ),
  row(
    input,
    QUESTIONS,
    { decision: 'accept', answers: { q1: ['Yes'], constructor: ['a', 'b'], extra: ['x'] } },
    { answers: { q1: { answers: ['Yes'] }, constructor: { answers: ['a', 'b'] } } },
    'accepted',
  ),
  row(input, QUESTIONS, 'decline', { answers: {} }, 'declined'),
  row('execCommandApproval', COMMAND, 'accept', { decision: 'approved' }, 'accepted'),
  row('execCommandApproval', COMMAND, 'accept_for_session', { decision: 'approved_for_session' }, 'accepted'),
  row('applyPatchApproval', CHANGE, 'cancel', { decision: 'abort' }, 'cancelled'),
])('[AP8] %s %j', (method, answer, ask, result, status) => {
  expect(reply(method, ask, answer)).toEqual({ ok: true, value: { body: { result }, status } });
});

test('[AP8] an old version is refused in its own word', () => {
  const denied = { ok: true, value: { body: { result: { decision: 'denied' } }, status: 'declined' } };
  expect(reply('execCommandApproval', COMMAND, { decision: 'decline' })).toEqual(denied);
});

test('[AP8] a request of an unknown kind gets the result that was typed, or an error', () => {
  const ask: Ask = { kind: 'unknown', method: 'brand/new', params: {} };
  expect(reply('brand/new', ask, { decision: 'accept', result: { a: 1 } })).toMatchObject({
    value: { body: { result: { a: 1 } } },
  });
  expect(reply('brand/new', ask, { decision: 'accept' })).toMatchObject({ value: { body: { result: {} } } });
  expect(reply('brand/new', ask, { decision: 'decline' })).toMatchObject({
    value: { body: { error: { message: 'declined by the user' } } },
  });
});

test('[AP9] a decision the card does not offer is refused', () => {
  expect(
    reply(exec, { kind: 'command', action: 'run', command: 'ls', actions: [] }, { decision: 'accept_always' }),
  ).toMatchObject({
    ok: false,
    error: { code: 'invalid_request', message: 'decision must be one of: accept, accept_for_session, cancel, decline' },
  });
  expect(reply(input, QUESTIONS, { decision: 'cancel' })).toMatchObject({ ok: false });
});

test('[AP9] questions are answered all or not at all', () => {
  expect(reply(input, QUESTIONS, { decision: 'accept', answers: { q1: [] } })).toMatchObject({
    ok: false,
    error: { message: 'answers are missing for: q1, constructor' },
  });
  expect(reply(input, QUESTIONS, { decision: 'accept' })).toMatchObject({ ok: false });
});

test('[AP13] answers nobody need give', () => {
  const time: Result<'currentTime/read'> = { currentTimeAt: 1_794_787_200 };
  expect(autoReply({ kind: 'current_time' }, 1_794_787_200_999)).toEqual({ result: time });
  const tool: Result<'item/tool/call'> = {
    contentItems: [{ type: 'inputText', text: 'There is no tool x.' }],
    success: false,
  };
  expect(autoReply({ kind: 'no_such_tool', tool: 'x' }, 0)).toEqual({ result: tool });
  expect(autoReply({ kind: 'unsupported', what: 'no' }, 0)).toEqual({ error: { code: -32_601, message: 'no' } });
});
