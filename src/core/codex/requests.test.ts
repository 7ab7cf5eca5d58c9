/** Requests of Codex: each becomes a card or an answer. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CODEX_SERVER_REQUESTS } from '../../contract/codex.ts';
import { normalize } from './normalize.ts';
import type { Signal } from './signal.ts';

const AT = { threadId: 't', turnId: 'u' };

function asked(method: string, params: unknown): Signal | undefined {
  return normalize({ epoch: 'e1', hasItems: true }, { kind: 'request', id: 0, method, params }).signals[0];
}

describe('requests', () => {
  test('[AP1] one that is unknown, or does not fit, is shown as it came', () => {
    expect(asked('brand/new', { threadId: 't', turnId: 'u', itemId: 'i' })).toEqual({
      type: 'request',
      ...AT,
      itemId: 'i',
      rpcId: 0,
      epoch: 'e1',
      method: 'brand/new',
      reason: null,
      ask: { kind: 'unknown', method: 'brand/new', params: { threadId: 't', turnId: 'u', itemId: 'i' } },
      auto: null,
    });
    expect(asked('item/fileChange/requestApproval', { conversationId: 't' })).toMatchObject({
      threadId: 't',
      ask: { kind: 'unknown' },
    });
  });

  test('[AP1][L1] whatever the params, a request is asked or answered', () => {
    const methods = Object.keys(CODEX_SERVER_REQUESTS);
    fc.assert(
      fc.property(fc.constantFrom(...methods), fc.jsonValue(), (method, params) => {
        const signal = asked(method, params);
        expect(signal?.type === 'request' && (signal.ask !== null || signal.auto !== null)).toBe(true);
      }),
    );
  });

  test.each<[string, object, object]>([
    [
      'item/commandExecution/requestApproval',
      { command: 'ls', kind: 'writeStdin', proposedExecpolicyAmendment: ['ls'] },
      { ask: { kind: 'command', action: 'stdin', command: 'ls', actions: [], always_rule: ['ls'] } },
    ],
    [
      'item/commandExecution/requestApproval',
      { command: 'ls', kind: 'humanCommand' },
      { ask: { kind: 'command', action: 'run', command: 'ls', once_only: true, actions: [] } },
    ],
    [
      'item/commandExecution/requestApproval',
      { networkApprovalContext: { host: 'h', protocol: 'https' } },
      {
        ask: {
          kind: 'command',
          action: 'network',
          command: '',
          actions: [],
          network: { host: 'h', protocol: 'https' },
        },
      },
    ],
    [
      'item/fileChange/requestApproval',
      { grantRoot: '/w', reason: 'r' },
      { reason: 'r', ask: { kind: 'file_change', changes: [], grant_root: '/w' } },
    ],
    [
      'item/permissions/requestApproval',
      { permissions: { network: null }, cwd: '/w' },
      { ask: { kind: 'permissions', permissions: { network: null }, cwd: '/w' } },
    ],
    [
      'mcpServer/elicitation/request',
      { serverName: 's', mode: 'url', url: 'https://x', title: 'T' },
      {
        itemId: null,
        ask: { kind: 'elicitation', server: 's', mode: 'url', message: 'T', persist: [], url: 'https://x' },
      },
    ],
    [
      'mcpServer/elicitation/request',
      {
        serverName: 's',
        mode: 'form',
        message: 'm',
        _meta: { codex_approval_kind: 'mcp_tool_call', persist: ['session', 'odd'], tool_params: { a: 1 } },
      },
      {
        ask: { kind: 'mcp_tool', server: 's', mode: 'form', message: 'm', persist: ['session'], tool_input: { a: 1 } },
      },
    ],
    [
      'item/tool/requestUserInput',
      { questions: [{ id: 'q', question: 'Go?', options: null }] },
      {
        ask: {
          kind: 'questions',
          questions: [{ id: 'q', header: '', question: 'Go?', is_other: false, is_secret: false, options: [] }],
        },
      },
    ],
    [
      'item/tool/call',
      { callId: 'i', tool: 'x', namespace: 'n', arguments: {} },
      { itemId: 'i', auto: { kind: 'no_such_tool', tool: 'n.x' } },
    ],
    ['currentTime/read', {}, { auto: { kind: 'current_time' } }],
    ['attestation/generate', {}, { auto: expect.objectContaining({ kind: 'unsupported' }) }],
    ['account/chatgptAuthTokens/refresh', {}, { auto: expect.objectContaining({ kind: 'unsupported' }) }],
    [
      'execCommandApproval',
      { conversationId: 't', callId: 'i', command: ['rm', 'a b'], cwd: '/w' },
      { turnId: null, ask: { kind: 'command', action: 'run', command: "rm 'a b'", actions: [], cwd: '/w' } },
    ],
    [
      'applyPatchApproval',
      {
        conversationId: 't',
        callId: 'i',
        fileChanges: { 'a.txt': { update: { unified_diff: 'd' } }, 'b.txt': { type: 'add', content: 'c' } },
      },
      {
        ask: {
          kind: 'file_change',
          changes: [
            { path: 'a.txt', kind: 'update', diff: 'd' },
            { path: 'b.txt', kind: 'add', diff: 'c' },
          ],
        },
      },
    ],
  ])('%s %j', (method, params, signal) => {
    expect(asked(method, { ...AT, itemId: 'i', ...params })).toMatchObject(signal);
  });

  test('[AP10] a rule that would allow everything is not taken for one', () => {
    expect(
      asked('item/commandExecution/requestApproval', {
        ...AT,
        itemId: 'i',
        command: 'ls',
        proposedExecpolicyAmendment: [],
      }),
    ).toMatchObject({
      ask: { kind: 'command', action: 'run', command: 'ls', actions: [] },
    });
    const signal = asked('item/commandExecution/requestApproval', {
      ...AT,
      itemId: 'i',
      proposedExecpolicyAmendment: [],
    });
    expect(signal?.type === 'request' && signal.ask).not.toHaveProperty('always_rule');
  });
});
