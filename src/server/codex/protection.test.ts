/** With which Codex threads get permission profiles. */
import { expect, test } from 'vitest';
import { keepsProfiles } from './protection.ts';

test('[CM22] profiles are used from 0.166.0 on, and with a version that cannot be read', () => {
  for (const version of ['0.80.0', '0.140.0', '0.155.0', '0.165.9-alpha.1']) expect(keepsProfiles(version)).toBe(false);
  for (const version of ['0.166.0', '0.169.0-beta', '1.0.0', 'dev', null]) expect(keepsProfiles(version)).toBe(true);
});
