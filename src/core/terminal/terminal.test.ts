/** The pure half of the terminal: marks in bytes, blocks from marks, text from output, commands to type. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { advanceBlocks, type BlocksState, type PlacedBlock, startBlocks } from './advance-blocks.ts';
import { blankNonces } from './blank-nonces.ts';
import { cleanOutput } from './clean-output.ts';
import { isReport } from './is-report.ts';
import { readMark } from './mark.ts';
import { type RawMark, scanMarks, startScan } from './scan-marks.ts';
import { typeCommand } from './type-command.ts';

const NONCE = `sbnonce_${'a'.repeat(32)}`;
const NEXT = `sbnonce_${'b'.repeat(32)}`;
const encode = (text: string) => new TextEncoder().encode(text);
const mark = (body: string, nonce = NONCE) => `\x1b]${body};${nonce}\x07`;
const SESSION = [
  mark('633;P;Cwd=/home/me'),
  mark('133;A'),
  '$ ',
  'echo hi\r\n',
  mark('633;E;echo hi\\x3b \\\\ \\x0a'),
  mark('133;C'),
  'hi ü→\r\n\x1b[31mred\x1b[0m\x1b]0;title\x1b\\ \x1b[?1049hvi\x1b[?1049l',
  '\x1b]133;D;0\x07\x1b]133;D;9;other\x07',
  'open',
  `\x1b]133;D;130;${NONCE}\x1b\\`,
  mark('633;P;Cwd=/tmp'),
  // The nonce changes here: marks with the old one mean nothing from now on.
  mark(`133;A;${NEXT}`),
  mark('633;E;forged'),
  mark('133;C'),
  '$ \r\n',
  mark('133;A', NEXT),
  '\x1b]133;\x1b]133\x1b[\x1b',
  mark('633;E;sleep', NEXT),
  mark('133;C', NEXT),
  'x',
].join('');

/** Blocks of these chunks, as the host makes them. */
function blocksOf(chunks: readonly Uint8Array[]): { ended: PlacedBlock[]; state: BlocksState } {
  let scan = startScan(100);
  let state = startBlocks('/start', 7);
  let nonce = NONCE;
  const ended: PlacedBlock[] = [];
  const take = (raw: RawMark) => {
    const read = readMark(raw, nonce);
    if (read?.kind === 'prompt') nonce = read.nextNonce ?? nonce;
    const isAlt = raw.kind === 'mode' && raw.modes.includes(1049) && raw.on;
    const event = isAlt
      ? ({ type: 'alt_screen' } as const)
      : read === null
        ? null
        : ({ type: 'mark', mark: read, spot: raw, at: 5, newId: `blk_${raw.start}` } as const);
    if (event === null) return;
    const step = advanceBlocks(state, event);
    state = step.state;
    for (const output of step.outputs) if (output.do === 'end') ended.push(output.placed);
  };
  for (const chunk of chunks) {
    const step = scanMarks(scan, chunk);
    scan = step.state;
    step.marks.forEach(take);
  }
  return { ended, state };
}

describe('blocks', () => {
  const bytes = encode(SESSION);
  const whole = blocksOf([bytes]);

  test('[TM1] say command, directory, exit code, lines and whether the screen was taken', () => {
    expect(whole.ended).toMatchObject([
      {
        block: {
          seq: 8,
          cmd: 'echo hi; \\ \n',
          cwd: '/home/me',
          exit_code: 130,
          status: 'interrupted',
          alt_screen: true,
          output_lines: 2,
        },
      },
    ]);
    const [first] = whole.ended;
    const from = (first?.at ?? 0) - 100;
    const output = new TextDecoder().decode(bytes.subarray(from, from + (first?.block.output_bytes ?? 0)));
    expect(output.startsWith('hi ü→')).toBe(true);
    expect(output.endsWith('open')).toBe(true);
    expect(whole.state).toMatchObject({ phase: 'running', cwd: '/tmp', lastSeq: 9, lastExitCode: 130 });
  });

  test('[TM6] are the same wherever the bytes are cut', () => {
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(blocksOf([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
    }
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 40 }), (cuts) => {
        const ends = [...cuts.sort((a, b) => a - b), bytes.length];
        expect(blocksOf(ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end)))).toEqual(whole);
      }),
    );
  });

  test('[TM28] of the bytes that are stored no nonce can be read, wherever they are cut, and nothing else changes', () => {
    const blankOf = (chunks: readonly Uint8Array[]) => {
      let state = 0;
      return Buffer.concat(
        chunks.map((chunk) => {
          const step = blankNonces(state, chunk);
          state = step.state;
          return step.bytes;
        }),
      ).toString('latin1');
    };
    const text = `${SESSION} plain ${NEXT} ssbnonce_sbnonce_0123456789abcdef cut sbnonce_ sbnonce`;
    const all = encode(text);
    const once = blankOf([all]);
    expect(once).toBe(
      Buffer.from(all)
        .toString('latin1')
        .replaceAll(/(?<=sbnonce_)[0-9a-f]{1,32}/g, (hex) => '*'.repeat(hex.length)),
    );
    expect(once).not.toMatch(/a{32}|b{32}/);
    for (let at = 0; at <= all.length; at += 1) expect(blankOf([all.subarray(0, at), all.subarray(at)])).toBe(once);
    expect(blankOf([...all].map((byte) => Uint8Array.of(byte)))).toBe(once);
  });

  test('[TM6] any bytes at all are read without losing count', () => {
    const pieces = fc.oneof(
      fc.constantFrom('\x1b', '\x1b]133;', ';', NONCE, '\x07', '\x1b\\', '\n', 'C', '\x1b[?1049h', '\x18', '\x1b]0;t'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const all = encode(parts.join(''));
        const once = scanMarks(startScan(0), all);
        let state = startScan(0);
        const marks: RawMark[] = [];
        for (const byte of all) {
          const step = scanMarks(state, Uint8Array.of(byte));
          state = step.state;
          marks.push(...step.marks);
        }
        expect(marks).toEqual(once.marks);
        expect({ ...state, parts: [] }).toEqual({ ...once.state, parts: [] });
        expect(state.lines).toBeLessThanOrEqual(all.filter((byte) => byte === 10).length);
      }),
    );
  });

  test('[TM7] marks without the nonce of the shell, or in the wrong place, mean nothing', () => {
    const forged = ['133;A', '133;D;0', '133;D;0;', `133;D;0;${NONCE.slice(1)}`, '633;E;rm;x', '133;C'];
    const text = [mark('133;A'), mark('633;E;cat'), mark('133;C'), ...forged.map((body) => `\x1b]${body}\x07`)].join(
      '',
    );
    const { ended, state } = blocksOf([encode(text)]);
    expect(ended).toEqual([]);
    expect(state.open?.block.cmd).toBe('cat');
    const raw = scanMarks(startScan(0), encode('\x1b]133;A;\x07')).marks[0];
    expect(raw === undefined ? null : readMark(raw, '')).toBe(null);
  });

  test('[TM7] a string without an end is given up, and what follows is read', () => {
    const endless = encode(`\x1b]133;${'x'.repeat(600_000)}`);
    const { state } = blocksOf([endless, encode(`\x07${mark('133;A')}`)]);
    expect(state.phase).toBe('prompt');
  });
});

test('[TM1] a command that never ran is told to whoever typed it', () => {
  const spot = { start: 0, end: 0, lines: 0, isLineStart: true };
  const at = (kind: 'prompt' | 'run') =>
    ({
      type: 'mark',
      mark: kind === 'run' ? { kind } : { kind, nextNonce: null },
      spot,
      at: 1,
      newId: 'blk_1',
    }) as const;
  let { state } = advanceBlocks(startBlocks('/', 0), at('prompt'));
  state = advanceBlocks(state, { type: 'expect', command: 'echo ;;', actor: 'agent' }).state;
  const again = advanceBlocks(state, at('prompt'));
  expect(again.outputs).toEqual([{ do: 'unrun' }]);
  expect(again.state.expected).toBe(null);
  state = advanceBlocks(again.state, { type: 'expect', command: 'ls', actor: 'agent' }).state;
  const ran = advanceBlocks(state, at('run'));
  expect(ran.outputs).toMatchObject([{ do: 'begin', placed: { block: { cmd: 'ls', actor: 'agent' } } }]);
});

test.each([
  ['plain\r\n', 'plain\n'],
  ['\x1b[1;31mred\x1b[m', 'red'],
  ['10%\r20%\r100%\r\n', '100%\n'],
  ['longer\rab\r\n', 'abnger\n'],
  ['longer\r\x1b[Kab\r\n', 'ab\n'],
  ['abc\b\bX\r\n', 'aXc\n'],
  ['a\x1b]8;;http://x\x07link\x1b]8;;\x07b', 'alinkb'],
  ['\x1b[?1049hhidden\x1b[?1049lshown', 'shown'],
  ['\x1b(Bx\x1b=\x1bPq#1\x1b\\y\x07', 'xy'],
  ['cut \x1b[3', 'cut '],
])('[TM5] output %j reads as %j', (raw, text) => {
  expect(cleanOutput(raw)).toBe(text);
});

test.each([
  ['bash', 'ls -la', 'ls -la\r'],
  ['bash', 'echo "it is"', 'echo "it is"\r'],
  ['bash', 'for i in 1; do echo $i; done', 'for i in 1; do echo $i; done\r'],
  ['bash', 'for i in 1', "eval $'for i in 1'\r"],
  ['bash', 'while true; do', "eval $'while true; do'\r"],
  ['bash', "echo 'open", "eval $'echo \\x27open'\r"],
  ['zsh', 'a\nb', "eval $'a\\x0ab'\r"],
  ['zsh', 'echo hi!', "eval $'echo hi\\x21'\r"],
  ['fish', 'if true', 'eval if\\x20true\r'],
  ['bash', 'ls &&', "eval $'ls &&'\r"],
] as const)('[TM2] in %s %j is typed as %j', (shell, command, typed) => {
  expect(typeCommand(shell, command, false)).toBe(typed);
  expect(typeCommand(shell, command, true)).toBe(`\u0005\u0015${typed}`);
});

test('[TM8] what an emulator answers by itself is told from what somebody types', () => {
  for (const answer of [
    '\x1b[?1;2c',
    '\x1b[24;80R',
    '\x1b[0n',
    '\x1b]11;rgb:0/0/0\x07',
    '\x1bP1+r\x1b\\',
    '\x1b[>0;276;0c',
  ]) {
    expect(isReport(answer)).toBe(true);
    expect(isReport(answer + answer)).toBe(true);
  }
  for (const typed of ['a', '\r', '\x1b[A', '\x1b', '\x1bOP', '\x1b[200~x\x1b[201~', 'c'])
    expect(isReport(typed)).toBe(false);
});
