/** Which Codex can be steered, and which is told with the next message. */
import { expect, test } from 'vitest';
import { capabilitiesOf } from './capabilities.ts';

test.each([
  ['0.80.0', false],
  ['0.119.9', false],
  ['0.120.0', true],
  ['0.166.0-alpha.2', true],
  ['1.0.0', true],
  ['unknown', true],
  [null, true],
])('%s', (version, can) => {
  expect(capabilitiesOf(version)).toEqual({ canSteer: can, canInject: can });
});
