/** How a disk that refuses is told. */
import { expect, test } from 'vitest';
import { FileError } from '../node/atomic-file.ts';
import { storageFailure, storageFault } from './storage-failure.ts';

const of = (code: string) => new FileError(code, 'anywhere');

test('a full disk and a failing one have codes of their own, and the sentence says what did not happen', () => {
  expect(storageFault(of('ENOSPC'), 'the tokens were not stored')).toEqual({
    code: 'storage_full',
    message: 'the disk is full: the tokens were not stored; free some space and try again',
  });
  expect(storageFault(of('EDQUOT'))?.code).toBe('storage_full');
  expect(storageFault(of('EIO'))?.code).toBe('storage_failed');
  expect(storageFault(of('EROFS'))?.message).toContain('EROFS');
});

test('an error of another kind is none of the disk, but a file that could not be written is', () => {
  expect(storageFault(new TypeError('a bug'))).toBe(null);
  expect(storageFault(of('EACCES'))).toBe(null);
  expect(storageFailure(of('EACCES'))).toMatchObject({ ok: false, error: { code: 'storage_failed' } });
});
