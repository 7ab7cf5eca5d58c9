/** The effective network of a sandbox. */
import { expect, test } from 'vitest';
import { appliedSettings, NOTHING_APPLIED } from '../codex/applied-settings.ts';
import { networkOf } from './network.ts';

const applied = (type: string, networkAccess: unknown) => appliedSettings({ sandbox: { type, networkAccess } });

test.each([
  ['read-only', applied('workspaceWrite', true), true, false],
  ['danger-full-access', NOTHING_APPLIED, false, true],
  ['workspace-write', null, true, true],
  ['workspace-write', null, false, false],
  ['workspace-write', null, null, null],
  ['workspace-write', NOTHING_APPLIED, true, true],
  ['workspace-write', applied('workspaceWrite', false), true, false],
  ['workspace-write', applied('workspaceWrite', true), false, true],
  ['workspace-write', applied('workspaceWrite', 'enabled'), false, true],
  ['workspace-write', applied('workspaceWrite', 'restricted'), true, false],
  ['workspace-write', applied('readOnly', false), true, true],
] as const)('[AG9] %s, applied %o, configured %s: %s', (sandbox, said, isAllowed, network) => {
  expect(networkOf(sandbox, said, isAllowed)).toBe(network);
});
