/** Where the server starts. */
import { expect, test } from 'vitest';
import { refusePlatform } from './refuse-platform.ts';

test('[CS29] Windows itself is refused with the way to go', () => {
  expect(refusePlatform('win32')?.message).toContain('WSL2');
  for (const platform of ['linux', 'darwin'] as const) expect(refusePlatform(platform)).toBe(null);
});
