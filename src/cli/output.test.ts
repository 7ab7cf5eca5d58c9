/** What a command says, and that nothing it says can drive the terminal. */
import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../contract/result.ts';
import { printable, printableJson, printableLine, splitUnfinished } from '../core/text/printable.ts';
import { createOutput, mayColor, type OutputOptions, styled } from './output.ts';

class Recorder extends EventEmitter {
  text = '';
  readonly isTTY: boolean;
  isFull = false;
  constructor(isTTY = false) {
    super();
    this.isTTY = isTTY;
  }
  write(text: string): boolean {
    this.text += text;
    return !this.isFull;
  }
}

function stage(options: Partial<OutputOptions> = {}, isTTY = false) {
  const stdout = new Recorder(isTTY);
  const stderr = new Recorder(isTTY);
  const out = createOutput({ isJson: false, color: true, env: {}, stdout, stderr, ...options });
  return { out, stdout, stderr };
}

test('[CL6] data goes to stdout, talk and failures to stderr', async () => {
  const { out, stdout, stderr } = stage();
  await out.print('a ', styled('bold', 'b'));
  await out.json({ c: 1 });
  out.say('d');
  expect(await out.fail({ code: 'not_running', message: 'none' })).toBe(3);
  expect(stdout.text).toBe('a b\n{"c":1}\n');
  expect(stderr.text).toBe('d\nsignalbox: none\n');
});

test('[CL6] with --json a failure is the document', async () => {
  const { out, stdout, stderr } = stage({ isJson: true });
  await out.fail({ code: 'unknown_conversation', message: 'none', details: { id: 'x' } });
  expect(JSON.parse(stdout.text)).toEqual({
    ok: false,
    code: 'unknown_conversation',
    message: 'none',
    details: { id: 'x' },
  });
  expect(stderr.text).toBe('');
});

test('[CL6] a slow reader is waited for', async () => {
  const { out, stdout } = stage();
  stdout.isFull = true;
  let isWritten = false;
  const writing = out.write('x').then(() => {
    isWritten = true;
  });
  await Promise.resolve();
  expect(isWritten).toBe(false);
  stdout.emit('drain');
  await writing;
  expect(isWritten).toBe(true);
});

test.each<[ErrorCode, number]>([
  ['invalid_request', 2],
  ['not_running', 3],
  ['unauthorized', 4],
  ['forbidden', 4],
  ['unknown_conversation', 5],
  ['unknown_thread', 5],
  ['rate_limited', 8],
  ['home_locked', 75],
  ['internal', 1],
])('[CL9] %s exits with %i', async (code, exitCode) => {
  expect(await stage().out.fail({ code, message: '' })).toBe(exitCode);
});

test('[CL9] no error exits with 0 or as if interrupted', () => {
  const codes = Object.values(ERROR_CODES).map(([, exitCode]) => exitCode);
  expect(codes.filter((code) => code < 1 || code > 125)).toEqual([]);
});

describe('[CL8] colors', () => {
  test('are on a terminal only', async () => {
    const terminal = stage({}, true);
    const pipe = stage();
    for (const { out } of [terminal, pipe]) await out.print(styled('red', 'x'));
    expect(terminal.stdout.text).toBe('\x1b[31mx\x1b[0m\n');
    expect(pipe.stdout.text).toBe('x\n');
  });
  test('are off after --no-color', async () => {
    const { out, stdout } = stage({ color: false }, true);
    await out.print(styled('red', 'x'));
    expect(stdout.text).toBe('x\n');
  });
  test('are off with NO_COLOR and on a dumb terminal', () => {
    expect(mayColor({}, true)).toBe(true);
    expect(mayColor({ NO_COLOR: '' }, true)).toBe(true);
    expect(mayColor({ NO_COLOR: '1' }, true)).toBe(false);
    expect(mayColor({ TERM: 'dumb' }, true)).toBe(false);
  });
});

describe('[CL7] nothing printed drives the terminal', () => {
  const EVIL = 'a\x1b]0;title\x07b\x1b[2Jc\x9b31md\u202ee\x7f\u2066\r\nf\tg\rh\x00';

  test('in text for people', async () => {
    const { out, stdout, stderr } = stage({}, true);
    await out.print(EVIL, styled('red', EVIL));
    await out.write(EVIL);
    out.say(EVIL);
    await out.fail({ code: 'internal', message: EVIL });
    const rest = (stdout.text + stderr.text).replaceAll('\x1b[31m', '').replaceAll('\x1b[0m', '');
    expect(rest).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
    expect(rest).toMatch('a\\x1b]0;title\\x07b\\x1b[2Jc\\x9b31md\\u202ee\\x7f\\u2066\nf\tg\nh\\x00');
  });
  test('in JSON, which is still the same value', () => {
    const text = printableJson({ [EVIL]: EVIL });
    expect(text).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
    expect(JSON.parse(text)).toEqual({ [EVIL]: EVIL });
  });
  test('colors of programs go, other text stays', () => {
    expect(printable('\x1b[1;32mok\x1b[m — ünïcödé 🙂 日本\n')).toBe('ok — ünïcödé 🙂 日本\n');
    expect(printable('\ud83d!')).toBe('\ufffd!');
  });
  test('a label is one line and not too long', () => {
    expect(printableLine(' a\n\nb\x1b[0m ')).toBe('a b');
    expect(printableLine('🙂'.repeat(5), 3)).toBe('🙂🙂…');
  });
  test.each(['one\r\ntwo', 'a\x1b[1;32mb\x1b[0mc', 'x🙂y', 'e\x1b]0;t\x07'])('also when %j comes in pieces', (text) => {
    for (let cut = 0; cut <= text.length; cut += 1) {
      let shown = '';
      let held = '';
      for (const piece of [text.slice(0, cut), text.slice(cut)]) {
        const split = splitUnfinished(held + piece);
        held = split.held;
        shown += printable(split.ready);
      }
      expect(shown + printable(held)).toBe(printable(text));
    }
  });
});
