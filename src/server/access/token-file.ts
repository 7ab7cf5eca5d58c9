/** `tokens.json` in the home: the only code that reads and writes it. A file of another shape is no token: nobody gets in by it. */
import { join } from 'node:path';
import { TokenFile } from '../../contract/access.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import type { Seals } from '../../node/seals.ts';

export type TokenRecord = TokenFile['tokens'][number];

export interface TokenStore {
  read(): Promise<readonly TokenRecord[]>;
  write(tokens: readonly TokenRecord[]): Promise<void>;
}

export function createTokenStore(home: string, seals: Seals): TokenStore {
  const name = 'tokens.json';
  const path = join(home, name);
  return {
    async read() {
      const text = await seals.read(name, path);
      return TokenFile.safeParse(text === null ? null : parseJson(text)).data?.tokens ?? [];
    },
    write: (tokens) => seals.write(name, path, JSON.stringify({ tokens })),
  };
}
