/** The buffer of terminal commands: its caps, its counts, and what fits into an envelope. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CommandBuffer, CommandContext } from '../../contract/context.ts';
import { byteLength } from '../text/bytes.ts';
import {
  askAbout,
  askedIn,
  COMMANDS,
  commandContextOf,
  dropAsked,
  type EndedCommand,
  MAX_COMMANDS,
  MAX_PREVIEW_BYTES,
  MAX_PREVIEW_LINES,
  onlyAsked,
  previewOf,
  pushCommand,
  takeCommands,
} from './command-buffer.ts';

const ID = `conv_${'1'.repeat(32)}`;

const ended = (at: number, patch: Partial<EndedCommand> = {}): EndedCommand => ({
  blockId: `b${at}`,
  shellId: 'shl_1',
  cmd: `echo ${at}`,
  cwd: '/w',
  exitCode: 0,
  ts: 1_000 + at,
  durationMs: null,
  end: 'completed',
  output: `${at}\n`,
  isOutputCut: false,
  ...patch,
});

const bufferOf = (commands: readonly EndedCommand[]): CommandBuffer | null =>
  commands.reduce<CommandBuffer | null>((buffer, one) => pushCommand(buffer, ID, one), null);

const anyEnded = fc.record({
  cmd: fc.string({ unit: 'binary', maxLength: 3_000 }),
  cwd: fc.string({ maxLength: 1_000 }),
  exitCode: fc.option(fc.integer({ min: 0, max: 255 })),
  end: fc.constantFrom('completed', 'interrupted', 'killed', 'lost'),
  output: fc.array(fc.string({ unit: 'binary', maxLength: 400 }), { maxLength: 60 }).map((lines) => lines.join('\n')),
  isOutputCut: fc.boolean(),
});
const anyRun = fc
  .array(anyEnded, { minLength: 1, maxLength: 16 })
  .map((list) => list.map((one, at) => ended(at, one as Partial<EndedCommand>)));

test('[CT6] one command is kept with the fields the envelope promises', () => {
  expect(pushCommand(null, ID, ended(1))).toEqual({
    v: 1,
    conversation_id: ID,
    shell_id: 'shl_1',
    commands: [
      {
        cmd: 'echo 1',
        exit_code: 0,
        cwd: '/w',
        block_id: 'b1',
        ts: 1_001,
        preview: { lines: ['1'], truncated: false },
      },
    ],
    total_commands_run: 1,
  });
});

test('[CV21] a command says how long it ran, and one that was ended by the person is a user_kill', () => {
  const entryOf = (patch: Partial<EndedCommand>) => bufferOf([ended(1, patch)])?.commands[0];
  expect(entryOf({ durationMs: 1234.6 })).toMatchObject({ duration_ms: 1235 });
  expect(entryOf({ durationMs: -1 })).toMatchObject({ duration_ms: 0 });
  expect(entryOf({})).not.toHaveProperty('duration_ms');
  for (const one of [{ end: 'interrupted' }, { exitCode: 130 }, { end: 'killed' }, { exitCode: 143 }] as const)
    expect(entryOf(one)).toMatchObject({ type: 'user_kill' });
  for (const one of [{}, { exitCode: 1 }, { end: 'lost' }] as const) expect(entryOf(one)).not.toHaveProperty('type');
});

test('[CT6] a block that ends twice is one command', () => {
  expect(bufferOf([ended(1), ended(1)])?.total_commands_run).toBe(1);
});

test('[CT6] a preview is the last lines as a person reads them', () => {
  const long = Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n');
  expect(previewOf(long, false)).toEqual({
    lines: Array.from({ length: 20 }, (_, at) => `line ${at + 10}`),
    truncated: true,
  });
  const drawn = '\x1b]0;title\x07\x1b[1;32mgreen\x1b[0m\r\n10%\r50%\rdone\r\nbell\x07 \x1b(B\r\n\r\n   \n';
  expect(previewOf(drawn, false)).toEqual({ lines: ['green', 'done', 'bell'], truncated: false });
  expect(previewOf('', false)).toEqual({ lines: [], truncated: false });
  expect(previewOf('x', true)).toEqual({ lines: ['x'], truncated: true });
  const wide = previewOf(`${'a'.repeat(10)}${'é'.repeat(4_000)}`, false);
  expect(wide.truncated).toBe(true);
  expect(wide.lines[0]).toMatch(/^é+$/);
});

test('[CT6] no command, whatever it printed, is more than its caps', () => {
  fc.assert(
    fc.property(anyRun, (run) => {
      const buffer = bufferOf(run);
      expect(buffer?.commands.length).toBe(Math.min(run.length, MAX_COMMANDS));
      for (const { cmd, preview } of buffer?.commands ?? []) {
        expect(preview.lines.length).toBeLessThanOrEqual(MAX_PREVIEW_LINES);
        expect(byteLength(preview.lines.join('\n'))).toBeLessThanOrEqual(MAX_PREVIEW_BYTES);
        expect(`${cmd}${preview.lines.join('')}`).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f]/);
      }
    }),
    { numRuns: 60 },
  );
});

test('[CT7] the envelope keeps to its bytes, has the newest command, and its counts add up', () => {
  fc.assert(
    fc.property(anyRun, (run) => {
      const buffer = bufferOf(run);
      if (buffer === null) throw new Error('nothing was pushed');
      const context = commandContextOf(buffer);
      const text = COMMANDS.render(context);
      expect(byteLength(text)).toBeLessThanOrEqual(4_000);
      expect(CommandContext.parse(JSON.parse(text))).toEqual(context);
      expect(context.kept).toBe(context.commands.length);
      expect(context.kept + context.dropped).toBe(run.length);
      expect(context.total_commands_run).toBe(run.length);
      expect(context.commands.at(-1)?.block_id).toBe(run.at(-1)?.blockId);
      expect(context.commands.map((one) => one.block_id)).toEqual(
        buffer.commands.slice(-context.kept).map((one) => one.block_id),
      );
    }),
    { numRuns: 60 },
  );
});

test('[CT7] the oldest previews shrink before a younger one loses a line, and before a command goes', () => {
  const lines = Array.from({ length: 20 }, (_, at) => `${at} ${'x'.repeat(50)}`).join('\n');
  const buffer = bufferOf([1, 2, 3, 4, 5].map((at) => ended(at, { output: lines })));
  if (buffer === null) throw new Error('nothing was pushed');
  const context = commandContextOf(buffer);
  const kept = context.commands.map((one) => one.preview.lines.length);
  expect(context).toMatchObject({ kept: 5, dropped: 0 });
  expect(kept.slice(0, 2)).toEqual([0, 0]);
  expect(kept.at(-1)).toBe(20);
  expect(kept.toSorted((a, b) => a - b)).toEqual(kept);
  expect(context.commands.map((one) => one.preview.truncated)).toEqual(kept.map((count) => count < 20));
});

test('[CT7] of eleven commands the oldest is dropped, and counted', () => {
  const buffer = bufferOf(Array.from({ length: 11 }, (_, at) => ended(at)));
  if (buffer === null) throw new Error('nothing was pushed');
  expect(commandContextOf(buffer)).toMatchObject({ total_commands_run: 11, kept: 10, dropped: 1 });
});

test.each([
  ['completed', 0, undefined],
  ['completed', 1, undefined],
  ['completed', 130, 'interrupted'],
  ['completed', 137, 'killed'],
  ['completed', 143, 'killed'],
  ['completed', -1, 'killed'],
  ['interrupted', null, 'interrupted'],
  ['killed', null, 'killed'],
  ['lost', null, 'lost'],
] as const)('[CT8] a command that ended as %s with %s is marked %s', (end, exitCode, status) => {
  expect(bufferOf([ended(1, { end, exitCode })])?.commands[0]?.status).toBe(status);
});

test('[CT9] what a message carried goes; what ended meanwhile stays and is counted by itself', () => {
  const before = bufferOf([ended(1), ended(2)]);
  const carried = { blockIds: ['b1', 'b2'], run: 2 };
  expect(takeCommands(before, carried)).toBeNull();
  const later = takeCommands(bufferOf([ended(1), ended(2), ended(3)]), carried);
  expect(later).toMatchObject({ total_commands_run: 1, commands: [{ block_id: 'b3' }] });
  expect(takeCommands(null, carried)).toBeNull();
});

test('[TP80] a command that is asked about stays however many follow, is counted once, and leaves when it is removed', () => {
  const asked = askAbout(bufferOf([ended(1), ended(2)]), ID, ended(1));
  expect(asked?.total_commands_run).toBe(2);
  const later = Array.from({ length: 20 }, (_, at) => ended(at + 3)).reduce<CommandBuffer | null>(
    (buffer, one) => pushCommand(buffer, ID, one),
    asked,
  );
  expect(later?.commands).toHaveLength(MAX_COMMANDS);
  expect(askedIn(later).map((one) => one.block_id)).toEqual(['b1']);
  expect(onlyAsked(later)).toMatchObject({ total_commands_run: 1, commands: [{ block_id: 'b1', asked_about: true }] });
  expect(askedIn(dropAsked(later, 'b1'))).toEqual([]);
  expect(dropAsked(later, 'b5')).toBe(later);
  expect(dropAsked(askAbout(null, ID, ended(7)), 'b7')).toBeNull();
  expect(onlyAsked(bufferOf([ended(1)]))).toBeNull();
});

test('[TP80] five commands are asked about at most; in a full envelope the others make room first', () => {
  const five = [1, 2, 3, 4, 5].reduce<CommandBuffer | null>((buffer, at) => askAbout(buffer, ID, ended(at)), null);
  expect(askAbout(five, ID, ended(6))).toBeNull();
  expect(askAbout(five, ID, ended(5, { output: 'more' }))?.commands.at(-1)).toMatchObject({
    preview: { lines: ['more'] },
  });
  const long = Array.from({ length: 20 }, (_, at) => `${at} ${'x'.repeat(100)}`).join('\n');
  const mixed = askAbout(
    bufferOf([ended(2, { output: long }), ended(3, { output: long })]),
    ID,
    ended(1, { output: long }),
  );
  if (mixed === null) throw new Error('nothing was asked about');
  const context = commandContextOf(mixed);
  expect(context.commands.at(-1)).toMatchObject({ block_id: 'b1', asked_about: true });
  expect(context.commands.at(-1)?.preview.lines).toHaveLength(20);
});
