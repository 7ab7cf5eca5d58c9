/** Small rules for text from the model: citation marks, entities, and which links may be followed. */

/** Marks some models leave for their own interface, also while one is still being written. */
const CITATIONS = /(?:\ue200cite[^\ue201]*(?:\ue201|$)|\bcite(?:turn\d+[a-z]+\d+)+(?:L\d+(?:-L\d+)?)?)( ?)/g;

/** Of the spaces around a mark one stays: the first, so that a text that grows never changes what it was. */
export function stripCitations(text: string): string {
  if (!text.includes('cite')) return text;
  return text.replace(CITATIONS, (_mark, space: string, at: number) => (/\s/.test(text.charAt(at - 1)) ? '' : space));
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  rarr: '→',
  larr: '←',
  times: '×',
};

const MAX_CODE_POINT = 0x10ffff;

/** The lexer leaves entities for an HTML parser that we do not have. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= MAX_CODE_POINT ? String.fromCodePoint(code) : whole;
  });
}

/** A link that may be followed, or null. Everything but plain web and mail addresses stays text. */
export function safeHref(href: string): string | null {
  const text = decodeEntities(href).trim();
  if (/[\x00-\x20\x7f-\x9f\\]/.test(text)) return null;
  return /^(?:https?:\/\/[^/]|mailto:)/i.test(text) ? text : null;
}
