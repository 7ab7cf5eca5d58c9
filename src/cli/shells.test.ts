/** Which shell a person means. */
import { expect, test } from 'vitest';
import type { ShellView } from '../contract/shellspec.ts';
import { sampleShell } from '../testing/samples.ts';
import { pickFrom } from './shells.ts';

const shell = (id: string, title: string): ShellView =>
  sampleShell({ id, ref: `/dev.yaml#${id.slice(0, id.lastIndexOf('-'))}`, title });
const SHELLS = [shell('web-1a2b3c', 'Front'), shell('web-api-4d5e6f', 'Back'), shell('db-0a0b0c', 'Front')];

test.each([
  ['web-1a2b3c', 'web-1a2b3c'],
  ['web', 'web-1a2b3c'],
  ['web-api', 'web-api-4d5e6f'],
  ['back', 'web-api-4d5e6f'],
  ['db', 'db-0a0b0c'],
  ['db-0a', 'db-0a0b0c'],
])('[SH17] %s means %s', (words, id) => {
  expect(pickFrom(SHELLS, words)).toMatchObject({ ok: true, value: { id } });
});

test('[SH17] what means two or none is refused', () => {
  expect(pickFrom(SHELLS, 'front')).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
  expect(pickFrom(SHELLS, 'other')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(pickFrom(SHELLS, '')).toMatchObject({ ok: false, error: { code: 'not_found' } });
});
