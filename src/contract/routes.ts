/** The whole REST table. The server, the command line, the page and the OpenAPI document all read it. */
import type { z } from 'zod';
import { ACCESS_ROUTES } from './routes-access.ts';
import { BOARD_ROUTES } from './routes-board.ts';
import { CHANGE_ROUTES } from './routes-changes.ts';
import { CONTEXT_ROUTES } from './routes-context.ts';
import { CONVERSATION_ROUTES } from './routes-conversations.ts';
import { EVENT_ROUTES } from './routes-events.ts';
import { FILE_ROUTES } from './routes-files.ts';
import { MCP_ROUTES } from './routes-mcp.ts';
import { MESSAGE_ROUTES } from './routes-messages.ts';
import { PROJECT_ROUTES } from './routes-projects.ts';
import { RUNNING_ROUTES } from './routes-running.ts';
import { SCHEDULE_ROUTES } from './routes-schedules.ts';
import { SEARCH_ROUTES } from './routes-search.ts';
import { SERVER_ROUTES } from './routes-server.ts';
import { SESSION_ROUTES } from './routes-session.ts';
import { SHELL_ROUTES } from './routes-shells.ts';
import { SHIP_ROUTES } from './routes-ship.ts';
import { TERMINAL_ROUTES } from './routes-terminal.ts';
import { TRUST_ROUTES } from './routes-trust.ts';
import { WORKTREE_ROUTES } from './routes-worktrees.ts';

export const ROUTES = {
  ...SERVER_ROUTES,
  ...ACCESS_ROUTES,
  ...SESSION_ROUTES,
  ...CONVERSATION_ROUTES,
  ...MESSAGE_ROUTES,
  ...FILE_ROUTES,
  ...SEARCH_ROUTES,
  ...SHELL_ROUTES,
  ...TERMINAL_ROUTES,
  ...BOARD_ROUTES,
  ...CONTEXT_ROUTES,
  ...MCP_ROUTES,
  ...EVENT_ROUTES,
  ...TRUST_ROUTES,
  ...RUNNING_ROUTES,
  ...PROJECT_ROUTES,
  ...CHANGE_ROUTES,
  ...WORKTREE_ROUTES,
  ...SHIP_ROUTES,
  ...SCHEDULE_ROUTES,
} as const;

export type Routes = typeof ROUTES;
export type RouteId = keyof Routes;

type Parsed<T> = T extends z.ZodType ? z.output<T> : Record<never, never>;
type Given<T> = T extends z.ZodType ? z.input<T> : Record<never, never>;
type Part<R, K extends string> = R extends Record<K, infer T> ? T : undefined;

/** What a handler receives: params, query and body in one object, each already checked. */
export type RouteInput<Id extends RouteId> = Parsed<Part<Routes[Id], 'params'>> &
  Parsed<Part<Routes[Id], 'query'>> &
  Parsed<Part<Routes[Id], 'body'>>;

/** What a caller gives. */
export type RouteCall<Id extends RouteId> = Given<Part<Routes[Id], 'params'>> &
  Given<Part<Routes[Id], 'query'>> &
  Given<Part<Routes[Id], 'body'>>;

export type RouteOutput<Id extends RouteId> = z.output<Routes[Id]['output']>;
