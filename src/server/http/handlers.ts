/** Every route's handler, from the groups of the contract. */

import { accessHandlers } from './handlers-access.ts';
import { boardHandlers } from './handlers-board.ts';
import { changeHandlers } from './handlers-changes.ts';
import { contextHandlers } from './handlers-context.ts';
import { conversationHandlers } from './handlers-conversations.ts';
import { eventHandlers } from './handlers-events.ts';
import { fileHandlers } from './handlers-files.ts';
import { mcpHandlers } from './handlers-mcp.ts';
import { messageHandlers } from './handlers-messages.ts';
import { projectHandlers } from './handlers-projects.ts';
import { createRpc, type Rpc } from './handlers-rpc.ts';
import { runningHandlers } from './handlers-running.ts';
import { scheduleHandlers } from './handlers-schedules.ts';
import { searchHandlers } from './handlers-search.ts';
import { serverHandlers } from './handlers-server.ts';
import { sessionHandlers } from './handlers-session.ts';
import { shellHandlers } from './handlers-shells.ts';
import { shipHandlers } from './handlers-ship.ts';
import { terminalHandlers } from './handlers-terminal.ts';
import { trustHandlers } from './handlers-trust.ts';
import { worktreeHandlers } from './handlers-worktrees.ts';
import type { Handlers, Services } from './services.ts';

export function createHandlers(services: Omit<Services, 'selection'>): {
  readonly handlers: Handlers;
  readonly rpc: Rpc;
} {
  const chosen = new Map<string, string>();
  const all: Services = {
    ...services,
    selection: {
      of: (caller) => chosen.get(keyOf(caller)),
      set: (caller, id) => void chosen.set(keyOf(caller), id),
    },
  };
  const acts = { ...conversationHandlers(all), ...messageHandlers(all) };
  const rpc = createRpc(all, acts);
  const handlers: Handlers = {
    ...serverHandlers(all, rpc),
    ...accessHandlers(all),
    ...sessionHandlers(all),
    ...acts,
    ...fileHandlers(all),
    ...searchHandlers(all),
    ...shellHandlers(all),
    ...terminalHandlers(all),
    ...boardHandlers(all),
    ...contextHandlers(all),
    ...mcpHandlers(all),
    ...eventHandlers(all),
    ...trustHandlers(all),
    ...runningHandlers(all),
    ...projectHandlers(all),
    ...changeHandlers(all),
    ...worktreeHandlers(all),
    ...shipHandlers(all),
    ...scheduleHandlers(all),
  };
  return { handlers, rpc };
}

const keyOf = (caller: { readonly kind: string; readonly id?: string }): string => `${caller.kind}:${caller.id ?? ''}`;
