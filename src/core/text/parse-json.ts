/** JSON from elsewhere. Null for what is none: whoever reads it checks its shape, and `null` has none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
