/** `/mcp`: takes only MCP tokens, and nothing else of the server takes them. The protocol's code and the tools are opened with the first call. */

import type { Failure } from '../../contract/result.ts';
import type { Peer } from '../../core/access/classify-peer.ts';
import { bearerToken } from '../../core/text/bearer.ts';
import type { McpFace } from './mcp-face.ts';
import type { McpTokens, TokenSubject } from './tokens.ts';

export interface McpDoor {
  /** The request has passed the guard of Host and Origin. */
  answer(request: Request, peer: () => Promise<Peer>): Promise<Response | Failure>;
  close(): Promise<void>;
}

const NO_TOKEN: Failure = {
  code: 'unauthorized',
  message: 'send an MCP token as a Bearer token: `signalbox mcp` does, and Codex has its own',
};

interface McpDoorOptions {
  readonly tokens: McpTokens;
  /** The request with its body read, or why the body is not taken: its own parser has no bound on depth. */
  readonly bound: (request: Request) => Promise<Request | Failure>;
  /** Called once. */
  readonly open: () => Promise<McpFace>;
}

export function createMcpDoor(options: McpDoorOptions): McpDoor {
  let loading: Promise<McpFace> | null = null;
  const face = (): Promise<McpFace> => {
    loading ??= options.open();
    return loading;
  };
  return {
    async answer(request, peer) {
      const token = bearerToken(request.headers.get('authorization'));
      const subject = token === null ? null : options.tokens.verify(token);
      if (subject === null) return NO_TOKEN;
      const refused = refuseSubject(subject, await peer());
      if (refused !== null) return refused;
      const bounded = await options.bound(request);
      return 'code' in bounded ? bounded : (await face()).fetch(bounded, subject);
    },
    async close() {
      await (await loading)?.close();
    },
  };
}

/**
 * A command of a conversation may use the tools of that conversation only, and never the token of Codex, whose calls may name any. Nor may
 * a command that nothing connects to a conversation: one that detached itself.
 */
function refuseSubject(subject: TokenSubject, peer: Peer): Failure | null {
  if (peer.kind !== 'agent' || subject.kind === 'agent') return null;
  const isOwn = subject.kind === 'conversation' && subject.conversationId === peer.conversationId;
  return isOwn ? null : NOT_ITS_OWN;
}

const NOT_ITS_OWN: Failure = {
  code: 'forbidden',
  message: 'a command of an agent may use the tools of its own conversation only',
  details: { reason: 'agent' },
};
