/** Asking the server about a conversation's terminal, and where the page shows it. Whoever asks shows the failure itself. */
import type { ConversationId } from '../../contract/ids.ts';
import type { Failure, Result } from '../../contract/result.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import type { Block, BlockId, TerminalKey, TerminalState, TerminalTab } from '../../contract/terminal.ts';
import { isSharedTerminal, nameOfTerminal } from '../../core/terminal/terminal-key.ts';
import { en } from '../strings/en.ts';
import type { Call } from './call.ts';
import type { Device } from './device.ts';
import type { MessageCommands } from './message-commands.ts';
import type { AppStore } from './store.ts';

type OutputPage = RouteOutput<'terminalOutput'>;

export interface TerminalCommands {
  /** The shared one first; null when nobody knows. */
  listTerminals(id: ConversationId): Promise<readonly TerminalTab[] | null>;
  addTerminal(id: ConversationId): Promise<Result<TerminalTab>>;
  /** `endsCommand` false: refused with the reason `busy` while a command runs in it. */
  removeTerminal(key: TerminalKey, endsCommand: boolean): Promise<Failure | null>;
  /** Runs a command once more where it ran. */
  runAgain(key: TerminalKey, command: string): Promise<Failure | null>;
  /** Starts the shell unless it runs; null when it does. */
  openTerminal(id: TerminalKey): Promise<Failure | null>;
  /** Where the shell is; null when nobody knows. */
  readTerminal(id: TerminalKey): Promise<TerminalState | null>;
  /** The newest commands, oldest first; with a query those that hold it. */
  readBlocks(id: TerminalKey, query?: string): Promise<readonly Block[] | null>;
  readOutput(id: TerminalKey, blockId: BlockId, offset: number): Promise<Result<OutputPage>>;
  /** All that is kept of an output, with its colors, up to a limit. */
  readWholeOutput(id: TerminalKey, blockId: BlockId): Promise<Result<string>>;
  showTerminal(isShown: boolean): void;
  setShellMode(isOn: boolean): void;
}

/** As the drawer knows it. */
export const TERMINAL_PANEL = 'terminal';
const BLOCK_PAGE = 200;
const OUTPUT_PAGE_BYTES = 512 * 1024;
/** More than this in one card helps nobody; the file on disk has all that was kept. */
const MAX_WHOLE_PAGES = 16;

interface TerminalPorts {
  readonly store: AppStore;
  readonly call: Call;
  setDevice(change: Partial<Device>): void;
  readonly runShell: MessageCommands['runShell'];
}

export function createTerminalCommands({ store, call, setDevice, runShell }: TerminalPorts): TerminalCommands {
  const readOutput = (id: TerminalKey, blockId: BlockId, offset: number) =>
    call('terminalOutput', { id, block_id: blockId, offset, max_bytes: OUTPUT_PAGE_BYTES, colors: 'true' });

  return {
    async listTerminals(id) {
      const listed = await call('listTerminals', { id });
      return listed.ok ? listed.value.terminals : null;
    },
    async addTerminal(id) {
      const added = await call('addTerminal', { id });
      return added.ok ? { ok: true, value: added.value.terminal } : added;
    },
    async removeTerminal(key, endsCommand) {
      const removed = await call('removeTerminal', {
        ...nameOfTerminal(key),
        end_command: endsCommand ? 'true' : 'false',
      });
      return removed.ok ? null : removed.error;
    },
    async runAgain(key, command) {
      if (isSharedTerminal(key)) return runShell(key, command);
      const state = await call('terminalOpen', { id: key });
      if (!state.ok) return state.error;
      if (!state.value.at_prompt) return { code: 'conflict', message: en.terminal.busy };
      const typed = await call('terminalInput', { id: key, data: `${command}\r` });
      return typed.ok ? null : typed.error;
    },
    openTerminal: async (id) => {
      const opened = await call('terminalOpen', { id });
      return opened.ok ? null : opened.error;
    },
    readTerminal: async (id) => {
      const state = await call('terminalState', { id });
      return state.ok ? state.value : null;
    },
    readBlocks: async (id, query = '') => {
      const page = await call('terminalBlocks', { id, limit: BLOCK_PAGE, ...(query !== '' && { q: query }) });
      return page.ok ? page.value.blocks : null;
    },
    readOutput,
    readWholeOutput: async (id, blockId) => {
      let text = '';
      let offset = 0;
      for (let pages = 0; pages < MAX_WHOLE_PAGES; pages++) {
        const page = await readOutput(id, blockId, offset);
        if (!page.ok) return page;
        text += page.value.text;
        if (page.value.next_offset <= offset || page.value.next_offset >= page.value.total_bytes) break;
        offset = page.value.next_offset;
      }
      return { ok: true, value: text };
    },
    showTerminal: (isShown) => setDevice({ drawer: isShown ? TERMINAL_PANEL : null }),
    setShellMode: (isShellMode) => store.setState({ isShellMode }),
  };
}
