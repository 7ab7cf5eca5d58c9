/** Route id → service call, for the terminals of conversations. No logic. */
import { fail, ok, type Result } from '../../contract/result.ts';
import type { TERMINAL_ROUTES } from '../../contract/routes-terminal.ts';
import type { TerminalKey } from '../../contract/terminal.ts';
import { keyOfTerminal, nameOfTerminal } from '../../core/terminal/terminal-key.ts';
import type { HandlersFor, Services } from './services.ts';

export function terminalHandlers({ registry, terminals }: Services): HandlersFor<typeof TERMINAL_ROUTES> {
  const known = async <T>(key: TerminalKey, then: () => Promise<Result<T>>): Promise<Result<T>> => {
    const { id, number } = nameOfTerminal(key);
    if (!registry.isKnown(id)) return fail('unknown_conversation', `there is no conversation ${id}`);
    return (await terminals.hasTerminal(key)) ? then() : fail('not_found', `${id} has no terminal ${number}`);
  };
  const done = async (id: TerminalKey, then: () => Promise<Result<null>>) => {
    const answer = await known(id, then);
    return answer.ok ? ok({ ok: true as const }) : answer;
  };

  return {
    listTerminals: ({ id }) => known(id, async () => ok({ terminals: [...(await terminals.list(id))] })),
    addTerminal: ({ id }) =>
      known(id, async () => {
        const added = await terminals.add(id);
        return added.ok ? ok({ terminal: added.value }) : added;
      }),
    removeTerminal: ({ id, number, end_command }) => {
      const key = keyOfTerminal({ id, number });
      return done(key, () => terminals.remove(key, end_command));
    },
    terminalState: ({ id }) => known(id, () => terminals.state(id)),
    terminalOpen: ({ id }) => known(id, () => terminals.open(id)),
    terminalBlocks: ({ id, q, ...query }) => known(id, () => terminals.blocks(id, { ...query, query: q })),
    terminalBlock: ({ id, block_id }) => known(id, () => terminals.block(id, block_id)),
    terminalOutput: ({ id, block_id, offset, max_bytes, colors }) =>
      known(id, () => terminals.output(id, block_id, { offset, maxBytes: max_bytes, keepsColors: colors })),
    terminalScreen: ({ id }) => known(id, () => terminals.screen(id)),
    terminalScrollback: ({ id, lines, max_bytes }) =>
      known(id, () => terminals.scrollback(id, { lines, maxBytes: max_bytes })),
    terminalInput: ({ id, data }) => done(id, () => terminals.send(id, { data, actor: 'user' })),
    terminalInterrupt: ({ id }) => done(id, () => terminals.interrupt(id)),
    terminalResize: ({ id, cols, rows }) => done(id, () => terminals.resize(id, { cols, rows })),
    terminalClose: ({ id }) => done(id, () => terminals.close(id)),
  };
}
