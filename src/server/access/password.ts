/** The password of the second confirmation, where a person has set one. Read from its file each time: the command line writes it too. */
import { existsSync } from 'node:fs';
import { PasswordFile } from '../../contract/access.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../node/clock.ts';
import { fitsPassword, passwordPath, removePassword, storePassword } from '../../node/password-file.ts';
import { readJson } from '../../node/read-json.ts';
import { createSerial } from '../../node/serial.ts';
import { createAttemptLimit } from '../attempt-limit.ts';
import { storageFailure } from '../storage-failure.ts';

export interface Password {
  isSet(): Promise<boolean>;
  /** `unauthorized` for a wrong one, `rate_limited` after many. */
  check(password: string): Promise<Result<null>>;
  /** Null removes it. The current one is needed where there is one. */
  change(current: string | undefined, next: string | null): Promise<Result<{ is_set: boolean }>>;
}

export function createPassword(home: string, clock: Clock): Password {
  const limit = createAttemptLimit(clock);
  // A file that is there and cannot be read counts as set, and fits no password: nobody gets round it by damaging it.
  const isSet = async () => existsSync(passwordPath(home));
  const checking = createSerial();
  // One at a time: many guesses at once must not all be made before the first is counted.
  const check = (password: string) => checking.run(() => checkOne(password));
  const checkOne = async (password: string): Promise<Result<null>> => {
    if (!(await isSet())) return ok(null);
    const record = await readJson(passwordPath(home), PasswordFile);
    if (limit.isUsedUp()) return fail('rate_limited', 'too many wrong passwords: wait a minute');
    if (record !== null && (await fitsPassword(record, password))) return ok(null);
    return limit.count()
      ? fail('unauthorized', 'That is not the password.')
      : fail('rate_limited', 'too many wrong passwords: wait a minute');
  };
  return {
    isSet,
    check,
    async change(current, next) {
      if (await isSet()) {
        const checked = await check(current ?? '');
        if (!checked.ok)
          return checked.error.code === 'unauthorized' ? fail('forbidden', checked.error.message) : checked;
      }
      try {
        await (next === null ? removePassword(home) : storePassword(home, next));
      } catch (error) {
        return storageFailure(error, 'the password was not stored');
      }
      return ok({ is_set: next !== null });
    },
  };
}
