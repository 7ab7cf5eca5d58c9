/** `/mcp`: takes only MCP tokens, and nothing else of the server takes them. The protocol's code and the tools are opened with the first call. */

import type { Failure } from '../../contract/result.ts';
import { bearerToken } from '../../core/text/bearer.ts';
import type { McpFace } from './mcp-face.ts';
import type { McpTokens } from './tokens.ts';

export interface McpDoor {
  /** The request has passed the guard of Host and Origin. */
  answer(request: Request): Promise<Response | Failure>;
  close(): Promise<void>;
}

const NO_TOKEN: Failure = {
  code: 'unauthorized',
  message: 'send an MCP token as a Bearer token: `signalbox mcp` does, and Codex has its own',
};

interface McpDoorOptions {
  readonly tokens: McpTokens;
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
    async answer(request) {
      const token = bearerToken(request.headers.get('authorization'));
      const subject = token === null ? null : options.tokens.verify(token);
      return subject === null ? NO_TOKEN : (await face()).fetch(request, subject);
    },
    async close() {
      await (await loading)?.close();
    },
  };
}
