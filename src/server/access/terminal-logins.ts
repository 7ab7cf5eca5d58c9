/** A new browser is let in at a terminal: with the password where one is set, else after the open browser had time to refuse. */
import { fail, type Result } from '../../contract/result.ts';
import type { Password } from './password.ts';

/** `allow` answers in how many milliseconds the login gets in. */
export function createTerminalLogins(
  password: Password,
  allow: (code: string, hasPassword: boolean) => Result<number>,
) {
  return async (code: string, text: string | null): Promise<Result<number>> => {
    if (!(await password.isSet())) return allow(code, false);
    if (text === null) return fail('unauthorized', 'a password is set');
    const checked = await password.check(text);
    return checked.ok ? allow(code, true) : checked;
  };
}
