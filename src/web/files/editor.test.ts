/** Addresses and commands of editors. */
import { expect, test } from 'vitest';
import { editorAct } from './editor.ts';

const SPOT = { path: '/p/a b#1?.ts', line: 7 };

test('[PG161] known editors are opened by their address', () => {
  expect(editorAct('vscode', SPOT)).toEqual({ kind: 'address', href: 'vscode://file/p/a%20b%231%3F.ts:7' });
  expect(editorAct('cursor', { ...SPOT, line: null })).toEqual({
    kind: 'address',
    href: 'cursor://file/p/a%20b%231%3F.ts',
  });
});

test('[PG161] a template is an address or a command; the path is one word of the command', () => {
  expect(editorAct('idea://open?file={path}&line={line}', SPOT)).toEqual({
    kind: 'address',
    href: 'idea://open?file=/p/a%20b%231%3F.ts&line=7',
  });
  expect(editorAct('nvim +{line} {path}', { path: '/p/$(id) x', line: null })).toEqual({
    kind: 'command',
    command: "nvim +1 '/p/$(id) x'",
  });
});

test('[PG161] an address that the browser would run or load is refused', () => {
  for (const template of [
    'javascript:alert({line})',
    'data:text/html,{path}',
    'https://x/{path}',
    'FILE://{path}',
    ' ',
  ])
    expect([template, editorAct(template, SPOT)]).toEqual([template, null]);
});
