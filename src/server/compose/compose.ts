/**
 * Builds everything that works on conversations, each part after those it uses: the hub and the lifecycle bus, the link to Codex, the
 * conversations, External Events, the board, the context, the terminals. No conversation is loaded before `boot`.
 */
import { randomBytes } from 'node:crypto';
import type { Config } from '../../contract/config.ts';
import { fail } from '../../contract/result.ts';
import { ROUTES } from '../../contract/routes.ts';
import { confinedTo } from '../../core/access/confined.ts';
import { refuseCall } from '../../core/access/refuse-call.ts';
import { isoTime } from '../../core/text/iso-time.ts';
import type { StorageState } from '../../node/append-log.ts';
import type { Bus } from '../../node/bus.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import type { Seals } from '../../node/seals.ts';
import { type Approvals, createApprovals } from '../approvals/registry.ts';
import type { Board } from '../board/board.ts';
import { type Account, createAccount } from '../codex/account.ts';
import type { CodexControl } from '../codex/codex-control.ts';
import { createModels, type Models } from '../codex/models.ts';
import { createOffers } from '../codex/offers.ts';
import { type CallCodex, createCallCodex } from '../codex/rpc.ts';
import { type LoginWatch, watchLogin } from '../codex/watch-login.ts';
import type { PreferenceStore } from '../config/preferences.ts';
import { type Context, createContext } from '../context/context.ts';
import { createRecordStore } from '../context/record-store.ts';
import { type Actions, createActions } from '../conversations/actions.ts';
import { createLifecycleBus, type LifecycleBus } from '../conversations/lifecycle-bus.ts';
import type { Registry } from '../conversations/registry.ts';
import { createSearch, type Search } from '../conversations/search.ts';
import type { Transcripts } from '../conversations/transcripts.ts';
import { createUsage, type Usage } from '../conversations/usage.ts';
import { createFileIndex, type FileIndex } from '../files/file-index.ts';
import { createHub, type Hub, type HubGateway } from '../hub/hub.ts';
import type { SharedTerminals } from '../terminal/create-terminals.ts';
import type { WorkspaceTrust } from '../trust/trust.ts';
import { composeBoard, namesOnBoard } from './board.ts';
import { type CodexEvent, type CodexOptions, composeCodex } from './codex.ts';
import { composeConversations, portsOfConversations } from './conversations.ts';
import { composeEvents, type EventStack, eventPort } from './events.ts';
import { composeTerminals, type TerminalSettings } from './terminals.ts';
import { composeTrust } from './trust.ts';

export interface Composition {
  readonly hub: Hub;
  readonly gateway: HubGateway;
  readonly lifecycle: LifecycleBus;
  readonly link: CodexControl;
  readonly callCodex: CallCodex;
  readonly registry: Registry;
  readonly approvals: Approvals;
  readonly actions: Actions;
  readonly models: Models;
  readonly account: Account;
  readonly loginWatch: LoginWatch;
  readonly files: FileIndex;
  readonly search: Search;
  readonly usage: Usage;
  readonly board: Board;
  readonly terminals: SharedTerminals;
  readonly context: Context;
  readonly eventStack: EventStack;
  readonly trust: WorkspaceTrust;
  storage(): StorageState;
  /** Finds what is on disk and what still runs. */
  boot(): Promise<void>;
}

export interface CompositionOptions extends CodexOptions {
  readonly config: Config;
  readonly home: string;
  readonly codexHome: string;
  /** Where the server answers. */
  readonly httpUrl: string;
  readonly preferences: PreferenceStore;
  readonly seals: Seals;
  readonly terminals: TerminalSettings;
  readonly clock: Clock;
  readonly log: Logger;
}

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

export async function compose(options: CompositionOptions): Promise<Composition> {
  const { clock, log, launcher } = options;
  const hub = createHub({ clock, onError: (error) => log.error({ error }, 'hub') });
  const lifecycle = createLifecycleBus(log);
  const { link, codex, codexEvents } = composeCodex(options);
  const callCodex = createCallCodex(link);
  const { storage, noteStorage } = announceStatus(hub, link, codexEvents);
  const base = { ...options, hub, lifecycle, link, codex };
  const conversations = composeConversations({ ...base, onStorage: noteStorage });
  const { store, registry, transcripts } = conversations;
  const approvals = createApprovals({ reply: link.reply });
  const models = createModels(link, clock);
  const account = createAccount({
    link,
    launcher,
    isIdle: () => registry.loaded().every((conversation) => conversation.session.state().turn === null),
    onChange: () => hub.broadcast({ type: 'account' }),
    log,
  });
  lifecycle.subscribe((_id, event) => {
    if (event.type === 'turn_ended') account.settleWhenIdle();
  });
  followCodex(codexEvents, { account, models, registry, log });

  const { trust, project } = await composeTrust(base);
  const eventStack = await composeEvents({ ...base, registry });
  const board = composeBoard({ ...base, registry, transcripts, publish: eventStack.tell });
  const context = createContext({
    async open(id) {
      const opened = await registry.open(id);
      return opened.ok ? opened.value : null;
    },
    records: createRecordStore(options.home, log),
    peers: (id) => namesOnBoard(board, id),
    hasAdditionalContext: createOffers(link).additionalContext,
    newDeliveryId: () => hex(8),
    now: clock.now,
    log,
  });
  const events = eventPort(eventStack.events, registry, board);
  context.readEventsWith(events.fragments);
  const terminals = composeTerminals({ ...base, ...options.terminals, registry, transcripts });
  const actions = createActions({
    registry,
    store,
    log,
    codex,
    project,
    preferences: options.preferences.current,
    models: async () => {
      const listed = await models.list();
      return listed.ok ? listed.value : [];
    },
    onCommand: context.noteCommand,
    newId: () => `conv_${hex(16)}`,
    now: () => isoTime(clock.now()),
    release: terminals.release,
    onLifecycle: lifecycle.emit,
  });
  const files = createFileIndex({ clock, log });

  return {
    hub,
    gateway: serveClients({ hub, callCodex, transcripts, files, eventStack }),
    lifecycle,
    link,
    callCodex,
    registry,
    approvals,
    actions,
    models,
    account,
    loginWatch: watchLogin(launcher.codexHome, account.noticeLogin),
    files,
    search: createSearch({ metas: registry.metas, borrow: transcripts.borrow, now: clock.monotonicMs }),
    usage: createUsage(transcripts),
    board,
    terminals,
    context,
    eventStack,
    trust,
    storage,
    async boot() {
      await registry.boot(portsOfConversations({ ...base, store, registry, approvals, context, project, events }));
      await terminals.adopt();
    },
  };
}

/** Clients hear of every change of Codex's state and of the disk's. */
function announceStatus(hub: Hub, link: CodexControl, codexEvents: Bus<CodexEvent>) {
  let storage: StorageState = 'ok';
  const announce = () => hub.broadcast({ type: 'server_status', codex: link.status(), storage });
  codexEvents.subscribe((event) => {
    if (event.type === 'status') announce();
  });
  return {
    storage: () => storage,
    noteStorage(next: StorageState) {
      storage = next;
      announce();
    },
  };
}

interface CodexFollowers {
  readonly account: Account;
  readonly models: Models;
  readonly registry: Registry;
  readonly log: Logger;
}

function followCodex(codexEvents: Bus<CodexEvent>, { account, models, registry, log }: CodexFollowers): void {
  codexEvents.subscribe((event) => {
    switch (event.type) {
      case 'signal':
        account.accept(event.signal);
        registry.accept(event.signal);
        break;
      case 'ready':
        models.forget();
        registry
          .onCodexReady(event.isAdopted)
          .catch((error: unknown) => log.error({ error }, 'conversations were not reconciled with Codex'));
        break;
      case 'gone':
        registry.onCodexGone(event.reason);
        break;
      case 'status':
        break;
      default:
        event satisfies never;
    }
  });
}

interface ClientPorts extends Pick<Composition, 'hub' | 'callCodex' | 'files' | 'eventStack'> {
  readonly transcripts: Transcripts;
}

function serveClients({ hub, callCodex, transcripts, files, eventStack }: ClientPorts): HubGateway {
  return hub.serve({
    async rpc(caller, { method, params = {} }) {
      const refusal = refuseCall(caller, ROUTES.rpc.scope);
      if (refusal !== null) return { ok: false, error: refusal };
      // Its methods name threads in many ways; a token for one conversation has the routes.
      if (confinedTo(caller) !== null) return fail('forbidden', 'a token for one conversation may not use rpc');
      return eventStack.rpc(caller, method, params) ?? callCodex(method, params);
    },
    source: {
      ...transcripts.source,
      async open(id) {
        const opened = await transcripts.source.open(id);
        // Somebody looks at it: the next thing may be an @.
        if (opened.ok) files.warm();
        return opened;
      },
    },
  });
}
