/** What a person is shown of a shell before it is started. */
import { expect, test } from 'vitest';
import { ShellSpec } from '../../contract/shellspec.ts';
import { describeSpec } from './describe-spec.ts';

const describe = (spec: unknown) => describeSpec('web', ShellSpec.parse(spec), '/p');

test('[SH60] everything that would run is shown, with the directory filled in and nothing of the environment', () => {
  expect(
    describe({
      backend: 'proc',
      cwd: '$' + '{CWD}/a',
      command: ['sh', '-c', 'echo $' + '{env:TOKEN} "$' + '{CWD}"', '$' + '{free_port}'],
      env: { LD_PRELOAD: '$' + '{CWD}/x.so' },
      health: { check: 'command', command: ['curl', '$' + '{ctx:URL:-http://x}'] },
    }),
  ).toEqual({
    name: 'web',
    title: 'web',
    description: null,
    backend: 'proc',
    command: `sh -c 'echo $\{env:TOKEN} "/p"' '$\{free_port}'`,
    cwd: '/p/a',
    env: [{ name: 'LD_PRELOAD', value: '/p/x.so' }],
    health_command: `curl '$\{ctx:URL:-http://x}'`,
    restart: 'never',
    missing: [],
  });
});

test('[SH60] values that nobody gave are named, once each; a plain brace is none', () => {
  const command = 'x $' + '{ctx:A} $' + '{A} $' + '{B} $' + '{ctx:C:-c} $$' + '{D} $' + '{CWD} $' + '{free_port}';
  const shown = describe({ backend: 'proc', command });
  expect(shown.missing).toEqual(['A', 'B']);
  expect(shown.command).toBe(command.replace('$' + '{CWD}', '/p'));
});
