/** Which rows become one. */
import { expect, test } from 'vitest';
import type { Entry, EntryOf } from '../../contract/entry.ts';
import { summarizeLooks } from './describe-actions.ts';
import { foldLooks } from './looks.ts';
import type { Row } from './rows.ts';

type Actions = EntryOf<'command'>['actions'];
const TS = '2026-01-01T00:00:00Z';

function command(key: string, actions: Actions, exitCode = 0): Row {
  const entry: Entry = {
    seq: 1,
    ts: TS,
    role: 'command',
    command: key,
    cwd: '/p',
    output: '',
    exit_code: exitCode,
    duration_ms: 1,
    status: 'completed',
    actions,
  };
  return { kind: 'entry', key, entry };
}
const read = (key: string): Row => command(key, [{ type: 'read', command: 'cat', name: key, path: `/p/${key}` }]);
const thought = (key: string): Row => ({ kind: 'reasoning', key, entries: [], live: [], durationMs: null });
const fold = (rows: readonly Row[], unfolded: readonly string[] = []) =>
  foldLooks(
    rows.map(({ key }) => key),
    (key) => rows.find((row) => row.key === key),
    new Set(unfolded),
  );

test('[PG166] reads in a row are one, with the thoughts between them; a thought at the end is not part of it', () => {
  const rows = [read('a'), thought('t'), read('b'), thought('u'), command('build', [])];
  expect(fold(rows).keys).toEqual(['looks:a', 'u', 'build']);
  expect(fold(rows, ['b']).keys).toEqual(['looks:a', 'a', 't', 'b', 'u', 'build']);
});

test('[PG166] one alone, one that failed and one that did more stay as they are', () => {
  const rows = [read('a'), command('x', []), read('b'), command('c', [{ type: 'read', command: 'cat', name: 'c' }], 1)];
  expect(fold(rows).keys).toEqual(['a', 'x', 'b', 'c']);
});

test('[PG166] the line names what was looked at, from the project on', () => {
  const of = (...actions: Actions) => summarizeLooks([actions], '/p');
  expect(of({ type: 'read', command: 'cat', name: 'a.ts', path: '/p/src/a.ts' })).toBe('Read src/a.ts');
  const many = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ type: 'read' as const, command: 'cat', name, path: name }));
  expect(of(...many, { type: 'search', command: 'rg', query: 'x', path: '/p/lib' })).toBe(
    'Read a, b, c and 2 more · Searched x in lib',
  );
});
