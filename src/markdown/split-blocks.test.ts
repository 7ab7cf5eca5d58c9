/** Finished blocks stay as they are, and the cuts of the stream do not show in the result. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BlockList, NO_BLOCKS, splitBlocks } from './split-blocks.ts';

const SAMPLE = `# Title

A paragraph with **bold** and \`code\`.
Second line.

- one
- two

  still two
- [x] three

| a | b |
|---|---|
| 1 | 2 |

\`\`\`ts
const x = 1;

const y = "\`\`";
\`\`\`

> quoted
> more

1. first
2. second

Setext
------

last words`;

const shape = (list: BlockList) =>
  [...list.finished, ...list.open].map(({ start, token }) => [start, token.type, token.raw.trimEnd()]);

test('any way of cutting the stream gives the blocks of the whole', () => {
  const whole = shape(splitBlocks(NO_BLOCKS, SAMPLE));
  expect(whole.map(([, type]) => type)).toEqual([
    'heading',
    'paragraph',
    'list',
    'table',
    'code',
    'blockquote',
    'list',
    'heading',
    'paragraph',
  ]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 400 }), (steps) => {
      let list = NO_BLOCKS;
      let at = 0;
      for (const step of steps) {
        at += step;
        list = splitBlocks(list, SAMPLE.slice(0, at));
      }
      expect(shape(splitBlocks(list, SAMPLE))).toEqual(whole);
    }),
    { numRuns: 60 },
  );
});

test('a finished block is the same object while the text grows', () => {
  const before = splitBlocks(NO_BLOCKS, 'one\n\ntwo\n\nthr');
  const after = splitBlocks(before, 'one\n\ntwo\n\nthree\n\nfour');
  expect(after.finished[0]).toBe(before.finished[0]);
  expect(after.finished[1]).toBe(before.finished[1]);
  expect(after.finished).toHaveLength(3);
});

test('an open fence is one growing block', () => {
  const list = splitBlocks(NO_BLOCKS, 'x\n\n```js\na\n\nb');
  const next = splitBlocks(list, 'x\n\n```js\na\n\nb\nc');
  expect(next.open.map((block) => block.token)).toMatchObject([{ type: 'code', lang: 'js', text: 'a\n\nb\nc' }]);
});

test('a text that did not grow is split anew', () => {
  const list = splitBlocks(splitBlocks(NO_BLOCKS, 'a\n\nb'), 'c');
  expect(shape(list)).toEqual([[0, 'paragraph', 'c']]);
});
