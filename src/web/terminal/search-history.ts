/** Ctrl-R in the shell prompt: earlier commands that hold every word of what is typed. Pure. */

/** The list shows about ten; nobody scrolls through more than this. */
const MAX_FOUND = 50;

/** Newest first, each command once. A search without capital letters finds them too. */
export function searchHistory(history: readonly string[], query: string): readonly string[] {
  const isExact = query !== query.toLowerCase();
  const words = query.split(/\s+/).filter((word) => word !== '');
  const holds = (command: string): boolean => {
    const text = isExact ? command : command.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return [...new Set(history.toReversed())].filter(holds).slice(0, MAX_FOUND);
}
