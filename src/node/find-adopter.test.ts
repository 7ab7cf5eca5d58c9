/** Who adopts orphans. */
import { expect, test } from 'vitest';
import { readLineage } from './ancestry.ts';
import { findAdopter } from './find-adopter.ts';

test.skipIf(process.platform !== 'linux')('the adopter of an orphan is one of our own ancestors', async () => {
  const ancestors = readLineage(process.pid)?.map(({ pid }) => pid);
  expect(ancestors).toContain(await findAdopter());
});
