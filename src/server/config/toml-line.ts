/** Where in a TOML text a key is set: the parser tells values without their places. For error messages, so "near enough" is enough. */

/** A quote without its end takes the rest of the line: to look for its end from each quote anew would take the square of their number. */
const SEGMENT = `"(?:[^"\\\\]|\\\\(?:.|$))*(?:"|$)|'[^']*(?:'|$)|[A-Za-z0-9_-]+`;
const KEY = `(?:${SEGMENT})(?:\\s*\\.\\s*(?:${SEGMENT}))*`;
const HEADER = new RegExp(`^\\s*\\[(\\[?)\\s*(${KEY})\\s*\\]`);
const ASSIGNMENT = new RegExp(`^\\s*(${KEY})\\s*=`);

/** From 1; the line that names the most of the key, or null when none does. */
export function lineOfKey(text: string, key: readonly string[]): number | null {
  // A part of a key that is itself dotted (`codex.config."a.b"`) is matched as the parts a file spells it with.
  const wanted = key.join('.').split('.');
  let table: readonly string[] = [];
  /** Of each `[[table]]`, how many there were. */
  const counts = new Map<string, number>();
  let best: { readonly line: number; readonly length: number } | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    const [, bracket, header] = HEADER.exec(line) ?? [];
    if (header !== undefined) table = tableOf(header, bracket === '[', counts);
    const named = header === undefined ? ASSIGNMENT.exec(line)?.[1] : '';
    if (named === undefined) continue;
    const full = named === '' ? table : [...table, ...segments(named)];
    const { length } = full;
    if (length === 0 || length > wanted.length || !full.every((part, at) => part === wanted[at])) continue;
    if (best === null || length > best.length) best = { line: index + 1, length };
  }
  return best?.line ?? null;
}

/** The second `[[a.b]]` holds the keys `a.b.1.…`. */
function tableOf(header: string, isOneOfMany: boolean, counts: Map<string, number>): readonly string[] {
  const path = segments(header);
  if (!isOneOfMany) return path;
  const name = path.join('.');
  const count = counts.get(name) ?? 0;
  counts.set(name, count + 1);
  return [...path, String(count)];
}

function segments(key: string): string[] {
  return [...key.matchAll(new RegExp(SEGMENT, 'g'))].flatMap(([part]) => part.replace(/^["']|["']$/g, '').split('.'));
}
