/** Route id → service call, for what went along with messages. No logic. */
import { fail, ok } from '../../contract/result.ts';
import type { CONTEXT_ROUTES } from '../../contract/routes-context.ts';
import { nameOfTerminal } from '../../core/terminal/terminal-key.ts';
import type { HandlersFor, Services } from './services.ts';

export function contextHandlers({ context }: Services): HandlersFor<typeof CONTEXT_ROUTES> {
  return {
    async messageContext({ id, client_message_id }) {
      const record = await context.recordOf(id, client_message_id);
      return record === null ? fail('not_found', 'nothing went along with this message') : ok({ context: record });
    },
    async askAboutBlock({ id, block_id, asked, terminal = id }) {
      if (nameOfTerminal(terminal).id !== id)
        return fail('not_found', `${terminal} is no terminal of ${id}`, { field: 'terminal' });
      const done = await context.setAsked({ id, terminal, blockId: block_id }, asked);
      return done.ok ? ok({ ok: true }) : done;
    },
  };
}
