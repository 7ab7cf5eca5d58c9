/** The name of a conversation in lists and documents: its label, or the beginning of its first message. */
import { printableLine } from '../text/printable.ts';

interface Named {
  readonly label: string | null;
  readonly preview: string;
}

/** A list shows at most this many characters of a title. */
const MAX_LISTED_CHARS = 60;

export const titleOf = ({ label, preview }: Named): string =>
  printableLine(label ?? preview) || 'Untitled conversation';

export const listedTitleOf = (named: Named): string => printableLine(titleOf(named), MAX_LISTED_CHARS);
