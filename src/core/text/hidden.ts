/** Characters that a person cannot see and a model can read: which they are, and the cleaner that every text for the model goes through. */
import { cleanText } from './clean.ts';

/**
 * Scripts whose spelling uses the joiners U+200C and U+200D: Persian words and Indic conjuncts are misspelled without them.
 * A kept joiner stands between two visible letters, never beside a second one: no instruction can be spelled with it.
 */
const JOINING =
  '\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nkoo}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}' +
  '\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Mymr}\\p{scx=Khmr}\\p{scx=Tibt}';
const JOINING_LETTER = `(?=[\\p{L}\\p{M}])(?![\\u034f\\u17b4\\u17b5\\u180b-\\u180f])[${JOINING}]`;
/** The sign that silences a vowel; the joiner after it also stands at the end of a word. */
const VIRAMA = '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca\\u1039\\u17d2]';

/** Places where an invisible character belongs to what is seen. Each is one character, so that a run of them is never kept. */
const KEPT = [
  // ❤️ and its plain form; 1️⃣.
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  // 👩‍💻, 🏳️‍🌈, 👩🏽‍💻.
  '(?<=\\p{Extended_Pictographic}\\ufe0f?|\\p{Emoji_Modifier})\\u200d(?=\\p{Extended_Pictographic})',
  `(?<=[\\p{L}\\p{M}])(?<=[${JOINING}])[\\u200c\\u200d](?=${JOINING_LETTER})`,
  `(?<=${VIRAMA})[\\u200c\\u200d]`,
];

/**
 * Default-ignorable characters (tags, variation selectors, zero-width, soft hyphen, fillers, bidi controls), annotation marks, the
 * layout controls of hieroglyphs, an empty note head, and code points that are no characters.
 */
const HIDDEN =
  '[\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb\\u{13430}-\\u{1343f}\\u{1d159}\\p{Noncharacter_Code_Point}]';

/** Group 1 is a character that stays. Inside a run of hidden characters none stays: each has a hidden one before it. */
const KEPT_OR_HIDDEN = new RegExp(`(${KEPT.join('|')})|${HIDDEN}+`, 'gu');
const ANY_HIDDEN = new RegExp(HIDDEN, 'u');
/** Whether a text may hold a hidden character; any character beyond U+FFFF counts. Cheaper than looking at each code point. */
const MAYBE_HIDDEN = new RegExp(
  '[\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164' +
    '\\ufdd0-\\ufdef\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe\\uffff\\ud800-\\udfff]',
);

export const maybeHidden = (text: string): boolean => MAYBE_HIDDEN.test(text);

/** The text as a person sees it. Line and paragraph separators become line feeds; the empty Braille cell looks like a space and becomes one. */
export function withoutHidden(text: string): string {
  if (!MAYBE_HIDDEN.test(text)) return text;
  const separated = text.replace(/[\u2028\u2029]/g, '\n').replaceAll('\u2800', ' ');
  if (!ANY_HIDDEN.test(separated)) return separated;
  return separated.replace(KEPT_OR_HIDDEN, (_all, kept: string | undefined) => kept ?? '');
}

/** The text with each run of hidden characters replaced by what `show` makes of it. Characters that belong to what is seen stay. */
export function replaceHidden(text: string, show: (run: string) => string): string {
  if (!MAYBE_HIDDEN.test(text)) return text;
  return text.replace(KEPT_OR_HIDDEN, (run: string, kept: string | undefined) => kept ?? show(run));
}

/** How many characters `withoutHidden` would remove. */
export function countHidden(text: string): number {
  if (!MAYBE_HIDDEN.test(text)) return 0;
  let count = 0;
  for (const found of text.matchAll(KEPT_OR_HIDDEN)) if (found[1] === undefined) count += [...found[0]].length;
  return count;
}

/** Text from outside as a model may read it: no control characters but tab and newline, nothing hidden, no half characters. */
export function cleanForModel(text: string): string {
  return withoutHidden(cleanText(text));
}

/** JSON of text from outside: every string and key in it is cleaned before it is escaped. Callers bound the depth. */
export function jsonForModel(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => {
    if (typeof one === 'string') return cleanForModel(one);
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return one;
    const keys = Object.keys(one);
    if (!keys.some(maybeHidden)) return one;
    return Object.fromEntries(Object.entries(one).map(([key, child]) => [cleanForModel(key), child]));
  });
}
