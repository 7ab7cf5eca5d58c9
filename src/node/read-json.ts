/** Small JSON files of ours. One that is missing, torn or of another shape is none: what was in it is made again. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseJson } from '../core/text/parse-json.ts';

/** A schema, as far as a reader needs it. */
interface Shape<T> {
  safeParse(value: unknown): { readonly success: true; readonly data: T } | { readonly success: false };
}

export async function readJson<T>(path: string, shape: Shape<T>): Promise<T | null> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return parseAs(shape, text);
}

export function readJsonSync<T>(path: string, shape: Shape<T>): T | null {
  try {
    return parseAs(shape, readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

/** One line of a file, or the whole of one. */
export function parseAs<T>(shape: Shape<T>, text: string): T | null {
  const parsed = shape.safeParse(parseJson(text));
  return parsed.success ? parsed.data : null;
}
