/** JSON from elsewhere, parsed without a throw. */
import { isTooDeep } from './json-depth.ts';

/** Null for what is no JSON, or is nested too deeply to be parsed in time: whoever reads it checks its shape, and `null` has none. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
