/** `password.json` in the home: the scrypt hash of the password that the second confirmation asks for. The server and the command line use it. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from './atomic-file.ts';

/** What is in the file; `contract/access.ts` has its schema. */
export interface PasswordRecord {
  readonly salt: string;
  readonly hash: string;
  readonly n: number;
}

/** About 0.1 s and 32 MB per guess. */
const COST = 2 ** 15;
const MAX_MEMORY = 128 * 1024 * 1024;

export const passwordPath = (home: string): string => join(home, 'password.json');

export async function storePassword(home: string, password: string): Promise<void> {
  const salt = randomBytes(16).toString('hex');
  const record: PasswordRecord = { salt, hash: (await derive(password, salt, COST)).toString('hex'), n: COST };
  await writeFileAtomic(passwordPath(home), `${JSON.stringify(record)}\n`);
}

export async function removePassword(home: string): Promise<void> {
  await rm(passwordPath(home), { force: true });
}

export async function fitsPassword(record: PasswordRecord, password: string): Promise<boolean> {
  const hash = Buffer.from(record.hash, 'hex');
  const made = await derive(password, record.salt, record.n);
  return hash.length === made.length && timingSafeEqual(hash, made);
}

/** NFC, so that an accent typed in two ways is one password. */
function derive(password: string, salt: string, n: number): Promise<Buffer> {
  return new Promise((done, refuse) => {
    scrypt(
      password.normalize('NFC'),
      Buffer.from(salt, 'hex'),
      32,
      { N: n, r: 8, p: 1, maxmem: MAX_MEMORY },
      (error, key) => (error === null ? done(key) : refuse(error)),
    );
  });
}
