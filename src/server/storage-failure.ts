/** A disk that does not take a write, as answers say it: full, or failing. Neither is a fault of the server. */
import { type Failure, fail, type Result } from '../contract/result.ts';
import { errorCode } from '../node/atomic-file.ts';

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);
const FAILING: ReadonlySet<string> = new Set(['EIO', 'EROFS']);

/** Null for an error that has another cause. `what`: the part of the sentence that says what did not happen. */
export function storageFault(error: unknown, what = 'nothing was changed'): Failure | null {
  const code = errorCode(error);
  if (FULL.has(code)) {
    return { code: 'storage_full', message: `the disk is full: ${what}; free some space and try again` };
  }
  if (!FAILING.has(code)) return null;
  return {
    code: 'storage_failed',
    message: `the disk does not take what is written (${code}): ${what}; look at it and try again`,
  };
}

/** For a write of a file of ours: whatever kept it from being written. */
export function storageFailure(error: unknown, what?: string): Result<never> {
  const fault = storageFault(error, what) ?? {
    code: 'storage_failed' as const,
    message: `the file could not be written (${errorCode(error)}): ${what ?? 'nothing was changed'}`,
  };
  return fail(fault.code, fault.message);
}
