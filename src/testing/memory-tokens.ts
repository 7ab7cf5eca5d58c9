/** Tokens that are kept in memory only. */
import { TOKEN_SCOPES, type TokenScope } from '../contract/access.ts';
import type { Clock } from '../node/clock.ts';
import { createLogger } from '../node/logger.ts';
import type { TokenRecord } from '../server/access/token-file.ts';
import { type AccessTokens, openAccessTokens } from '../server/access/tokens.ts';

export function memoryTokens(
  serverToken: string,
  serverScopes: readonly TokenScope[] = TOKEN_SCOPES,
  clock: Clock,
): Promise<AccessTokens> {
  let kept: readonly TokenRecord[] = [];
  const store = {
    read: async () => kept,
    write: async (tokens: readonly TokenRecord[]) => {
      kept = tokens;
    },
  };
  return openAccessTokens({ serverToken, serverScopes, store, clock, log: createLogger({ level: 'error' }) });
}
