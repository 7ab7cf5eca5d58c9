/** Ties together what decides about access: the tokens of programs, the second confirmation and its password. */
import type { TokenScope } from '../../contract/access.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import type { Seals } from '../../node/seals.ts';
import { type Confirmations, createConfirmations } from '../access/confirmations.ts';
import { createPassword, type Password } from '../access/password.ts';
import { createTokenStore } from '../access/token-file.ts';
import { type AccessTokens, openAccessTokens } from '../access/tokens.ts';

export interface Access {
  readonly tokens: AccessTokens;
  readonly password: Password;
  readonly confirmations: Confirmations;
}

export async function composeAccess(options: {
  readonly home: string;
  readonly seals: Seals;
  readonly serverToken: string;
  readonly serverScopes: readonly TokenScope[];
  readonly clock: Clock;
  readonly log: Logger;
}): Promise<Access> {
  const { home, clock, log } = options;
  const tokens = await openAccessTokens({ ...options, store: createTokenStore(home, options.seals) });
  const password = createPassword(home, clock);
  return { tokens, password, confirmations: createConfirmations({ password, clock, log }) };
}
