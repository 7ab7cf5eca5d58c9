/** Names of files in all the shapes that compilers, stack traces and models write them, and texts that only look like it. */
import { expect, test } from 'vitest';
import { fileOfHref, findFileRefs } from './find-file-refs.ts';

const refs = (text: string, isCode = false) =>
  findFileRefs(text, isCode).map(({ path, line, start, end }) => `${path}@${line} ${text.slice(start, end)}`);

test.each([
  ['see src/x.ts:12.', ['src/x.ts@12 src/x.ts:12']],
  ['(src/x.ts:12:3)', ['src/x.ts@12 src/x.ts:12:3']],
  ['    at run (/home/me/p/src/a.js:10:15)', ['/home/me/p/src/a.js@10 /home/me/p/src/a.js:10:15']],
  ['  File "app/main.py", line 42, in <module>', ['app/main.py@42 app/main.py']],
  ['src/x.c:7:2: error: expected', ['src/x.c@7 src/x.c:7:2']],
  ['x.ts:3 and y.py:4', ['x.ts@3 x.ts:3', 'y.py@4 y.py:4']],
  ['src/a.rs#L5-L9', ['src/a.rs@5 src/a.rs#L5-L9']],
  ['src/a.rs:5-9', ['src/a.rs@5 src/a.rs:5-9']],
  [
    './a/b.md, ../c.json; ~/d/e.txt',
    ['./a/b.md@null ./a/b.md', '../c.json@null ../c.json', '~/d/e.txt@null ~/d/e.txt'],
  ],
  ['app/[id]/page.tsx:3', ['app/[id]/page.tsx@3 app/[id]/page.tsx:3']],
  ['[id]/page.tsx', ['[id]/page.tsx@null [id]/page.tsx']],
  ['src/x.ts(12,3): error TS2322', ['src/x.ts@12 src/x.ts(12']],
  ['@src/x.ts please', ['src/x.ts@null src/x.ts']],
  ['docs/Makefile', ['docs/Makefile@null docs/Makefile']],
  ['größe/straße.md:2', ['größe/straße.md@2 größe/straße.md:2']],
])('[PG160] names of files in %j', (text, expected) => {
  expect(refs(text)).toEqual(expected);
});

test.each([
  'and/or, either/or. TCP/IP, 1.5/2.0, e.g. this',
  'https://example.org/a.ts:12 and http://x/y.ts',
  'example.com:443 localhost:8080 12:30 github.com/a/b.html',
  'Node.js and README and x.ts',
  'node:internal/modules/cjs/loader:1105 javascript:alert(1)',
  'src/ ./ ../ / . .. :12 a:b:c',
])('[PG160] no names of files in %j', (text) => {
  expect(refs(text)).toEqual([]);
});

test('[PG160] in code a bare name with a known ending is a file', () => {
  expect(refs('x.ts', true)).toEqual(['x.ts@null x.ts']);
  expect(refs('package.json', true)).toEqual(['package.json@null package.json']);
  expect(refs('foo.bar', true)).toEqual([]);
  expect(refs('.ts', true)).toEqual([]);
});

test('[PG160] a link to a local file names it; anything with a scheme or an authority does not', () => {
  expect(fileOfHref('src/x.ts#L12')).toEqual({ path: 'src/x.ts', line: 12 });
  expect(fileOfHref('/a/b%20c.ts:12:1')).toEqual({ path: '/a/b c.ts', line: 12 });
  expect(fileOfHref('file:///a/b.ts')).toEqual({ path: '/a/b.ts', line: null });
  expect(fileOfHref('Makefile')).toEqual({ path: 'Makefile', line: null });
  for (const href of [
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.org/x',
    '#top',
    '?q',
    '',
    '%',
    'https://a/b',
    'a%00b',
  ])
    expect([href, fileOfHref(href)]).toEqual([href, null]);
});

test.each([
  ['names', 'a/b.c '],
  ['colons', ':1'],
  ['dots', '.'],
  ['slashes', 'a/'],
  ['brackets', '(['],
  ['closers', ')]'],
  ['quoted lines', '"a/b.py", line 1'],
  ['letters', 'a'],
])('[PG160] a megabyte of %s takes linear time', (_name, part) => {
  const text = part.repeat(Math.ceil(1_000_000 / part.length));
  const from = performance.now();
  findFileRefs(text);
  fileOfHref(text);
  expect(performance.now() - from).toBeLessThan(500);
});
