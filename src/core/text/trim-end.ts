/** Takes given characters off the end of a text, in the time their number takes: a pattern like `x+$` tries at each of a run of them. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
