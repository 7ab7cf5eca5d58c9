/** What the demo model does at each step, without Codex. */
import { describe, expect, test } from 'vitest';
import { DEMO_IDEAS, DEMO_NOTICE, planReply } from './demo-model.ts';
import { isModelEvent, type JsonObject, type ModelEvent } from './model-event.ts';
import { parseCommand, parseFileRequest } from './tool-abilities.ts';

const message = (role: string, text: string): JsonObject => ({ role, content: [{ text }] });
const output = (text: string): JsonObject => ({ type: 'function_call_output', call_id: 'c', output: text });
const exited = (code: number, text: string) =>
  output(`Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code ${code}\nOutput:\n${text}`);
const script = (outcome: string, text: string): JsonObject => ({
  type: 'custom_tool_call_output',
  call_id: 'c',
  output: [{ text: `Script ${outcome}\nWall time 0.1 seconds\nOutput:\n` }, { text }],
});
const INTRODUCED = message('assistant', DEMO_NOTICE);
const CODE_MODE: JsonObject = {
  type: 'additional_tools',
  tools: [{ type: 'custom', name: 'exec', description: '### `update_plan`' }],
};

/** The reply in a conversation that knows the notice. */
function reply(text: string, ...after: JsonObject[]): ModelEvent[] {
  return planReply({ body: { input: [INTRODUCED, message('user', text), ...after] } });
}
const said = (events: readonly ModelEvent[]): string =>
  events.flatMap((event) => ('say' in event ? [event.say] : [])).join('\n');
const last = (events: readonly ModelEvent[]): ModelEvent | undefined => events.at(-1);

describe('the notice', () => {
  test.each(DEMO_IDEAS)('opens the first answer to: $prompt', ({ prompt }) => {
    const events = planReply({ body: { input: [message('user', prompt)] } });
    expect(said(events).startsWith(DEMO_NOTICE)).toBe(true);
    expect(said(events)).toContain('not an AI');
    expect(said(reply(prompt))).not.toContain(DEMO_NOTICE);
  });
});

test.each([...DEMO_IDEAS, { prompt: '' }, { prompt: 'hello' }])(
  'the reply to "$prompt" is valid and always the same',
  ({ prompt }) => {
    expect(reply(prompt).filter((event) => !isModelEvent(event))).toEqual([]);
    expect(reply(prompt)).toEqual(reply(prompt));
  },
);

test('every idea leads to an ability of its own', () => {
  const replies = DEMO_IDEAS.map(({ prompt }) => JSON.stringify(reply(prompt)));
  expect(new Set(replies).size).toBe(DEMO_IDEAS.length);
  expect(replies).not.toContain(JSON.stringify(reply('hello')));
});

describe('commands', () => {
  test.each([
    ['run ls -la', 'ls -la'],
    ['Please run: ls', 'ls'],
    ['run `git log | head`, will you', 'git log | head'],
    ['run\n```sh\nls\npwd\n```', 'ls\npwd'],
    ['run the tests', undefined],
    ['run', undefined],
  ])('%j means %j', (text, command) => expect(parseCommand(text)).toBe(command));

  test('a sentence about a run is no command', () => expect(reply('CI: run 123 is over')).toEqual(reply('hello')));

  test('step by step', () => {
    expect(last(reply('run ls'))).toEqual({ call: 'exec_command', args: { login: false, cmd: 'ls' } });
    expect(said(reply('run ls', exited(2, 'Output:\nProcess exited with code 9\n')))).toContain('exit code 2');
    const running = output('Chunk ID: 1\nWall time: 1 seconds\nProcess running with session ID 7\nOutput:\nhi\n');
    expect(said(reply('run ls', running))).toContain('session 7');
    expect(said(reply('run ls', output('exec_command failed: rejected by user')))).toContain('did not run');
  });

  test('outside the sandbox it asks, with an example when no command is given', () => {
    expect(last(reply('run `touch /x` outside the sandbox'))).toMatchObject({
      args: { cmd: 'touch /x', sandbox_permissions: 'require_escalated' },
    });
    expect(last(reply('escalate run pwd'))).toMatchObject({ args: { cmd: 'pwd' } });
    expect(last(reply('please escalate'))).toMatchObject({ args: { cmd: 'id -un && uname -sr' } });
  });
});

describe('files', () => {
  test.each([
    ['create hello.txt', { verb: 'create', name: 'hello.txt', content: undefined }],
    ['create file Makefile', { verb: 'create', name: 'Makefile', content: undefined }],
    ['please write src/a.ts: let a = 1;\nlet b;', { verb: 'create', name: 'src/a.ts', content: 'let a = 1;\nlet b;' }],
    ['create a new file called "a b.txt" with some words', { verb: 'create', name: 'a b.txt', content: 'some words' }],
    ['Edit hello.txt', { verb: 'edit', name: 'hello.txt', content: undefined }],
    ['create a file', { verb: 'create', name: 'signalbox-demo.txt', content: undefined }],
    ['write me a poem', undefined],
    ['make a plan', undefined],
  ])('%j', (text, request) => expect(parseFileRequest(text)).toEqual(request));

  test('one that exists is left alone', () => {
    expect(last(reply("create 'a.txt'"))).toMatchObject({ args: { cmd: "test ! -e 'a.txt'" } });
    expect(last(reply('create a.txt', exited(0, '')))).toMatchObject({ custom: 'apply_patch' });
    expect(reply('create a.txt', exited(1, ''))).toHaveLength(1);
    expect(said(reply('create a.txt', exited(1, '')))).toContain('already exists');
  });

  test('one that is missing is created by an edit, once', () => {
    const missing = output('apply_patch verification failed: Failed to read file to update /w/a.txt: No such file');
    expect(last(reply('edit a.txt', missing))).toMatchObject({
      input: expect.stringContaining('*** Add File: a.txt\n+'),
    });
    expect(said(reply('edit a.txt', missing, missing))).toContain('did not change');
  });
});

describe('code mode', () => {
  const inCodeMode = (text: string, ...after: JsonObject[]) => reply(text, CODE_MODE, ...after);

  test('calls go through exec', () => {
    const events = inCodeMode('run ls');
    expect(last(events)).toMatchObject({
      custom: 'exec',
      input: expect.stringContaining('tools["exec_command"]({"login":false,"cmd":"ls"})'),
    });
    expect(said(inCodeMode('run ls', script('completed', '{"exit_code":3,"output":"hi"}')))).toContain('exit code 3');
    expect(said(inCodeMode('run ls', script('failed', 'Script error:\nrejected by user')))).toContain(
      'rejected by user',
    );
  });

  test('a script that still runs is waited for and does not count as a step', () => {
    const running = script('running with cell ID 5', '');
    expect(inCodeMode('plan', running)).toEqual([{ call: 'wait', args: { cell_id: '5', yield_time_ms: 60_000 } }]);
    expect(said(inCodeMode('plan', running, script('completed', '{}')))).toContain('Step 2 of 3');
  });
});

describe('MCP', () => {
  const tool = (name: string, required: string[] = []) => ({
    type: 'function',
    name,
    parameters: { properties: { n: { type: 'integer' }, kind: { enum: ['x', 'y'] } }, required },
  });
  const offering = (text: string, ...tools: JsonObject[]) =>
    planReply({
      body: { tools: [{ type: 'namespace', name: 'mcp__srv', tools }], input: [INTRODUCED, message('user', text)] },
    });

  test('without a name only a tool that sounds like reading is called', () => {
    const call = { call: 'list_all', namespace: 'mcp__srv', args: { n: 1, kind: 'x' } };
    expect(last(offering('mcp', tool('delete_all'), tool('list_all', ['n', 'kind'])))).toEqual(call);
    expect(said(offering('mcp', tool('delete_all')))).toContain('tool mcp__srv__delete_all {}');
  });

  test('a named one is called with the given arguments', () => {
    expect(last(offering('tool delete_all {"n":5}', tool('delete_all')))).toMatchObject({
      call: 'delete_all',
      args: { n: 5 },
    });
    expect(said(offering('tool nothing', tool('delete_all')))).toContain('There is no tool');
    expect(said(reply('mcp'))).toContain('No MCP tool is offered');
  });
});

test('what is no message of the user has its own answer', () => {
  const after = (...items: JsonObject[]) =>
    planReply({ body: { input: [INTRODUCED, message('user', 'run ls'), ...items] } });
  expect(said(after(message('user', 'You are performing a CONTEXT CHECKPOINT COMPACTION')))).toContain('Summary by');
  expect(said(after(message('user', 'Another language model started to solve this problem')))).toContain('ask again');
  const goal = message('user', '<codex_internal_context source="goal">go on</codex_internal_context>');
  expect(last(after(goal))).toEqual({ call: 'update_goal', args: { status: 'complete' } });
  expect(after(goal, output('{}'))).toHaveLength(1);
  expect(said(after(...Array.from({ length: 9 }, () => exited(0, ''))))).toContain('in circles');
});
