/** No byte lost, none doubled, whatever is cut and sent again. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PtyServerFrame, TerminalState } from '../../contract/terminal.ts';
import { type Attach, DETACHED, takeBytes, takeDrawn, takeFrame } from './attach.ts';

const screen = (cursor: number): PtyServerFrame => ({
  type: 'screen',
  cursor,
  cols: 80,
  rows: 24,
  data: '',
  marks: [],
});
const resume = (cursor: number): PtyServerFrame => ({ type: 'resume', cursor, cols: 80, rows: 24 });
const state = (cursor: number): PtyServerFrame => ({ type: 'state', state: { ...STATE, cursor } });
const STATE: TerminalState = {
  shell_id: null,
  is_running: true,
  shell: 'bash',
  has_blocks: true,
  cwd: '/',
  cols: 80,
  rows: 24,
  cursor: 0,
  at_prompt: true,
  last_exit_code: null,
  last_block_seq: 0,
};

function binary(from: number, text: string): ArrayBuffer {
  const bytes = new TextEncoder().encode(text);
  const frame = new Uint8Array(8 + bytes.length);
  new DataView(frame.buffer).setBigUint64(0, BigInt(from));
  frame.set(bytes, 8);
  return frame.buffer;
}

function written(attach: Attach, frame: ArrayBuffer) {
  const taken = takeBytes(attach, frame);
  const text = taken.steps.map((step) => (step.act === 'write' ? new TextDecoder().decode(step.bytes) : step.act));
  return { attach: taken.attach, text };
}

describe('bytes', () => {
  const at5 = takeFrame(DETACHED, screen(5)).attach;

  test('join on to the picture', () => {
    const { attach, text } = written(at5, binary(5, 'abc'));
    expect(text).toEqual(['abc']);
    expect(attach.cursor).toBe(8);
  });

  test('that are known already are not written again', () => {
    expect(written(at5, binary(2, 'abc')).text).toEqual([]);
    expect(written(at5, binary(3, 'abcd')).text).toEqual(['cd']);
  });

  test('with a gap before them make us come back for a picture', () => {
    const { attach, text } = written(at5, binary(9, 'x'));
    expect(text).toEqual(['reattach']);
    expect(attach.cursor).toBeNull();
    expect(written(DETACHED, binary(0, 'x')).text).toEqual(['reattach']);
  });

  test('a frame too short to hold an offset is nothing', () => {
    expect(takeBytes(at5, new ArrayBuffer(3)).steps).toEqual([]);
  });
});

describe('coming back', () => {
  test('from our cursor goes on; from another one asks for a picture', () => {
    const here = takeFrame(DETACHED, screen(5)).attach;
    expect(takeFrame(here, resume(5)).steps).toEqual([{ act: 'resize', cols: 80, rows: 24 }]);
    expect(takeFrame(here, resume(7))).toEqual({ attach: DETACHED, steps: [{ act: 'reattach' }] });
  });

  test('bytes printed meanwhile are told as a replay, what follows as live', () => {
    const told = takeFrame(takeFrame(DETACHED, screen(5)).attach, state(8)).attach;
    const resumed = takeFrame(told, resume(5)).attach;
    const { steps } = takeBytes(resumed, binary(5, 'olderNEW'));
    expect(steps.map((step) => step.act === 'write' && [step.from, step.bytes.length, step.isReplay])).toEqual([
      [5, 3, true],
      [8, 5, false],
    ]);
    // A later state says nothing about the past.
    expect(takeFrame(resumed, state(100)).attach.liveFrom).toBe(8);
  });
});

test('acknowledged when caught up, or after a good deal', () => {
  const behind: Attach = { ...DETACHED, cursor: 1_000_000, drawn: 0, acked: 0 };
  expect(takeDrawn(behind, 1_000).ack).toBeNull();
  expect(takeDrawn(behind, 200_000)).toMatchObject({ ack: 200_000, attach: { acked: 200_000 } });
  expect(takeDrawn(behind, 1_000_000).ack).toBe(1_000_000);
  expect(takeDrawn({ ...behind, acked: 500 }, 400).ack).toBeNull();
});

test('[TP2] any cutting, repeating and overlapping of the bytes writes each of them once, in order', () => {
  const all = Array.from({ length: 300 }, (_none, at) => String.fromCharCode(97 + (at % 26))).join('');
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(300), fc.integer({ min: 1, max: 60 })), { maxLength: 60 }), (cuts) => {
      let attach = takeFrame(DETACHED, screen(0)).attach;
      let shown = '';
      for (const [start, length] of cuts) {
        const cursor = attach.cursor ?? 0;
        const from = Math.min(start, cursor);
        const { attach: next, text } = written(attach, binary(from, all.slice(from, from + length)));
        shown += text.join('');
        attach = next;
      }
      expect(shown).toBe(all.slice(0, attach.cursor ?? 0));
    }),
  );
});
