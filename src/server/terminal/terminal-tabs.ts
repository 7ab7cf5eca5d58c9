/** The terminals of a conversation as a list: what each does, adding one, and removing one with all that is stored of it. */
import { fail, ok, type Result } from '../../contract/result.ts';
import type { TerminalKey, TerminalTab } from '../../contract/terminal.ts';
import { keyOfTerminal, nameOfTerminal, SHARED_TERMINAL } from '../../core/terminal/terminal-key.ts';
import type { OwnTerminalList } from './own-terminals.ts';
import type { PtyHostLink } from './pty-host-link.ts';
import type { Terminals } from './terminals.ts';

interface TabPorts {
  readonly link: PtyHostLink;
  readonly own: OwnTerminalList;
  close(key: TerminalKey): Promise<Result<null>>;
  /** What is kept in memory of a terminal. */
  forget(key: TerminalKey): void;
}

/** A tab shows the beginning. */
const MAX_COMMAND_CHARS = 200;

export function createTabs({
  link,
  own,
  close,
  forget,
}: TabPorts): Pick<Terminals, 'list' | 'hasTerminal' | 'add' | 'remove'> {
  const runningCommand = async (key: TerminalKey): Promise<string | null> => {
    if (link.running(key) === null) return null;
    const newest = (await link.store(key)).all().at(-1);
    return newest?.status === 'running' ? newest.cmd : null;
  };

  const tabOf = async (key: TerminalKey): Promise<TerminalTab> => {
    const command = await runningCommand(key);
    return {
      key,
      number: nameOfTerminal(key).number,
      is_running: link.running(key) !== null,
      command: command?.slice(0, MAX_COMMAND_CHARS) ?? null,
    };
  };

  /** A shell without blocks does not tell whether a command runs, so it counts as busy. */
  const isBusy = async (key: TerminalKey): Promise<boolean> =>
    link.running(key)?.has_blocks === false || (await runningCommand(key)) !== null;

  return {
    async list(id) {
      const numbers = [SHARED_TERMINAL, ...(await own.read(id))];
      return Promise.all(numbers.map((number) => tabOf(keyOfTerminal({ id, number }))));
    },
    async hasTerminal(key) {
      const { id, number } = nameOfTerminal(key);
      return number === SHARED_TERMINAL || (await own.read(id)).includes(number);
    },
    async add(id) {
      const number = await own.add(id);
      return number.ok ? ok(await tabOf(keyOfTerminal({ id, number: number.value }))) : number;
    },
    async remove(key, endsCommand) {
      const { id, number } = nameOfTerminal(key);
      await link.settled(key);
      if (!endsCommand && (await isBusy(key)))
        return fail('conflict', 'a command runs in this terminal: end it, or close the terminal with it', {
          reason: 'busy',
        });
      const closed = await close(key);
      if (!closed.ok) return closed;
      forget(key);
      return own.remove(id, number);
    },
  };
}
