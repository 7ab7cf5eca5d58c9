/** Fragments made from state that lasts: told once, then only what changed. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TerminalValues } from '../../contract/context.ts';
import { byteLength } from '../text/bytes.ts';
import { forgetTold, inFlightOf } from './in-flight.ts';
import { PEERS } from './peers.ts';
import { TERMINAL } from './terminal-state.ts';

const HERE: TerminalValues = { cwd: '/w', shell: 'bash', last_exit_code: 0, git_branch: 'main' };
const anyWord = fc.option(fc.string({ maxLength: 30 }));
const anyState: fc.Arbitrary<TerminalValues> = fc.record({
  cwd: anyWord,
  shell: anyWord,
  last_exit_code: fc.option(fc.nat(255)),
  git_branch: anyWord,
});

test('[CT4] the first time all is told, then what changed, then nothing', () => {
  expect(TERMINAL.diff(null, HERE)).toEqual(HERE);
  expect(TERMINAL.diff(HERE, { ...HERE, last_exit_code: 2 })).toEqual({ last_exit_code: 2 });
  expect(TERMINAL.diff(HERE, HERE)).toBeNull();
});

test('[CT4] whoever is told every change knows the state', () => {
  fc.assert(
    fc.property(fc.array(anyState, { minLength: 1 }), (states) => {
      let told: TerminalValues | null = null;
      let known = {};
      for (const now of states.map(TERMINAL.fromTurn)) {
        known = { ...known, ...TERMINAL.diff(TERMINAL.rebuild(told), now) };
        told = JSON.parse(JSON.stringify(now));
      }
      expect(known).toEqual(told);
    }),
  );
});

test('[CT4] what was kept and cannot be read counts as never told', () => {
  expect(TERMINAL.rebuild({ cwd: 7 })).toBeNull();
  expect(PEERS.rebuild('x')).toBeNull();
  expect(PEERS.rebuild(['ann'])).toEqual({ names: ['ann'] });
});

test('[CT4] others on the board are told when somebody comes or goes', () => {
  const now = PEERS.fromTurn(['bob', 'ann', 'bob', ' ', 'c\x1bd\nline']);
  expect(now).toEqual({ names: ['ann', 'bob', 'cd line'] });
  expect(PEERS.diff(null, PEERS.fromTurn([]))).toBeNull();
  expect(PEERS.diff({ names: ['ann'] }, { names: ['ann'] })).toBeNull();
  expect(PEERS.diff({ names: ['ann'] }, { names: [] })).toEqual({ names: [] });
});

test('[CT4] however long the names, the fragment keeps to its cap', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('"', 'é', 'x', '<external_'), maxLength: 60 }), { maxLength: 30 }),
      (names) => {
        expect(byteLength(PEERS.render({ ...PEERS.fromTurn(names), at: 1 }))).toBeLessThanOrEqual(PEERS.maxBytes);
      },
    ),
  );
});

test('[CT4] after a fork, a revert or a compaction nothing counts as told', () => {
  const memory = { in_flight: [], terminal: HERE, peers: ['ann'], carried_blocks: ['b1'] };
  expect(forgetTold(memory)).toEqual({ in_flight: [], terminal: null, peers: null, carried_blocks: ['b1'] });
});

test('[CT9] a fragment that was left out does not count as carried', () => {
  const values = { terminal: HERE, peers: ['ann'], commandsRun: 3 };
  const carried = [{ name: 'terminal', key: 'terminal_state', kind: 'untrusted', value: '{}', ids: [] }] as const;
  expect(
    inFlightOf(
      'm',
      carried.map((one) => ({ ...one, ids: [] })),
      values,
    ),
  ).toEqual({
    client_message_id: 'm',
    names: ['terminal'],
    counts: {},
    block_ids: [],
    commands_run: 0,
    terminal: HERE,
    peers: null,
  });
});
