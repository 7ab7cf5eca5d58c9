/** Who a post is for: finds `@label` in its text and turns a written name into the one it means. Pure. */

/** Somebody who can be written to: a conversation by its label, or another author by name. */
export interface Addressee {
  /** The id of a conversation, else the name itself. */
  readonly key: string;
  readonly label: string;
  readonly conversationId: string | null;
}

/** More than this in one post is a list, not a message to somebody. */
const MAX_MENTIONS = 20;
/** Not inside a word or an address (`a@b`, `@scope/x@1`); quoted when the label has spaces. */
const MENTION = /(?<![\p{L}\p{N}_@./-])@(?:"([^"\n]{1,200})"|([\p{L}\p{N}_][\p{L}\p{N}_.-]*))(?![\p{L}\p{N}_./-])/gu;
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;

/** A label as it is written behind `@`: lower case, anything but letters and digits a dash. */
export function slugOf(label: string): string {
  return label
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

/** Words behind an `@`, outside of code, in order, each once. */
export function mentionWords(text: string): readonly string[] {
  const words = [...text.replace(CODE, ' ').matchAll(MENTION)].map(([, quoted, word]) =>
    withoutLastMarks(quoted ?? word ?? ''),
  );
  return [...new Set(words)].filter((word) => word !== '').slice(0, MAX_MENTIONS);
}

/** A full stop ends a sentence, not a name. By hand: a pattern for it takes the square of their number. */
function withoutLastMarks(word: string): string {
  let end = word.length;
  while (word[end - 1] === '.' || word[end - 1] === '-') end -= 1;
  return word.slice(0, end);
}

/**
 * All that a word can mean; one is a hit, none and several are for the caller to tell. An id or the exact label wins over a look-alike,
 * a conversation over an author who took its name.
 */
export function addresseesOf(word: string, known: readonly Addressee[]): readonly Addressee[] {
  const all = candidatesOf(word, known);
  const conversations = all.filter((one) => one.conversationId !== null);
  return conversations.length > 0 ? conversations : all;
}

function candidatesOf(word: string, known: readonly Addressee[]): readonly Addressee[] {
  const exact = known.filter((one) => one.key === word || one.label === word);
  if (exact.length > 0) return exact;
  const slug = slugOf(word);
  const alike = known.filter((one) => slug !== '' && slugOf(one.label) === slug);
  if (alike.length > 0) return alike;
  // The beginning of an id, long enough that nobody writes it by chance.
  return /^conv_[0-9a-f]{8,}$/.test(word) ? known.filter((one) => one.key.startsWith(word)) : [];
}

/** Those a text mentions. A word that means nobody, or several, mentions nobody. */
export function findMentions(text: string, known: readonly Addressee[]): readonly Addressee[] {
  const found = new Map<string, Addressee>();
  for (const word of mentionWords(text)) {
    const [one, ...more] = addresseesOf(word, known);
    if (one !== undefined && more.length === 0) found.set(one.key, one);
  }
  return [...found.values()];
}
