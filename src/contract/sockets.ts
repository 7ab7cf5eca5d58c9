/** Every path that is not a row of the REST table, with its one scope: the WebSockets and the HTTP paths that answer something else than JSON. */
import type { Scope } from './access.ts';

interface PathDef {
  /** Every path below it when it ends with `/`. */
  readonly path: string;
  readonly scope: Scope;
  readonly summary: string;
}

export const SOCKETS = {
  events: {
    path: '/ws/appserver',
    scope: 'read',
    summary: 'Live events of conversations. An `rpc` frame needs the scope operate, as POST /api/appserver/rpc does',
  },
  raw: { path: '/ws/appserver?mode=raw', scope: 'owner', summary: 'Lines to and from Codex; debug mode only' },
  board: { path: '/ws', scope: 'read', summary: 'Posts of the board as they are stored' },
  terminal: { path: '/ws/pty/', scope: 'run', summary: 'The shared terminal of a conversation: its bytes, and typing' },
  shells: { path: '/fws/logs', scope: 'run', summary: 'Framework Shells: their list, their logs, and typing' },
} as const satisfies Record<string, PathDef>;

export const OTHER_PATHS = {
  metrics: { path: '/metrics', scope: 'read', summary: 'Prometheus text' },
  /** Its credential is an MCP token, which names a conversation or an agent; the scopes of API tokens do not open it. */
  mcp: { path: '/mcp', scope: 'public', summary: 'Tools for agents; checks MCP tokens itself' },
} as const satisfies Record<string, PathDef>;
