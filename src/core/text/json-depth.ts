/** How deep JSON is nested, found before it is parsed: making a million arrays inside one another takes seconds, in which nobody is served. */

/** Deeper than any honest message; each way in has its own, smaller bound on what it takes. */
const MAX_DEPTH = 512;
/** A shorter text cannot hold enough levels to take time. */
const MIN_LENGTH = 2 * MAX_DEPTH;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Iterative, and over the text once. Of a text that is no JSON the answer is of no importance. */
export function isTooDeep(text: string): boolean {
  if (text.length < MIN_LENGTH) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth -= 1;
  }
  return false;
}

/** The place of the quote that ends a string; the end of the text when none does. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return text.length;
}
