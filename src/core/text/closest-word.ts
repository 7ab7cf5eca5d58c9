/** Which known word somebody may have meant: the one with the fewest mistyped letters, if they are few. */

/** One mistake in a short word, two in a longer one. More would suggest words that nobody meant. */
const SHORT_CHARS = 5;

export function closestWord(typed: string, known: readonly string[]): string | null {
  const allowed = typed.length <= SHORT_CHARS ? 1 : 2;
  let closest: string | null = null;
  let fewest = allowed + 1;
  for (const word of known) {
    const mistakes = word.startsWith(typed) && typed.length > 1 ? 0 : countMistakes(typed, word);
    if (mistakes < fewest) [closest, fewest] = [word, mistakes];
  }
  return closest;
}

/** Letters that are missing, added, wrong, or swapped with their neighbor. */
function countMistakes(typed: string, word: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: word.length + 1 }, (_, at) => at);
  for (let row = 1; row <= typed.length; row += 1) {
    const current = [row];
    for (let at = 1; at <= word.length; at += 1) {
      const isSame = typed[row - 1] === word[at - 1];
      const isSwapped = row > 1 && at > 1 && typed[row - 1] === word[at - 2] && typed[row - 2] === word[at - 1];
      current.push(
        Math.min(
          (last[at] ?? 0) + 1,
          (current[at - 1] ?? 0) + 1,
          (last[at - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (beforeLast[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[word.length] ?? 0;
}
