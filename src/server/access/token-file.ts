/** `tokens.json` in the home: the only code that reads and writes it. A file of another shape is no token: nobody gets in by it. */
import { join } from 'node:path';
import { TokenFile } from '../../contract/access.ts';
import { writeFileAtomic } from '../../node/atomic-file.ts';
import { readJson } from '../../node/read-json.ts';

export type TokenRecord = TokenFile['tokens'][number];

export interface TokenStore {
  read(): Promise<readonly TokenRecord[]>;
  write(tokens: readonly TokenRecord[]): Promise<void>;
}

export function createTokenStore(home: string): TokenStore {
  const path = join(home, 'tokens.json');
  return {
    read: async () => (await readJson(path, TokenFile))?.tokens ?? [],
    write: (tokens) => writeFileAtomic(path, `${JSON.stringify({ tokens })}\n`),
  };
}
