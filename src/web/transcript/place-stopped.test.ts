/** The row that says Stopped comes after the commands of its turn, and nothing else moves. */
import { expect, test } from 'vitest';
import type { Entry } from '../../contract/entry.ts';
import { placeStopped } from './place-stopped.ts';

const stamp = { seq: 1, ts: '2026-01-01T00:00:00Z' };
const status = (turn_id: string, turn_status: 'interrupted' | 'completed'): Entry => ({
  ...stamp,
  role: 'status',
  status: 'warning',
  turn_status,
  duration_ms: 1,
  turn_id,
});
const command = (turn_id: string): Entry => ({
  ...stamp,
  role: 'command',
  command: 'x',
  cwd: '',
  output: '',
  exit_code: null,
  duration_ms: null,
  status: 'interrupted',
  actions: [],
  turn_id,
  item_id: 'i',
});
const place = (rows: Readonly<Record<string, Entry | 'message' | 'lost'>>) =>
  placeStopped(Object.keys(rows), (key) => {
    const row = rows[key];
    if (row === undefined) return undefined;
    if (row === 'message') return { kind: 'message', delivery: { state: 'delivered' } };
    return row === 'lost' ? { kind: 'message', delivery: { state: 'not_delivered' } } : { kind: 'entry', entry: row };
  });

test('[PG105] a command that ends after its stopped turn is shown above Stopped', () => {
  expect(place({ m: 'message', s: status('t', 'interrupted'), c: command('t'), d: command('t') })).toEqual([
    'm',
    'c',
    'd',
    's',
  ]);
});

test('[PG105] other turns, completed turns and what follows the next message stay where they are', () => {
  const other = { s: status('t', 'interrupted'), c: command('u') };
  expect(place(other)).toEqual(['s', 'c']);
  const completed = { s: status('t', 'completed'), c: command('t') };
  expect(place(completed)).toEqual(['s', 'c']);
  const later = { s: status('t', 'interrupted'), m: 'message', c: command('t') } as const;
  expect(place(later)).toEqual(['s', 'm', 'c']);
});

test('[PG415] a message that Codex did not get keeps no command of the stopped turn below it', () => {
  const lost = {
    a: 'message',
    s: status('t', 'interrupted'),
    m: 'lost',
    c: command('t'),
    n: 'message',
    d: command('t'),
  } as const;
  expect(place(lost)).toEqual(['a', 'c', 's', 'm', 'n', 'd']);
  const both = { s: status('t', 'interrupted'), c: command('t'), m: 'lost', d: command('t'), e: command('u') } as const;
  expect(place(both)).toEqual(['c', 'd', 's', 'm', 'e']);
});
