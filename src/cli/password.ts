/** `password set|remove|status`: writes the file in the home itself, so that it works whether or not the server runs. */
import { existsSync } from 'node:fs';
import { MIN_PASSWORD_CHARS, PasswordFile } from '../contract/access.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { ensurePrivateDir, errorCode } from '../node/atomic-file.ts';
import { fitsPassword, passwordPath, removePassword, storePassword } from '../node/password-file.ts';
import { readJson } from '../node/read-json.ts';
import { askHidden } from './ask-hidden.ts';
import type { Output } from './output.ts';

export async function setPassword(out: Output, home: string): Promise<number> {
  const allowed = await askForCurrent(home);
  if (!allowed.ok) return out.fail(allowed.error);
  const first = await askHidden('New password: ');
  if (!first.ok) return out.fail(first.error);
  if (first.value.length < MIN_PASSWORD_CHARS) {
    return out.fail({ code: 'invalid_request', message: `a password has at least ${MIN_PASSWORD_CHARS} characters` });
  }
  const again = await askHidden('The same again: ');
  if (!again.ok) return out.fail(again.error);
  if (again.value !== first.value) return out.fail({ code: 'invalid_request', message: 'the two are not the same' });
  return change(out, { is_set: true }, async () => {
    await ensurePrivateDir(home);
    await storePassword(home, first.value);
  });
}

export async function dropPassword(out: Output, home: string): Promise<number> {
  const allowed = await askForCurrent(home);
  if (!allowed.ok) return out.fail(allowed.error);
  return change(out, { is_set: false }, () => removePassword(home));
}

export async function showPassword(out: Output, home: string): Promise<number> {
  const isSet = existsSync(passwordPath(home));
  if (out.isJson) await out.json({ is_set: isSet });
  else await out.print(isSet ? 'a password is set' : 'no password is set');
  return 0;
}

async function change(out: Output, state: { readonly is_set: boolean }, perform: () => Promise<void>): Promise<number> {
  try {
    await perform();
  } catch (error) {
    return out.fail({ code: 'internal', message: `the password was not stored (${errorCode(error)})` });
  }
  if (out.isJson) await out.json(state);
  else out.say(state.is_set ? 'the password is set' : 'the password is removed');
  return 0;
}

async function askForCurrent(home: string): Promise<Result<null>> {
  if (!existsSync(passwordPath(home))) return ok(null);
  const current = await askHidden('Current password: ');
  if (!current.ok) return current;
  const record = await readJson(passwordPath(home), PasswordFile);
  if (record !== null && (await fitsPassword(record, current.value))) return ok(null);
  return fail('forbidden', `that is not the password. Lost it? Delete ${passwordPath(home)}`);
}
