/** Route id → service call, for the shared terminals. No logic. */
import type { ConversationId } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { TERMINAL_ROUTES } from '../../contract/routes-terminal.ts';
import type { HandlersFor, Services } from './services.ts';

export function terminalHandlers({ registry, terminals }: Services): HandlersFor<typeof TERMINAL_ROUTES> {
  const known = async <T>(id: ConversationId, then: () => Promise<Result<T>>): Promise<Result<T>> =>
    registry.isKnown(id) ? then() : fail('unknown_conversation', `there is no conversation ${id}`);
  const done = async (id: ConversationId, then: () => Promise<Result<null>>) => {
    const answer = await known(id, then);
    return answer.ok ? ok({ ok: true as const }) : answer;
  };

  return {
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
