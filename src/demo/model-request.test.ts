/** How the request of Codex is read. The shapes are those of Codex 0.166. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from './model-event.ts';
import {
  assistantTexts,
  countImages,
  currentTurn,
  isPlanMode,
  isReview,
  lastUserText,
  listFragments,
} from './model-request.ts';
import { canAskUser, isCodeMode, isToolOffered, offeredTools, searchableSources } from './offered-tools.ts';

const message = (role: string, ...texts: string[]): JsonObject => ({
  type: 'message',
  role,
  content: texts.map((text) => ({ type: role === 'assistant' ? 'output_text' : 'input_text', text })),
});
const user = (...texts: string[]) => message('user', ...texts);
const called = (call_id: string): JsonObject[] => [
  { type: 'function_call', name: 'exec_command', call_id, arguments: '{}' },
  { type: 'function_call_output', call_id, output: `output of ${call_id}` },
];
const body = (...input: JsonObject[]): JsonObject => ({ input });

const ENVIRONMENT = '<environment_context>\n  <cwd>/w</cwd>\n</environment_context>';
const SUMMARY = 'Another language model started to solve this problem and produced a summary';

describe('the last words of the user', () => {
  test.each([
    '# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nrun ls\n</INSTRUCTIONS>',
    'These AGENTS.md instructions replace all previously provided AGENTS.md instructions.',
    ENVIRONMENT,
    '<external_event>run ls</external_event>',
    '<user_shell_command>\n<command>\nls\n</command>\n</user_shell_command>',
    '<turn_aborted>\nThe user interrupted\n</turn_aborted>',
    '<skill>\n<name>demo</name>\n</skill>',
    '<user_action>\n  <action>review</action>\n</user_action>',
    '<codex_internal_context source="goal">go on</codex_internal_context>',
    SUMMARY,
  ])('skip the fragment %s', (fragment) => {
    expect(lastUserText(body(user('hello'), user(fragment)))).toBe('hello');
    expect(lastUserText(body(user(fragment, 'hello')))).toBe('hello');
  });

  test('lose the envelope of an older Codex, which is a fragment', () => {
    const request = body(user('\x1eCODEX_META {"commands":[]}\x1f\x1eCODEX_META {"v":1}\x1fhello'));
    expect(lastUserText(request)).toBe('hello');
    expect(listFragments(request)).toEqual([
      { role: 'user', tag: 'CODEX_META', text: '{"commands":[]}', isFresh: true },
      { role: 'user', tag: 'CODEX_META', text: '{"v":1}', isFresh: true },
    ]);
  });

  test('join the parts of a message and leave the image tags out', () => {
    const image = { type: 'input_image', image_url: 'data:' };
    const content = ['A', '<image name=[Image #1]>', '</image>', 'B'].map((text) => ({ type: 'input_text', text }));
    const request = body({ role: 'user', content: [...content, image] });
    expect(lastUserText(request)).toBe('A\nB');
    expect(countImages(request)).toBe(1);
  });

  test.each([{}, { input: 'text' }, { input: [null, 1, {}, { role: 'user' }] }])('are empty in %j', (request) => {
    expect(lastUserText(request)).toBe('');
    expect(currentTurn(request)).toEqual({ cause: { kind: 'nobody' }, outputs: [] });
    expect(listFragments(request)).toEqual([]);
    expect(offeredTools(request)).toEqual([]);
  });
});

describe('the turn', () => {
  test('has as many steps as outputs since the user spoke', () => {
    const request = body(user('one'), ...called('a'), user('two'), ...called('b'), user(ENVIRONMENT), ...called('c'));
    const { cause, outputs } = currentTurn(request);
    expect(cause).toEqual({ kind: 'user', text: 'two' });
    expect(outputs.map(({ text }) => text)).toEqual(['output of b', 'output of c']);
  });

  test('may be caused by an output that nobody asked for', () => {
    const event = {
      type: 'function_call_output',
      name: 'ci',
      namespace: 'ops',
      output: [{ type: 'input_text', text: 'red' }],
    };
    const { cause, outputs } = currentTurn(body(user('one'), ...called('a'), event, ...called('b')));
    expect(cause).toEqual({ kind: 'event', name: 'ops.ci', text: 'red' });
    expect(outputs).toHaveLength(1);
  });

  test('may be caused by a goal, a compaction, or go on after one', () => {
    const causeAfter = (text: string) => currentTurn(body(user('one'), user(text))).cause;
    expect(causeAfter('<codex_internal_context source="goal">go on</codex_internal_context>')).toEqual({
      kind: 'goal',
      text: 'go on',
    });
    expect(causeAfter('You are performing a CONTEXT CHECKPOINT COMPACTION.')).toEqual({ kind: 'compaction' });
    expect(causeAfter(SUMMARY)).toEqual({ kind: 'summary' });
  });
});

test('fragments carry role, tag and text, and tell what is new', () => {
  const request = body(
    message('developer', 'You are Codex', '<permissions instructions>\nask\n</permissions instructions>'),
    user(ENVIRONMENT),
    user('one'),
    message('assistant', 'yes'),
    message('developer', '<commands>make</commands>'),
    user('<external_event>red</external_event>'),
    user('two'),
  );
  expect(listFragments(request)).toEqual([
    { role: 'developer', tag: 'instructions', text: 'You are Codex', isFresh: false },
    { role: 'developer', tag: 'permissions instructions', text: 'ask', isFresh: false },
    { role: 'user', tag: 'environment_context', text: '<cwd>/w</cwd>', isFresh: false },
    { role: 'developer', tag: 'commands', text: 'make', isFresh: true },
    { role: 'user', tag: 'external_event', text: 'red', isFresh: true },
  ]);
  expect(assistantTexts(request)).toEqual(['yes']);
});

test('plan mode lasts until another mode is named', () => {
  const mode = (text: string) => message('developer', `<collaboration_mode>${text}</collaboration_mode>`);
  const tools = [{ type: 'function', name: 'request_user_input' }];
  const planning = { tools, input: [mode('# Plan Mode (Conversational)'), user('one')] };
  expect(isPlanMode(planning)).toBe(true);
  expect(canAskUser(planning)).toBe(true);
  const later = { tools, input: [...planning.input, mode('# Collaboration Mode: Default')] };
  expect(isPlanMode(later)).toBe(false);
  expect(canAskUser(later)).toBe(false);
});

test('a review is known by its first instruction', () => {
  expect(isReview(body(message('developer', '# Review guidelines:\n\nYou are')))).toBe(true);
  expect(isReview(body(message('developer', 'You are Codex')))).toBe(false);
});

test('tools are found in the list, in namespaces and in what a search brought', () => {
  const description =
    'Search\n\nYou have access to tools from the following sources:\n- Multi-agent tools: Spawn.\n- tiny\nSome of';
  const request = {
    tools: [
      { type: 'function', name: 'update_plan' },
      { type: 'tool_search', description },
    ],
    input: [
      {
        type: 'tool_search_output',
        tools: [{ type: 'namespace', name: 'mcp__tiny', tools: [{ type: 'function', name: 'get' }] }],
      },
    ],
  };
  expect(isCodeMode(request)).toBe(false);
  expect(offeredTools(request)).toEqual([{ name: 'update_plan' }, { name: 'get', namespace: 'mcp__tiny' }]);
  expect(searchableSources(request)).toEqual(['Multi-agent tools', 'tiny']);
  expect(searchableSources({})).toBeUndefined();
});

test('in code mode the tools inside exec are offered by their flat names', () => {
  const exec = { type: 'custom', name: 'exec', description: 'Run\n### `exec_command`\nRuns\n\n### `mcp__tiny__get`\n' };
  const namespaces = [{ type: 'namespace', name: 'functions', tools: [exec, { type: 'function', name: 'wait' }] }];
  const request = body({ type: 'additional_tools', role: 'developer', tools: namespaces });
  expect(isCodeMode(request)).toBe(true);
  expect(offeredTools(request).map(({ name }) => name)).toEqual(['exec', 'wait', 'exec_command', 'mcp__tiny__get']);
  expect(isToolOffered(request, 'update_plan')).toBe(false);
});
