/** Route id → service call, for MCP tokens. No logic. */
import { fail, ok } from '../../contract/result.ts';
import type { MCP_ROUTES } from '../../contract/routes-mcp.ts';
import { refuseCall } from '../../core/access/refuse-call.ts';
import type { HandlersFor, Services } from './services.ts';

export function mcpHandlers({ registry, mcp }: Services): HandlersFor<typeof MCP_ROUTES> {
  return {
    async mcpToken({ conversation_id: id, agent }, caller) {
      if ((id === undefined) === (agent === undefined))
        return fail('invalid_request', 'give either conversation_id or agent');
      if (id === undefined) return ok({ url: mcp.url, token: mcp.tokens.mint({ kind: 'agent', name: agent ?? '' }) });
      // Its tools type into the conversation's terminal, so whoever may not run commands must not get one.
      const refusal = refuseCall(caller, 'run');
      if (refusal !== null) return { ok: false, error: refusal };
      if (!registry.isKnown(id)) return fail('unknown_conversation', `there is no conversation ${id}`);
      return ok({ url: mcp.url, token: mcp.tokens.mint({ kind: 'conversation', conversationId: id }) });
    },
  };
}
