/** Settings in the shape each method takes, and what a change of them means. */
import { expect, test } from 'vitest';
import { ApprovalModeInput, type Model, SettingsPatch } from '../../contract/conversation.ts';
import type { CodexClientRequests } from '../../contract/generated/codex-protocol.ts';
import { sampleMeta } from '../../testing/samples.ts';
import {
  applyPatch,
  inputOf,
  isLooser,
  supportedEffort,
  threadResumeParams,
  threadStartParams,
  turnStartParams,
} from './settings.ts';

type Params<M extends keyof CodexClientRequests> = CodexClientRequests[M]['params'];

const META = sampleMeta({ thread_id: 't', model: 'gpt-5.5', reasoning_effort: 'high', revision: 3 });
const BARE = { ...META, model: null, reasoning_effort: null };
const MESSAGE = { text: 'hi', images: [], clientMessageId: 'c' };

test('[CV13] thread/start takes the effort as configuration and the sandbox as a word', () => {
  const full: Params<'thread/start'> = {
    cwd: '/w',
    model: 'gpt-5.5',
    approvalPolicy: 'on-request',
    sandbox: 'workspace-write',
    config: { model_reasoning_summary: 'auto', model_reasoning_effort: 'high' },
  };
  expect(threadStartParams(META)).toEqual(full);
  const bare: Params<'thread/start'> = {
    cwd: '/w',
    approvalPolicy: 'on-request',
    sandbox: 'workspace-write',
    config: { model_reasoning_summary: 'auto' },
  };
  expect(threadStartParams(BARE)).toEqual(bare);
});

test('[CV13] thread/resume takes no effort and brings no turns', () => {
  const full: Params<'thread/resume'> = {
    threadId: 't',
    excludeTurns: true,
    cwd: '/w',
    model: 'gpt-5.5',
    approvalPolicy: 'on-request',
    sandbox: 'workspace-write',
  };
  expect(threadResumeParams('t', META)).toEqual(full);
  expect(threadResumeParams('t', BARE)).not.toHaveProperty('model');
});

test('[CV13] turn/start takes the effort by name, and the sandbox as an object, only when it differs', () => {
  const full: Params<'turn/start'> = {
    threadId: 't',
    input: [{ type: 'text', text: 'hi', text_elements: [] }],
    clientUserMessageId: 'c',
    cwd: '/w',
    model: 'gpt-5.5',
    effort: 'high',
    summary: 'auto',
    approvalPolicy: 'on-request',
  };
  expect(turnStartParams('t', MESSAGE, META, { sandboxType: 'workspaceWrite' })).toEqual(full);
  const policies: Params<'turn/start'>['sandboxPolicy'][] = [
    {
      type: 'workspaceWrite',
      writableRoots: [],
      networkAccess: false,
      excludeTmpdirEnvVar: false,
      excludeSlashTmp: false,
    },
    { type: 'dangerFullAccess' },
  ];
  expect(turnStartParams('t', MESSAGE, META, { sandboxType: null })).toHaveProperty('sandboxPolicy', policies[0]);
  expect(
    turnStartParams('t', MESSAGE, { ...META, sandbox: 'danger-full-access' }, { sandboxType: 'readOnly' }),
  ).toHaveProperty('sandboxPolicy', policies[1]);
  expect(
    turnStartParams('t', MESSAGE, { ...META, sandbox: 'read-only' }, { sandboxType: 'workspaceWrite' }),
  ).toHaveProperty('sandboxPolicy', { type: 'readOnly' });
});

test('[CV13] plan mode names the model it plans with, and is left by name', () => {
  type Mode = Params<'turn/start'>['collaborationMode'];
  const mode = (word: 'plan' | 'default', name: string, effort: string | null): Mode => ({
    mode: word,
    settings: { model: name, reasoning_effort: effort, developer_instructions: null },
  });
  const sent = (settings: typeof META, applied: object) =>
    turnStartParams('t', MESSAGE, settings, { sandboxType: null, ...applied }).collaborationMode;
  expect(sent({ ...META, mode: 'plan' }, {})).toEqual(mode('plan', 'gpt-5.5', 'high'));
  expect(sent({ ...BARE, mode: 'plan' }, { model: 'chosen' })).toEqual(mode('plan', 'chosen', null));
  expect(sent({ ...BARE, mode: 'plan' }, {})).toBeUndefined();
  expect(sent(META, { mode: 'plan' })).toEqual(mode('default', 'gpt-5.5', 'high'));
  expect(sent(META, { mode: 'default' })).toBeUndefined();
});

test('a message is text, then images; half a character never goes out', () => {
  const images = [
    { kind: 'url', value: 'data:x' },
    { kind: 'path', value: '/p' },
  ] as const;
  expect(inputOf({ text: 'a\ud83d', images: [...images] })).toEqual([
    { type: 'text', text: 'a\ufffd', text_elements: [] },
    { type: 'image', url: 'data:x' },
    { type: 'localImage', path: '/p' },
  ]);
  expect(inputOf({ text: '', images: [] })).toEqual([]);
});

test.each([
  ['always', 'untrusted'],
  ['unlessTrusted', 'on-request'],
  ['untrusted', 'untrusted'],
  ['never', 'never'],
])('[CV13] the older word %s means %s', (word, mode) => {
  expect(ApprovalModeInput.parse(word)).toBe(mode);
  expect(SettingsPatch.parse({ approval: word })).toEqual({ approval: mode });
});

test.each([
  [{}, false],
  [{ approval: 'never' }, true],
  [{ approval: 'untrusted' }, false],
  [{ sandbox: 'danger-full-access' }, true],
  [{ sandbox: 'read-only' }, false],
  [{ approval: 'never', sandbox: 'read-only' }, true],
  [{ approval: 'untrusted', sandbox: 'danger-full-access' }, true],
  [{ approval: 'on-request', sandbox: 'workspace-write' }, false],
] as const)('[CV13] %j is looser than on-request in the workspace: %s', (patch, looser) => {
  expect(isLooser(META, patch)).toBe(looser);
});

const model = (id: string, efforts: readonly string[], isDefault = false): Model => ({
  id,
  name: id,
  description: '',
  efforts: efforts.map((effort) => ({ effort, description: '' })),
  default_effort: 'medium',
  is_default: isDefault,
});
const MODELS = [
  model('gpt-5.5', ['low', 'medium', 'high']),
  model('mini', ['low', 'medium'], true),
  model('custom', []),
];

test.each([
  ['gpt-5.5', 'high', 'high'],
  ['mini', 'high', 'medium'],
  ['mini', 'low', 'low'],
  [null, 'high', 'medium'],
  ['custom', 'ultra', 'ultra'],
  ['unheard of', 'ultra', 'ultra'],
  ['mini', null, null],
])('[CV13] the model %s with effort %s gets %s', (id, effort, got) => {
  expect(supportedEffort(id, effort, MODELS)).toBe(got);
});

test('[CV13] a change leaves what it does not name, counts, and drops an effort the model lacks', () => {
  expect(applyPatch(META, { model: 'mini', label: undefined }, MODELS, 'now')).toEqual({
    ...META,
    model: 'mini',
    reasoning_effort: 'medium',
    revision: 4,
    updated_at: 'now',
  });
  expect(applyPatch(META, { label: null, approval: 'never' }, [], 'now')).toMatchObject({
    label: null,
    approval: 'never',
    reasoning_effort: 'high',
  });
});
