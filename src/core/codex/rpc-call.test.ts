/** What a method on `/rpc` means here: every method of the pinned Codex, and parameters of every kind. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CODEX_CLIENT_REQUESTS } from '../../contract/generated/codex-methods.ts';
import { readRpcCall } from './rpc-call.ts';

const THREAD = '01a1e6bd-c636-7210-9673-a9d5181087e6';
const ACTING = ['thread/start', 'thread/resume', 'turn/start', 'turn/submit', 'turn/steer', 'turn/interrupt'];
/** Everything a client can call; a new method of Codex is not among them until somebody has thought about it. */
const READING = [
  'account/rateLimits/read',
  'account/read',
  'collaborationMode/list',
  'config/read',
  'mcpServerStatus/list',
  'model/list',
  'skills/list',
  'thread/backgroundTerminals/list',
  'thread/items/list',
  'thread/list',
  'thread/loaded/list',
  'thread/read',
  'thread/search',
  'thread/turns/list',
];

test('[RP1] of all methods of Codex exactly these are answered', () => {
  const answered = [...CODEX_CLIENT_REQUESTS, 'turn/submit'].filter((method) => {
    const call = readRpcCall(method, method.startsWith('thread/resume') ? { threadId: THREAD } : {});
    return call.ok;
  });
  expect(answered.sort()).toEqual([...READING, ...ACTING].sort());
  for (const method of ['constructor', '__proto__', 'toString', '', 'thread/start ', 'THREAD/START'])
    expect(readRpcCall(method, {})).toMatchObject({ ok: false, error: { code: 'forbidden' } });
});

const KNOWN = ['threadId', 'turnId', 'input', 'message', 'clientUserMessageId', 'expectedTurnId'];
const OWNED = ['approvalPolicy', 'collaborationMode', 'cwd', 'effort', 'excludeTurns', 'model', 'permissions'];
const MORE = ['reasoningEffort', 'sandbox', 'sandboxPolicy', 'summary'];

test('[RP2] a parameter that is neither known nor a setting is refused by every method that acts', () => {
  const dangerous = ['config', 'additionalContext', 'developerInstructions', 'baseInstructions', 'path', 'history'];
  const strange = fc
    .oneof(fc.constantFrom(...dangerous, 'environments', 'toolOutput', 'outputSchema'), fc.string())
    .filter((name) => ![...KNOWN, ...OWNED, ...MORE].includes(name) && name !== '__proto__');
  fc.assert(
    fc.property(fc.constantFrom(...ACTING), strange, fc.jsonValue(), (method, name, value) => {
      const call = readRpcCall(method, { threadId: THREAD, [name]: value });
      expect(call).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
    }),
    { numRuns: 300 },
  );
});

test('[RP2] of a message only words, images and ids are taken; settings are named as ignored', () => {
  const params = {
    threadId: THREAD,
    input: [
      { type: 'text', text: 'look', text_elements: [] },
      { type: 'image', url: 'data:x' },
      { type: 'localImage', path: '/p.png' },
      { type: 'text', text: 'here' },
    ],
    clientUserMessageId: 'c1',
    approvalPolicy: 'never',
    sandboxPolicy: { type: 'dangerFullAccess' },
  };
  expect(readRpcCall('turn/start', params)).toEqual({
    ok: true,
    value: {
      act: 'send',
      threadId: THREAD,
      text: 'look\nhere',
      images: [
        { kind: 'url', value: 'data:x' },
        { kind: 'path', value: '/p.png' },
      ],
      clientMessageId: 'c1',
      turnId: null,
      ignored: ['approvalPolicy', 'sandboxPolicy'],
    },
  });
  expect(readRpcCall('turn/start', { input: [{ type: 'skill', name: 'x', path: '/x' }] }).ok).toBe(false);
});

test('[RP4] settings for a new conversation are checked like those of its route', () => {
  const start = (params: Record<string, unknown>) => readRpcCall('thread/start', params);
  expect(
    start({ cwd: '/w', model: 'm', approvalPolicy: 'always', sandbox: 'read-only', effort: 'high' }),
  ).toMatchObject({
    value: {
      act: 'start',
      settings: { cwd: '/w', model: 'm', approval: 'untrusted', sandbox: 'read-only', reasoning_effort: 'high' },
    },
  });
  for (const wrong of [{ approvalPolicy: 'on-failure' }, { sandbox: 'none' }, { cwd: 7 }, { approvalPolicy: {} }])
    expect(start(wrong)).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
});
