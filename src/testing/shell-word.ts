/** A word of a command line, whatever is in it: the tests' own paths may have spaces. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Words as one command line. */
export const commandLine = (...words: readonly string[]): string => words.map(shellWord).join(' ');
