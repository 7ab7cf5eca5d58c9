/** Seals on files that decide about rights. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSeals } from './seals.ts';

let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'signalbox-seals-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

test('[AG5] a file of an earlier version is accepted once, a forged, changed or renamed one never', async () => {
  const refused: string[] = [];
  const first = await openSeals(dir, (name) => refused.push(name));
  const plain = '{"sessions":[1]}\n';
  expect(first.verify('sessions.json', plain)).toBe(plain);
  const sealed = first.seal('sessions.json', plain);
  expect(JSON.parse(sealed)).toMatchObject({ sessions: [1] });
  expect(first.seal('sessions.json', sealed)).toBe(sealed);

  const later = await openSeals(dir, (name) => refused.push(name));
  expect(later.verify('sessions.json', sealed)).toBe(sealed);
  expect(later.verify('sessions.json', null)).toBeNull();
  expect(refused).toEqual([]);
  for (const forged of [
    plain,
    sealed.replace('[1]', '[2]'),
    '{"sessions":[1],"seal":7}',
    '{"seal":""}',
    '[]',
    'x',
    '',
  ]) {
    expect(later.verify('sessions.json', forged)).toBeNull();
  }
  expect(later.verify('tokens.json', sealed)).toBeNull();
  expect(refused).toHaveLength(8);
});
