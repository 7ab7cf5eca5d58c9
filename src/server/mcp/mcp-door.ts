/** `/mcp`: takes only MCP tokens, and nothing else of the server takes them. The protocol's code is loaded with the first call. */
import type { Failure } from '../../contract/result.ts';
import type { FaceOptions, McpFace } from './mcp-face.ts';
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

export function createMcpDoor(options: FaceOptions & { readonly tokens: McpTokens }): McpDoor {
  let loading: Promise<McpFace> | null = null;
  const face = (): Promise<McpFace> => {
    loading ??= import('./mcp-face.ts').then(({ createMcpFace }) => createMcpFace(options));
    return loading;
  };
  return {
    async answer(request) {
      const token = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
      const subject = token === undefined ? null : options.tokens.verify(token);
      return subject === null ? NO_TOKEN : (await face()).fetch(request, subject);
    },
    async close() {
      await (await loading)?.close();
    },
  };
}
