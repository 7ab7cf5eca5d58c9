/** Filling a spec in. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ShellSpec } from '../../contract/shellspec.ts';
import { type Filling, renderSpec, wantsFreePort } from './render-spec.ts';

const FILLING: Filling = {
  ctx: { CWD: '/w', NAME: 'n', LIST: ['a', 'b c'], EMPTY: [] },
  env: (name) => (name === 'HOME' ? '/h' : undefined),
  freePort: 4242,
};

const at = (text: string): string => text.replaceAll('@', '$');
const specOf = (command: string | string[], more: object = {}) =>
  ShellSpec.parse({ backend: 'proc', command: typeof command === 'string' ? at(command) : command.map(at), ...more });

function commandOf(command: string | string[]): unknown {
  const outcome = renderSpec(specOf(command), FILLING);
  return 'rendered' in outcome ? outcome.rendered.command : outcome.problem;
}

describe('[SH1] placeholders', () => {
  test.each([
    [
      ['p', '@{CWD}/x'],
      ['p', '/w/x'],
    ],
    [
      ['p', '@{ctx:NAME}@{NAME}'],
      ['p', 'nn'],
    ],
    [
      ['p', '@{env:HOME}'],
      ['p', '/h'],
    ],
    [
      ['p', '@{env:GONE:-x:-y}'],
      ['p', 'x:-y'],
    ],
    [
      ['p', '@{env:GONE:-}'],
      ['p', ''],
    ],
    [
      ['p', '@{free_port}', '--port=@{free_port}'],
      ['p', '4242', '--port=4242'],
    ],
    [
      ['p', '@{ctx:LIST}', 'z'],
      ['p', 'a', 'b c', 'z'],
    ],
    [
      ['p', '@{ctx:EMPTY}', 'z'],
      ['p', 'z'],
    ],
    [
      ['p', '@@{CWD}', '$HOME', '@5'],
      ['p', '${' + 'CWD}', '$HOME', '$5'],
    ],
    ['echo @{NAME}; echo $HOME', ['/bin/sh', '-c', 'echo n; echo $HOME']],
  ])('%j', (command, expected) => {
    expect(commandOf(command)).toEqual(expected);
  });

  test.each([
    [['p', '@{ctx:GONE}'], ['command', 1], 'give GONE with --ctx GONE=VALUE'],
    [['p', '@{env:GONE}'], ['command', 1], 'set the variable GONE'],
    [['p', '@{constructor}'], ['command', 1], 'has no value'],
    [['p', '@{what ever}'], ['command', 1], 'is no placeholder'],
    [['p', 'x@{CWD'], ['command', 1], 'not closed'],
    [['p', 'x@{ctx:LIST}'], ['command', 1], 'is a list'],
    [['@{ctx:EMPTY}'], ['command'], 'has no program'],
  ])('%j is a problem with a place', (command, path, message) => {
    expect(commandOf(command)).toEqual({ path, message: expect.stringContaining(message) });
  });

  test('text without a placeholder is never changed, and what is filled in is not filled in again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const plain = text.replaceAll('\0', '').replaceAll('$', '');
        const outcome = renderSpec(ShellSpec.parse({ backend: 'proc', command: ['p', plain, at('@{ctx:X}')] }), {
          ...FILLING,
          ctx: { CWD: '/', X: `${text}${at('@{CWD}')}` },
        });
        expect('rendered' in outcome && outcome.rendered.command).toEqual(['p', plain, `${text}${at('@{CWD}')}`]);
      }),
    );
  });
});

test('[SH9] a port for the health check is a number, or a problem', () => {
  const health = (port: unknown) => renderSpec(specOf(['p'], { health: { check: 'port', port } }), FILLING);
  expect(health(at('@{free_port}'))).toMatchObject({ rendered: { health: { port: 4242 } } });
  expect(health('http')).toMatchObject({ problem: { path: ['health', 'port'] } });
  expect(wantsFreePort(specOf(['p'], { health: { check: 'port', port: at('@{free_port}') } }))).toBe(true);
  expect(wantsFreePort(specOf(['p']))).toBe(false);
});
