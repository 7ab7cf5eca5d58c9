/** Labels, groups and health. */
import { expect, test } from 'vitest';
import { ShellSpec, type ShellView } from '../../contract/shellspec.ts';
import { sampleShell } from '../../testing/samples.ts';
import { NO_PULSE, notePulse } from './health.ts';
import { groupShells, hasLabels, isInfrastructure } from './rows.ts';

test.each([
  ['', true],
  ['app', true],
  ['app=web', true],
  ['app=web, tier', true],
  ['app=db', false],
  ['app=web,other', false],
  ['toString', false],
  ['url=a=b', true],
  ['=web', false],
])('[SH12] labels %j: %s', (query, expected) => {
  expect(hasLabels({ app: 'web', tier: 'front', url: 'a=b' }, query)).toBe(expected);
});

test('[SH12] what Signalbox needs is known by its label', () => {
  expect(isInfrastructure({ signalbox: 'infrastructure' })).toBe(true);
  for (const labels of [{}, { signalbox: 'x' }, { other: 'infrastructure' }])
    expect(isInfrastructure(labels)).toBe(false);
});

const view = (id: string, subgroups: string[], isOurs = false): ShellView =>
  sampleShell({ id, title: id, subgroups, is_infrastructure: isOurs });

test('[SH12] groups: ours first, then by name, those without one last', () => {
  const shells = [
    view('z', []),
    view('b2', ['b']),
    view('b1', ['b', 'x']),
    view('a1', ['a']),
    view('a2', ['a']),
    view('codex', ['server'], true),
  ];
  expect(groupShells(shells).map((group) => [group.name, group.shells.map((shell) => shell.id)])).toEqual([
    ['server', ['codex']],
    ['a', ['a1', 'a2']],
    ['b', ['b1', 'b2']],
    ['other', ['z']],
  ]);
});

test('[SH9] a failed check counts once it has started, and one good one forgives all', () => {
  const { health } = ShellSpec.parse({
    backend: 'proc',
    command: ['p'],
    health: { check: 'process', failures: 2, start_ms: 1000 },
  });
  if (health === undefined) throw new Error('no health');
  const early = notePulse(NO_PULSE, false, 999, health);
  expect(early).toEqual(NO_PULSE);
  const one = notePulse(early, false, 1000, health);
  expect(one).toEqual({ health: 'unknown', misses: 1 });
  const two = notePulse(one, false, 1100, health);
  expect(two.health).toBe('unhealthy');
  expect(notePulse(two, true, 1200, health)).toEqual({ health: 'healthy', misses: 0 });
  expect(notePulse({ health: 'healthy', misses: 0 }, false, 1, health).misses).toBe(1);
});
