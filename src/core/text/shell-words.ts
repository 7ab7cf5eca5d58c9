/** Words of a POSIX shell: argv → one line a person can read and run again, and a quoted word → what it says. */

const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/** So that two argvs that differ never look alike. */
export function joinWords(argv: readonly string[]): string {
  return argv.map(quoteWord).join(' ');
}

function quoteWord(word: string): string {
  if (PLAIN_WORD.test(word)) return word;
  return word.includes("'") ? `"${word.replace(/["\\$`]/g, '\\$&')}"` : `'${word}'`;
}

/** One word with its quotes taken off; null when the text is not exactly one word. */
export function unquoteWord(text: string): string | null {
  let word = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    const next = text[at + 1];
    if (char === '"') isQuoted = !isQuoted;
    else if (char === '\\' && (!isQuoted || (next !== undefined && '"\\$`'.includes(next)))) {
      if (next === undefined) return null;
      word += next;
      at += 1;
    } else if (isQuoted) word += char;
    else if (char === "'") {
      const end = text.indexOf("'", at + 1);
      if (end < 0) return null;
      word += text.slice(at + 1, end);
      at = end;
    } else if (/[\s;&|<>()$`]/.test(char)) return null;
    else word += char;
  }
  return isQuoted ? null : word;
}
