/** Settings and messages in the shape each request takes. */
import { expect, test } from 'vitest';
import type { CodexClientRequests } from '../../contract/generated/codex-protocol.ts';
import { sampleMeta } from '../../testing/samples.ts';
import { NOTHING_APPLIED } from './applied-settings.ts';
import {
  inputOf,
  threadForkParams,
  threadResumeParams,
  threadStartParams,
  threadsListParams,
  turnOverrides,
  turnStartParams,
  turnSteerParams,
  turnsListParams,
} from './params.ts';

type Params<M extends keyof CodexClientRequests> = CodexClientRequests[M]['params'];

const META = sampleMeta({ thread_id: 't', model: 'gpt-5.5', reasoning_effort: 'high', revision: 3 });
const BARE = { ...META, model: null, reasoning_effort: null };
const LEVELS = { '/w': 'untrusted', '/': 'untrusted' } as const;
const PROJECTS = { '/w': { trust_level: 'untrusted' }, '/': { trust_level: 'untrusted' } };
const MESSAGE = { text: 'hi', images: [], clientMessageId: 'c' };

const turnParams = (...of: Parameters<typeof turnOverrides>) => turnStartParams('t', MESSAGE, turnOverrides(...of));

test('[CV13] thread/start takes the effort as configuration and the sandbox as a word', () => {
  const full: Params<'thread/start'> = {
    cwd: '/w',
    model: 'gpt-5.5',
    approvalPolicy: 'on-request',
    sandbox: 'workspace-write',
    config: { model_reasoning_summary: 'auto', model_reasoning_effort: 'high', projects: PROJECTS },
  };
  expect(threadStartParams(META, LEVELS, null)).toEqual(full);
  const bare: Params<'thread/start'> = {
    cwd: '/w',
    approvalPolicy: 'on-request',
    sandbox: 'workspace-write',
    config: { model_reasoning_summary: 'auto', projects: PROJECTS },
  };
  expect(threadStartParams(BARE, LEVELS, null)).toEqual(bare);
});

test('[CV13] thread/resume takes no effort and brings the newest turns only', () => {
  const full: Params<'thread/resume'> = {
    threadId: 't',
    excludeTurns: true,
    cwd: '/w',
    model: 'gpt-5.5',
    approvalPolicy: 'on-request',
    sandbox: 'workspace-write',
    config: { projects: PROJECTS },
    initialTurnsPage: { limit: 5, sortDirection: 'desc', itemsView: 'full' },
  };
  expect(threadResumeParams('t', META, 5, LEVELS, null)).toEqual(full);
  expect(threadResumeParams('t', BARE, 5, LEVELS, null)).not.toHaveProperty('model');
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
  expect(turnParams(META, { ...NOTHING_APPLIED, sandboxType: 'workspaceWrite' }, false)).toEqual(full);
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
  expect(turnParams(META, { ...NOTHING_APPLIED, sandboxType: null }, false)).toHaveProperty(
    'sandboxPolicy',
    policies[0],
  );
  expect(
    turnParams({ ...META, sandbox: 'danger-full-access' }, { ...NOTHING_APPLIED, sandboxType: 'readOnly' }, false),
  ).toHaveProperty('sandboxPolicy', policies[1]);
  expect(
    turnParams({ ...META, sandbox: 'read-only' }, { ...NOTHING_APPLIED, sandboxType: 'workspaceWrite' }, false),
  ).toHaveProperty('sandboxPolicy', { type: 'readOnly' });
});

test('[CV13] plan mode names the model it plans with, and is left by name', () => {
  type Mode = Params<'turn/start'>['collaborationMode'];
  const mode = (word: 'plan' | 'default', name: string, effort: string | null): Mode => ({
    mode: word,
    settings: { model: name, reasoning_effort: effort, developer_instructions: null },
  });
  const sent = (settings: typeof META, applied: object) =>
    turnParams(settings, { ...NOTHING_APPLIED, ...applied }, false).collaborationMode;
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

test('turn/steer names the turn as Codex counts it, and the message with its context', () => {
  const full: Params<'turn/steer'> = {
    threadId: 't',
    expectedTurnId: '3',
    input: [{ type: 'text', text: 'hi', text_elements: [] }],
    clientUserMessageId: 'c',
    additionalContext: { key: { value: 'v', kind: 'untrusted' } },
  };
  const { additionalContext = {} } = full;
  expect(turnSteerParams('t', 'e1.3', { ...MESSAGE, additionalContext: { ...additionalContext } })).toEqual(full);
});

test('turns are listed newest first with all their items, from the cursor on', () => {
  const first: Params<'thread/turns/list'> = { threadId: 't', limit: 20, sortDirection: 'desc', itemsView: 'full' };
  expect(turnsListParams('t', 20, null)).toEqual(first);
  expect(turnsListParams('t', 20, 'next')).toEqual({ ...first, cursor: 'next' });
});

test('threads of every provider are listed, at most 100 at once, and searched only for some text', () => {
  const bare: Params<'thread/list'> = {
    limit: 100,
    sortKey: 'updated_at',
    modelProviders: [],
    sourceKinds: ['cli', 'vscode', 'exec', 'appServer', 'unknown'],
    archived: false,
    useStateDbOnly: true,
  };
  expect(threadsListParams({ limit: 500, q: '' })).toEqual(bare);
  const narrowed: Params<'thread/list'> = { ...bare, limit: 5, cursor: 'c', archived: true, searchTerm: 'x' };
  expect(threadsListParams({ limit: 5, cursor: 'c', archived: true, q: 'x' })).toEqual(narrowed);
});

test('a fork has all turns, or those up to the given one', () => {
  const all: Params<'thread/fork'> = { threadId: 't', excludeTurns: true, config: { projects: PROJECTS } };
  expect(threadForkParams('t', undefined, LEVELS, null)).toEqual(all);
  expect(threadForkParams('t', 'e1.3', LEVELS, null)).toEqual({ ...all, lastTurnId: '3' });
});

test('with profiles a thread and each of its turns name the one of their sandbox, and no sandbox is said in words', () => {
  const profiles = { permissions: {}, default_permissions: 'x' };
  const started = threadStartParams({ ...META, sandbox: 'workspace-write' }, LEVELS, profiles);
  expect(started).toMatchObject({ permissions: 'signalbox-workspace-write', config: profiles });
  expect(started).not.toHaveProperty('sandbox');
  const resumed = threadResumeParams('t', { ...META, sandbox: 'danger-full-access' }, 5, LEVELS, profiles);
  expect(resumed).toMatchObject({ sandbox: 'danger-full-access', config: profiles });
  const turn = turnParams({ ...META, sandbox: 'read-only' }, NOTHING_APPLIED, true);
  expect(turn).toMatchObject({ permissions: 'signalbox-read-only' });
  expect(turn).not.toHaveProperty('sandboxPolicy');
  const free = turnParams({ ...META, sandbox: 'danger-full-access' }, NOTHING_APPLIED, true);
  expect(free).toMatchObject({ sandboxPolicy: { type: 'dangerFullAccess' } });
});

test('[CS20] a turn names the default of a setting that was reset, and of no other', () => {
  const defaults = { model: 'default-model', effort: 'low' };
  const named = (reset: typeof META.reset_settings) => {
    const { model, effort } = turnParams({ ...BARE, reset_settings: reset }, NOTHING_APPLIED, true, defaults);
    return { model, effort };
  };
  expect(named([])).toEqual({});
  expect(named(['reasoning_effort'])).toEqual({ effort: 'low' });
  expect(named(['model', 'reasoning_effort'])).toEqual({ model: 'default-model', effort: 'low' });
  const chosen = turnParams({ ...META, reset_settings: ['model'] }, NOTHING_APPLIED, true, defaults);
  expect(chosen).toMatchObject({ model: 'gpt-5.5', effort: 'high' });
});
