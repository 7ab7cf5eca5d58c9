import { isTooDeep } from './json-depth.ts';

/** JSON from elsewhere. Null for what is none, or is nested too deeply to be parsed in time: whoever reads it checks its shape, and `null` has none. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
