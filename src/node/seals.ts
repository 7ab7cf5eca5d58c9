/**
 * Seals on the small JSON files that decide about rights: an HMAC in the field `seal`, made with a key that lies in `run/`, out of the reach of
 * sandboxed commands. A file that somebody else wrote does not verify. What a seal does not show: that the file is the newest one.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../core/text/is-record.ts';
import { parseJson } from '../core/text/parse-json.ts';
import { writeFileAtomic } from './atomic-file.ts';

export interface Seals {
  /** The text of a JSON object, with its seal. `name`: of the file, so that no file passes for another. */
  seal(name: string, text: string): string;
  /** The text as it is, if its seal is right; null otherwise. */
  verify(name: string, text: string | null): string | null;
}

const KEY_BYTES = 32;

export async function openSeals(runDir: string, onRefused: (name: string) => void): Promise<Seals> {
  const path = join(runDir, 'seal.key');
  const known = await readFile(path, 'utf8').catch(() => '');
  const isKnown = /^[0-9a-f]{64}\n?$/.test(known);
  const hex = isKnown ? known.trim() : randomBytes(KEY_BYTES).toString('hex');
  if (!isKnown) await writeFileAtomic(path, `${hex}\n`);
  // The first start with seals: the files of an earlier version have none yet, and get one when they are next written.
  return createSeals(Buffer.from(hex, 'hex'), { acceptsUnsealed: known === '', onRefused });
}

function createSeals(
  key: Buffer,
  options: { readonly acceptsUnsealed: boolean; readonly onRefused: (name: string) => void },
): Seals {
  const sealOf = (name: string, value: Record<string, unknown>): Buffer =>
    createHmac('sha256', key)
      .update(`${name}\n${JSON.stringify(value)}`)
      .digest();
  const isGenuine = (name: string, text: string): boolean => {
    const value = parseJson(text);
    if (!isRecord(value)) return false;
    const { seal, ...rest } = value;
    if (seal === undefined) return options.acceptsUnsealed;
    const shown = Buffer.from(typeof seal === 'string' ? seal : '', 'hex');
    const wanted = sealOf(name, rest);
    return shown.length === wanted.length && timingSafeEqual(shown, wanted);
  };
  return {
    seal(name, text) {
      const value = parseJson(text);
      if (!isRecord(value)) throw new Error(`${name} is not a JSON object`);
      const { seal: _old, ...rest } = value;
      return `${JSON.stringify({ ...rest, seal: sealOf(name, rest).toString('hex') })}\n`;
    },
    verify(name, text) {
      if (text === null) return null;
      if (isGenuine(name, text)) return text;
      options.onRefused(name);
      return null;
    },
  };
}
