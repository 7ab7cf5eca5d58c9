/** What the handlers are given, and what a handler is. */
import type { ConversationId } from '../../contract/ids.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { RouteId, RouteInput, RouteOutput, Routes } from '../../contract/routes.ts';
import type { ServerEvent } from '../../contract/ui-event.ts';
import type { Confirmations } from '../access/confirmations.ts';
import type { Password } from '../access/password.ts';
import type { AccessTokens } from '../access/tokens.ts';
import type { Approvals } from '../approvals/registry.ts';
import type { Board } from '../board/board.ts';
import type { Caller } from '../caller.ts';
import type { Changes } from '../changes/changes.ts';
import type { Ship } from '../changes/ship.ts';
import type { Worktrees } from '../changes/worktrees.ts';
import type { Account } from '../codex/account.ts';
import type { CodexControl } from '../codex/codex-control.ts';
import type { Models } from '../codex/models.ts';
import type { CallCodex } from '../codex/rpc.ts';
import type { Attempts } from '../compose/attempts.ts';
import type { BeginInWorktree } from '../compose/begin-in-worktree.ts';
import type { ForkInWorktree } from '../compose/fork-in-worktree.ts';
import type { PageSettingsStore } from '../config/page-settings.ts';
import type { PreferenceStore } from '../config/preferences.ts';
import type { Context } from '../context/context.ts';
import type { Actions } from '../conversations/actions.ts';
import type { Registry } from '../conversations/registry.ts';
import type { Search } from '../conversations/search.ts';
import type { Usage } from '../conversations/usage.ts';
import type { DebugRing } from '../debug-ring.ts';
import type { Door, DoorAnswer, DoorRequest } from '../events/door.ts';
import type { Events } from '../events/events.ts';
import type { FileIndex } from '../files/file-index.ts';
import type { McpTokens } from '../mcp/tokens.ts';
import type { Running } from '../running/running.ts';
import type { LazySchedules } from '../schedules/lazy-schedules.ts';
import type { LazyShells } from '../shells/lazy-shells.ts';
import type { Terminals } from '../terminal/terminals.ts';
import type { WorkspaceTrust } from '../trust/trust.ts';
import type { Logins } from './logins.ts';
import type { Sessions } from './sessions.ts';

/** Of a route whose intake is raw. */
type RawHandler = (request: DoorRequest, caller: Caller) => Promise<Result<DoorAnswer>>;

export type HandlersFor<Table> = {
  readonly [Id in keyof Table & RouteId]: Routes[Id] extends { readonly intake: 'raw' }
    ? RawHandler
    : (
        input: RouteInput<Id>,
        caller: Caller,
        /** Aborted when the caller hangs up; for what waits. */
        signal: AbortSignal,
      ) => Promise<Result<RouteOutput<Id>>>;
};

export type Handlers = HandlersFor<Routes>;

/** A conversation each caller has chosen for itself; never shared. */
interface Selection {
  of(caller: Caller): ConversationId | undefined;
  set(caller: Caller, id: ConversationId): void;
}

export interface Services {
  readonly link: CodexControl;
  /** Codex's own methods on `/rpc`. */
  readonly callCodex: CallCodex;
  readonly registry: Registry;
  readonly actions: Actions;
  readonly approvals: Approvals;
  readonly models: Models;
  readonly account: Account;
  readonly files: FileIndex;
  /** Real paths of the folders that Signalbox and Codex keep their own files in: no route reads files there. */
  readonly ownFolders: readonly string[];
  readonly search: Search;
  readonly usage: Usage;
  readonly terminals: Terminals;
  readonly board: Board;
  readonly context: Context;
  readonly mcp: { readonly tokens: McpTokens; readonly url: string };
  readonly shells: LazyShells;
  readonly running: Running;
  readonly events: Events;
  readonly eventDoor: Door;
  /** Methods of our own on `/rpc`; null for one that is not. */
  rpc(caller: Caller, method: string, params: Record<string, unknown>): Promise<Result<unknown>> | null;
  /** To the event streams of one caller. */
  tell(caller: Caller, event: ServerEvent): void;
  readonly preferences: PreferenceStore;
  readonly page: PageSettingsStore;
  readonly trust: WorkspaceTrust;
  readonly changes: Changes;
  readonly worktrees: Worktrees;
  readonly beginInWorktree: BeginInWorktree;
  readonly forkInWorktree: ForkInWorktree;
  readonly attempts: Attempts;
  readonly ship: Ship;
  readonly schedules: LazySchedules;
  readonly selection: Selection;
  readonly debug: DebugRing;
  readonly facts: { readonly version: string };
  readonly status: () => RouteOutput<'status'>;
  readonly debugState: () => Record<string, unknown>;
  readonly sessions: Pick<Sessions, 'challenge' | 'prove' | 'endSession'> &
    Pick<Logins, 'logIn' | 'awaitLogin' | 'waiting'>;
  readonly access: {
    readonly tokens: AccessTokens;
    readonly password: Password;
    readonly confirmations: Confirmations;
  };
}

/** A person's change that makes an agent freer waits for a second confirmation. A token's is refused elsewhere, whatever it shows. */
export function confirmChange(
  { access }: Pick<Services, 'access'>,
  step: Parameters<Confirmations['require']>[0],
): Promise<Result<null>> {
  return step.caller.kind === 'session' ? access.confirmations.require(step) : Promise.resolve(ok(null));
}

/** Only a person at the page may make the agent freer. */
export const mayLoosen = (caller: Caller): boolean => caller.kind === 'session';
