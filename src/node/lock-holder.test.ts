/** The holder of a lock by the table of the kernel. */
import { expect, test } from 'vitest';
import { findHolder, lockHolder } from './lock-holder.ts';

const LOCKS = `1: POSIX  ADVISORY  WRITE 11 fe:00:500 0 EOF
2: FLOCK  ADVISORY  WRITE 12 fe:00:600 0 EOF
2: -> FLOCK  ADVISORY  WRITE 13 fe:00:600 0 EOF
3: FLOCK  ADVISORY  READ  14 fe:00:700 0 EOF
`;

test('[CS42] the process with the write lock is the holder; who waits, reads or locks a part is not', () => {
  expect(findHolder(LOCKS, 600)).toBe(12);
  expect(findHolder(LOCKS, 500)).toBeNull();
  expect(findHolder(LOCKS, 700)).toBeNull();
  expect(lockHolder('/no/such/file')).toBeNull();
});
