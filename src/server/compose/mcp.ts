/** Ties the tools for agents to the terminals, the board and the conversations. Loaded with the first call of one. */
import { fail, ok } from '../../contract/result.ts';
import type { Logger } from '../../node/logger.ts';
import { createBoardPort } from '../mcp/board-port.ts';
import { boardTools } from '../mcp/board-tools.ts';
import { createMcpFace, type McpFace } from '../mcp/mcp-face.ts';
import { terminalTools } from '../mcp/terminal-tools.ts';
import type { Composition } from './compose.ts';

interface McpOptions {
  readonly version: string;
  readonly log: Logger;
}

/** `conv_` and eight digits: what a person can tell apart. */
const SHORT_ID_CHARS = 13;

export function composeMcp({ registry, board, terminals }: Composition, options: McpOptions): McpFace {
  const labelOf = (id: string) => registry.metaOf(id)?.label ?? id.slice(0, SHORT_ID_CHARS);
  return createMcpFace({
    version: options.version,
    tools: { ...terminalTools(terminals), ...boardTools(createBoardPort(board, labelOf)) },
    callerOf(subject, threadId) {
      if (subject.kind === 'agent') return ok(subject);
      const id = subject.kind === 'conversation' ? subject.conversationId : threadId && registry.ownerOf(threadId);
      return id && registry.isKnown(id)
        ? ok({ kind: 'conversation', conversationId: id })
        : fail('unknown_conversation', 'this call belongs to no conversation of this server');
    },
    onError: (error) => options.log.warn({ error }, 'mcp'),
  });
}
