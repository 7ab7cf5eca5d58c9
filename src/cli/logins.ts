/** `logins allow`: lets a new browser in from a person's own terminal, when the browser that is open is out of reach. */
import { askHidden } from './ask-hidden.ts';
import { findServer } from './find-server.ts';
import { type AllowedLogin, allowLogin } from './login-link.ts';
import type { Output } from './output.ts';

export async function allowNewBrowser(out: Output, home: string, code: string): Promise<number> {
  const server = findServer(home);
  if (!server.ok) return out.fail(server.error);
  let allowed = await allowLogin(home, code, null);
  if (allowed.ok && 'needsPassword' in allowed.value) {
    const password = await askHidden('Your Signalbox password: ');
    if (!password.ok) return out.fail(password.error);
    allowed = await allowLogin(home, code, password.value);
  }
  if (!allowed.ok) return out.fail(allowed.error);
  return tell(out, allowed.value);
}

async function tell(out: Output, allowed: AllowedLogin): Promise<number> {
  if ('needsPassword' in allowed) return out.fail({ code: 'forbidden', message: allowed.needsPassword });
  const { opensInMs } = allowed;
  if (out.isJson) await out.json({ opens_in_ms: opensInMs });
  else if (opensInMs === 0) out.say('The new browser is let in.');
  else out.say(`The new browser gets in in ${Math.ceil(opensInMs / 1000)} s, unless the open browser refuses it.`);
  return 0;
}
