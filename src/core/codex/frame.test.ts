/** Lines → frames. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Frame, NO_LABEL, parseFrame } from './frame.ts';

function framesOf(...lines: string[]): (Frame | null)[] {
  let state = NO_LABEL;
  return lines.map((line) => {
    const step = parseFrame(state, line);
    state = step.state;
    return step.frame;
  });
}

const frameOf = (line: string) => framesOf(line)[0];

test.each([
  ['{"method":"m","id":0,"params":{"a":1}}', { kind: 'request', id: 0, method: 'm', params: { a: 1 } }],
  ['{"method":"m","id":"x"}', { kind: 'request', id: 'x', method: 'm', params: {} }],
  ['{"method":"m","params":{"a":1},"emittedAtMs":3}', { kind: 'notification', method: 'm', params: { a: 1 } }],
  ['{"method":"m","id":null}', { kind: 'notification', method: 'm', params: {} }],
  ['{"id":0,"result":null}', { kind: 'response', id: 0, result: null }],
  ['{"jsonrpc":"2.0","id":"7","result":{}}', { kind: 'response', id: '7', result: {} }],
  ['{"id":1,"error":{"code":-32600,"message":"no"}}', { kind: 'error', id: 1, error: { code: -32600, message: 'no' } }],
  [
    '{"id":1,"error":{"code":1,"message":"no","data":{"a":1}}}',
    { kind: 'error', id: 1, error: { code: 1, message: 'no', data: { a: 1 } } },
  ],
  ['{"id":1,"error":"odd"}', { kind: 'error', id: 1, error: { code: -32603, message: 'odd' } }],
  ['{"id":1,"error":{}}', { kind: 'error', id: 1, error: { code: -32603, message: 'unknown error' } }],
  ['  {"id":2,"result":1}  ', { kind: 'response', id: 2, result: 1 }],
])('[CX13] %s', (line, frame) => {
  expect(frameOf(line)).toEqual(frame);
});

test.each([
  '{"id":1}',
  '{}',
  '[1]',
  '[{"method":"m"}]',
  '{"method":',
  'WARNING: proceeding',
  'null',
  '"x"',
  '{"id":1.5e400}',
  'thread/x: [1]',
])('[CX13] %s is noise', (line) => {
  expect(frameOf(line)).toEqual({ kind: 'noise', text: line });
});

test('[CX13][L7] noise is kept short, and an empty line is nothing', () => {
  expect(frameOf('z'.repeat(2_000))).toEqual({ kind: 'noise', text: 'z'.repeat(500) });
  expect(framesOf('', '   ', '\ufeff')).toEqual([null, null, null]);
});

test('[CX14] a label and the JSON after it, on its line or the next, are one notification', () => {
  const notification = { kind: 'notification', method: 'item/started', params: { threadId: 't' } };
  expect(framesOf('item/started', '{"threadId":"t"}')).toEqual([null, notification]);
  expect(framesOf('item/started: {"threadId":"t"}')).toEqual([notification]);
  expect(framesOf('codex/event/task_started:', '', '{"id":"0","msg":{}}')).toEqual([
    null,
    null,
    { kind: 'notification', method: 'codex/event/task_started', params: { id: '0', msg: {} } },
  ]);
});

test('[CX14] a label does not turn a whole message into something else, nor last beyond it', () => {
  expect(framesOf('item/started', '{"method":"m","params":{}}', '{"a":1}')).toEqual([
    null,
    { kind: 'notification', method: 'm', params: {} },
    { kind: 'noise', text: '{"a":1}' },
  ]);
  expect(framesOf('item/started', '{"id":1,"result":{}}')[1]).toEqual({ kind: 'response', id: 1, result: {} });
});

test('[CX15][L1] what is nested too deep to be written again is noise', () => {
  const nested = (depth: number) => `{"method":"m","params":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  expect(frameOf(nested(400))?.kind).toBe('notification');
  expect(frameOf(nested(5_000))?.kind).toBe('noise');
  const inText = JSON.stringify({ method: 'm', params: { text: `\\"${'[{'.repeat(5_000)}\\` } });
  expect(frameOf(inText)?.kind).toBe('notification');
});

test('[L1] any text is a frame or nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.json()), { maxLength: 5 }), (lines) => {
      for (const frame of framesOf(...lines)) expect(frame === null || typeof frame.kind === 'string').toBe(true);
    }),
  );
});
