/** Items of Codex in our words. */
import { expect, test } from 'vitest';
import { CodexItem } from '../../contract/codex.ts';
import { itemOf, typedCommand } from './item.ts';

const read = (raw: object) => itemOf(CodexItem.parse({ id: 'i', ...raw }));

test.each<[string, object, object]>([
  [
    'a message with text and images',
    {
      type: 'userMessage',
      clientId: 'c',
      content: [
        { type: 'text', text: 'A' },
        { type: 'image', url: 'data:x' },
        { type: 'localImage', path: '/p' },
        { type: 'mention', name: 'n' },
        7,
        { type: 'text', text: 'B' },
      ],
    },
    {
      kind: 'user',
      id: 'i',
      text: 'A\nB',
      clientId: 'c',
      isContextual: false,
      images: [
        { kind: 'url', value: 'data:x' },
        { kind: 'path', value: '/p' },
      ],
    },
  ],
  [
    'an answer with questions',
    {
      type: 'agentMessage',
      text: 'x',
      phase: 'final_answer',
      questions: [
        { title: 'T', options: ['a', { text: 'b' }] },
        { title: 'U', options: null },
      ],
    },
    {
      kind: 'assistant',
      id: 'i',
      text: 'x',
      phase: 'final_answer',
      questions: [
        { title: 'T', options: ['a', 'b'] },
        { title: 'U', options: [] },
      ],
    },
  ],
  [
    'a summary of thoughts',
    { type: 'reasoning', summary: ['a', 'b'], content: ['raw'] },
    { kind: 'reasoning', id: 'i', text: 'a\n\nb' },
  ],
  [
    'raw thoughts',
    { type: 'reasoning', summary: [], content: ['raw', 3, 'more'] },
    { kind: 'reasoning', id: 'i', text: 'raw\n\nmore' },
  ],
  ['a proposed plan', { type: 'plan', text: '# P' }, { kind: 'plan', id: 'i', text: '# P' }],
  [
    'a compaction',
    { type: 'contextCompaction' },
    {
      kind: 'note',
      id: 'i',
      note: 'compaction',
      text: 'Context compacted: older messages were replaced by a summary.',
    },
  ],
  [
    'a review that starts',
    { type: 'enteredReviewMode', review: 'current changes' },
    { kind: 'note', id: 'i', note: 'review_started', text: 'Review started: current changes' },
  ],
  [
    'a review that ends',
    { type: 'exitedReviewMode', review: 'long text' },
    { kind: 'note', id: 'i', note: 'review_finished', text: 'Review finished.' },
  ],
])('%s', (_what, raw, item) => {
  expect(read(raw)).toEqual(item);
});

test('a command says what was typed, what ran, and how it went', () => {
  const raw = {
    type: 'commandExecution',
    command: "/bin/bash -lc 'cat a.txt'",
    cwd: '/w',
    source: 'userShell',
    status: 'failed',
    processId: '7',
    aggregatedOutput: 'no\n',
    exitCode: 1,
    durationMs: 3,
    commandActions: [{ type: 'read', command: 'cat a.txt', name: 'a.txt', path: 'a.txt', query: null }],
  };
  expect(read(raw)).toEqual({
    kind: 'command',
    id: 'i',
    command: 'cat a.txt',
    argv: "/bin/bash -lc 'cat a.txt'",
    cwd: '/w',
    output: 'no\n',
    exitCode: 1,
    durationMs: 3,
    status: 'failed',
    actions: [{ type: 'read', command: 'cat a.txt', name: 'a.txt', path: 'a.txt' }],
    processId: '7',
    isUserShell: true,
  });
});

test.each([
  ["/bin/bash -c 'echo hi; ls'", 'echo hi; ls'],
  ['/bin/bash -lc ls', 'ls'],
  ['bash -lc "printf \'a\'"', "printf 'a'"],
  ["zsh -c 'x'", 'x'],
  ['/bin/sh -c "a" "b"', '/bin/sh -c "a" "b"'],
  ['python3 -c 1', 'python3 -c 1'],
  ["bash -c ''", "bash -c ''"],
  ["bash -lc 'unclosed", "bash -lc 'unclosed"],
])('[CX20] %s was typed as %s', (argv, typed) => {
  expect(typedCommand(argv)).toBe(typed);
});

test('[CX20] a command is the whole script, not the pieces Codex lists', () => {
  const listed = {
    type: 'commandExecution',
    command: "/bin/bash -c 'echo hi; ls'",
    commandActions: [{ type: 'listFiles', command: 'ls' }],
  };
  expect(read(listed)).toMatchObject({ command: 'echo hi; ls' });
});

test('file changes keep their kind, in both spellings, and where a file went', () => {
  const changes = [
    { path: '/a', kind: { type: 'add' }, diff: 'x' },
    { path: '/b', kind: 'delete', diff: 'y' },
    { path: '/c', kind: { type: 'update', move_path: '/d' }, diff: 'z' },
    { path: '/e', kind: { type: 'brandNew' }, diff: 'w' },
  ];
  expect(read({ type: 'fileChange', changes, status: 'declined' })).toEqual({
    kind: 'file_change',
    id: 'i',
    status: 'declined',
    changes: [
      { path: '/a', kind: 'add', diff: 'x' },
      { path: '/b', kind: 'delete', diff: 'y' },
      { path: '/c', kind: 'move', diff: 'z', movedTo: '/d' },
      { path: '/e', kind: 'update', diff: 'w' },
    ],
  });
});

test.each<[object, object]>([
  [
    { type: 'mcpToolCall', server: 's', tool: 't', status: 'inProgress', arguments: { text: 'yo', n: 1 } },
    { tool: 'mcp', name: 't', server: 's', input: '{"text":"yo","n":1}', status: 'in_progress', output: '' },
  ],
  [
    {
      type: 'mcpToolCall',
      tool: 't',
      status: 'completed',
      result: {
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', data: 'base64', mimeType: 'image/png' },
          { type: 'resource_link', uri: 'u' },
        ],
      },
    },
    { output: 'a\n[image]\n{"type":"resource_link","uri":"u"}', status: 'completed' },
  ],
  [
    { type: 'mcpToolCall', tool: 't', status: 'completed', error: { message: 'no' } },
    { error: 'no', status: 'failed' },
  ],
  [
    {
      type: 'dynamicToolCall',
      namespace: 'n',
      tool: 't',
      status: 'completed',
      success: false,
      contentItems: [{ type: 'inputText', text: 'x' }],
    },
    { tool: 'dynamic', server: 'n', output: 'x', status: 'failed' },
  ],
  [
    { type: 'webSearch', query: 'q' },
    { tool: 'web_search', name: 'webSearch', input: 'q', status: 'completed' },
  ],
  [
    { type: 'imageView', path: '/p' },
    { tool: 'image_view', input: '/p' },
  ],
  [
    { type: 'subAgentActivity', kind: 'started', agentPath: '/root/h', agentThreadId: 'child' },
    { tool: 'sub_agent', name: '/root/h started', agent: { threadId: 'child', path: '/root/h', activity: 'started' } },
  ],
  [
    { type: 'functionCallOutput', name: 'f', output: 'x', namespace: null },
    { tool: 'function_output', name: 'f', output: 'x', server: null },
  ],
  [
    { type: 'sleep', durationMs: 300 },
    { tool: 'sleep', durationMs: 300 },
  ],
  [
    { type: 'brandNew', text: 'x' },
    { tool: 'unknown', name: 'brandNew' },
  ],
  [{ type: 'constructor' }, { tool: 'unknown', name: 'constructor' }],
  [
    { type: 'mcpToolCall', tool: 't', arguments: 'plain', result: 4 },
    { input: 'plain', output: '4' },
  ],
])('[CX16] %j is a tool', (raw, item) => {
  expect(read(raw)).toMatchObject({ kind: 'tool', id: 'i', ...item });
});
