/** Which messages fit a condition: for waiting, for searching, for an inbox. Pure. */
import type { BoardMatch, BoardMessage } from '../../contract/board.ts';

export function fitsMatch(message: BoardMessage, match: BoardMatch): boolean {
  const { text, topic, who, reply_to, for: key } = match;
  return (
    (topic === undefined || message.topic === topic) &&
    (who === undefined || message.who.toLowerCase() === who.toLowerCase()) &&
    (reply_to === undefined || message.reply_to === reply_to) &&
    (key === undefined || message.for.includes(key)) &&
    (text === undefined || message.message.toLowerCase().includes(text.toLowerCase()))
  );
}
