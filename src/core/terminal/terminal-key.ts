/** The terminals of a conversation by name: the shared one is named by the conversation alone, a person's own ones also by their number. */
import type { ConversationId } from '../../contract/ids.ts';
import type { TerminalKey } from '../../contract/terminal.ts';

/** The number of the terminal that the person and the agent share. */
export const SHARED_TERMINAL = 1;

export interface TerminalName {
  readonly id: ConversationId;
  /** 1 is the shared terminal. */
  readonly number: number;
}

export function keyOfTerminal({ id, number }: TerminalName): TerminalKey {
  return number === SHARED_TERMINAL ? id : `${id}~${number}`;
}

/** Of a key that was checked; whatever else the pty host names is a shared terminal. */
export function nameOfTerminal(key: TerminalKey): TerminalName {
  const at = key.indexOf('~');
  return at < 0 ? { id: key, number: SHARED_TERMINAL } : { id: key.slice(0, at), number: Number(key.slice(at + 1)) };
}

export const isSharedTerminal = (key: TerminalKey): boolean => !key.includes('~');
