/** Seeded hostile text for the renderers of the page: a grammar of markdown, escape sequences, diffs and JSON made to be expensive. */

export type Random = () => number;

/** A small generator of numbers in [0, 1): the same seed gives the same numbers. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function pick<T>(random: Random, all: readonly [T, ...T[]]): T {
  return all[Math.floor(random() * all.length)] ?? all[0];
}

export function upTo(random: Random, max: number): number {
  return 1 + Math.floor(random() * max);
}

/** Pieces that open, close or half-open something in one of the formats. */
const ATOMS = [
  ...[
    '*',
    '**',
    '_',
    '__',
    '~',
    '~~',
    '`',
    '``',
    '```',
    '[',
    ']',
    '](',
    '(',
    ')',
    '![',
    '<',
    '>',
    '<!--',
    '-->',
    '</',
    '\\',
  ],
  ...[
    '_a_',
    '*a',
    '**a*',
    '~a',
    '`a',
    '[a](b',
    '[a][b]',
    '![a](',
    '<a b="',
    '<div>',
    '<pre>',
    '&amp;',
    '&#1;',
    'a@b.c',
    'a.',
    '@',
  ],
  ...[
    'http://a.',
    'www.',
    'https://a/?',
    '|',
    '|-',
    '-|-',
    '#',
    '# ',
    '=',
    '-',
    '- ',
    '* ',
    '+ ',
    '1. ',
    '1) ',
    '> ',
    '>',
    '- [ ] ',
  ],
  ...[
    ' ',
    '  ',
    '\t',
    '\n',
    '\n\n',
    '  \n',
    '\r\n',
    '\r',
    'a',
    'word ',
    'aaaaaaaa',
    '0',
    '"',
    "'",
    ':',
    '[a]: b\n',
    '***\n',
    '---\n',
  ],
  ...[
    '\x1b[',
    '\x1b[31m',
    '\x1b]8;;',
    '\x1b]0;',
    '\x1bP',
    '\x9b',
    '\x07',
    '\x00',
    '\u202e',
    '\u200b',
    '\u{e0041}',
    '\ud800',
    '\ufe0f',
  ],
  ...[
    '\ue200cite',
    '\ue201',
    'citeturn1a2',
    'turn0search1',
    '{',
    '}',
    '{"a":',
    '[{',
    '@@ -1,9 +1,9 @@',
    '--- a/',
    '+++ b/',
    'diff --git a/',
  ],
] as const;
const CONTAINERS = ['> ', '>', '- ', '* ', '1. ', '+ ', '- [ ] ', '> - ', '   > ', '10) '] as const;
type Wrap = readonly [string, string];
const WRAPS: readonly [Wrap, ...Wrap[]] = [
  ['*', '*'],
  ['**', '**'],
  ['_', '_'],
  ['~~', '~~'],
  ['[', '](b)'],
  ['[', ']'],
  ['![', '](b)'],
  ['(', ')'],
  ['`', '`'],
];

/** One text; its length is mostly below 1 KB and sometimes up to 40 KB. */
export function hostileText(random: Random): string {
  const kind = random();
  const size = upTo(random, kind < 0.88 ? 800 : kind < 0.985 ? 5_000 : 40_000);
  const parts: string[] = [];
  let length = 0;
  while (length < size) {
    const part = hostilePart(random, Math.min(size - length, upTo(random, size)));
    parts.push(part);
    length += part.length + 1;
  }
  return parts.join(pick(random, ['\n\n', '\n', '', ' ', '\n   ', '\n    ']));
}

function hostilePart(random: Random, size: number): string {
  switch (upTo(random, 9)) {
    case 1:
    case 2:
      return repeated(pick(random, ATOMS), size);
    case 3:
      return repeated(pick(random, ATOMS) + pick(random, ATOMS), size);
    case 4:
      return repeated(Array.from({ length: upTo(random, 6) }, () => pick(random, ATOMS)).join(''), size);
    case 5:
      return nestedLines(random, size);
    case 6:
      return `${repeated(pick(random, CONTAINERS), size)}a`;
    case 7:
      return wrapped(random, size);
    case 8:
      return table(random, size);
    default:
      return Array.from({ length: Math.ceil(size / 3) }, () => pick(random, ATOMS)).join('');
  }
}

const repeated = (unit: string, size: number): string => unit.repeat(Math.ceil(size / unit.length));

/** A list or quote that goes one level deeper with each line, or lines that go on lazily. */
function nestedLines(random: Random, size: number): string {
  const marker = pick(random, CONTAINERS);
  const step = pick(random, ['  ', '    ', '', ' ', '> ']);
  const lazy = pick(random, ['', 'b\n', '\n', '- a\n']);
  let text = '';
  for (let depth = 0; text.length < size; depth++) text += `${step.repeat(depth % 200)}${marker}a\n${lazy}`;
  return text;
}

function wrapped(random: Random, size: number): string {
  const [open, close] = pick(random, WRAPS);
  const [open2, close2] = pick(random, WRAPS);
  const times = Math.ceil(size / (open.length + close.length + open2.length + close2.length));
  return `${(open + open2).repeat(times)}a${(close2 + close).repeat(times)}`;
}

function table(random: Random, size: number): string {
  const columns = upTo(random, 40);
  const cell = Array.from({ length: upTo(random, 3) }, () => pick(random, ATOMS).replaceAll('\n', ' ')).join('');
  const row = `|${`${cell}|`.repeat(columns)}\n`;
  return `|${'a|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n${repeated(row, size)}`;
}
