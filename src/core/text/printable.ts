/** Text from elsewhere made safe to print: nothing in it can move the cursor, recolor, retitle or reorder what a person reads. */

/** Colors carry no meaning once printed elsewhere, and programs' output is full of them. */
const COLORS = /\x1b\[[0-9;:]*m/g;
/** C0 and C1 controls but tab and line feed, DEL, and the characters that reorder or hide text (bidi, line separators, BOM). */
const UNSAFE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const LONE_SURROGATES = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Line breaks and tabs stay; colors go; any other control character is shown as `\x1b` or `\u202e`. */
export function printable(text: string): string {
  return text
    .replace(COLORS, '')
    .replace(/\r\n?/g, '\n')
    .replace(UNSAFE, escapeUnit)
    .replace(LONE_SURROGATES, '\ufffd');
}

/** The same on one line, for tables and labels. */
export function printableLine(text: string, maxChars = 200): string {
  const line = printable(text).replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= maxChars ? line : `${characters.slice(0, maxChars - 1).join('')}…`;
}

/** One line of JSON in which every such character is escaped, so that it is as safe to look at and still the same value. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, jsonEscape);
}

/**
 * The end of a piece of streamed text that must wait for the next one to be judged: half a character, half a line break,
 * the beginning of a color.
 */
export function splitUnfinished(text: string): { readonly ready: string; readonly held: string } {
  const held = /(?:\x1b(?:\[[0-9;:]{0,30})?|\r|[\ud800-\udbff])$/.exec(text)?.[0] ?? '';
  return { ready: text.slice(0, text.length - held.length), held };
}

function escapeUnit(unit: string): string {
  const code = unit.charCodeAt(0);
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : jsonEscape(unit);
}

function jsonEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
