/**
 * Builds everything that works on conversations, each part after those it uses: the hub and the lifecycle bus, the link to Codex, the
 * conversations, the terminals, the peers, External Events, the board, the context. No conversation is loaded before `boot`.
 */
import { randomBytes } from 'node:crypto';
import type { Config } from '../../contract/config.ts';
import { addWarning } from '../../core/codex/codex-warnings.ts';
import { describeExposure } from '../../core/conversations/describe-exposure.ts';
import { isoTime } from '../../core/text/iso-time.ts';
import type { StorageState } from '../../node/append-log.ts';
import { type Bus, createBus } from '../../node/bus.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { realPathOf } from '../../node/path-kind.ts';
import { createRunAsPerson } from '../../node/person-program.ts';
import type { Seals } from '../../node/seals.ts';
import type { Origin } from '../access/first-start.ts';
import { type Approvals, createApprovals } from '../approvals/registry.ts';
import type { Board } from '../board/board.ts';
import type { Changes } from '../changes/changes.ts';
import type { FollowRequests } from '../changes/follow-requests.ts';
import type { Ship } from '../changes/ship.ts';
import type { Worktrees } from '../changes/worktrees.ts';
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
import { type FollowElsewhere, followElsewhere } from '../conversations/follow-elsewhere.ts';
import { createLifecycleBus, type LifecycleBus } from '../conversations/lifecycle-bus.ts';
import type { Registry } from '../conversations/registry.ts';
import { createSearch, type Search } from '../conversations/search.ts';
import type { Transcripts } from '../conversations/transcripts.ts';
import { createUsage, type Usage } from '../conversations/usage.ts';
import { createFileIndex, type FileIndex } from '../files/file-index.ts';
import { createHub, type Hub, type HubGateway, type HubPorts } from '../hub/hub.ts';
import type { Running } from '../running/running.ts';
import type { LazySchedules } from '../schedules/lazy-schedules.ts';
import type { LazyShells } from '../shells/lazy-shells.ts';
import type { SharedTerminals } from '../terminal/create-terminals.ts';
import type { WorkspaceTrust } from '../trust/trust.ts';
import { type Attempts, createAttempts } from './attempts.ts';
import { type BeginInWorktree, createBeginInWorktree } from './begin-in-worktree.ts';
import { composeBoard, namesOnBoard } from './board.ts';
import { composeChanges } from './changes.ts';
import { type CodexEvent, type CodexOptions, composeCodex, ownFolders } from './codex.ts';
import { composeConversations, portsOfConversations } from './conversations.ts';
import { composeEvents, type EventStack, eventPort } from './events.ts';
import { createForkInWorktree, type ForkInWorktree } from './fork-in-worktree.ts';
import { composePeers, type PeerStack } from './peers.ts';
import { composeRequests, type RequestOfConversation } from './requests.ts';
import { composeRunning } from './running.ts';
import { composeSchedules } from './schedules.ts';
import { composeTerminals, type TerminalSettings } from './terminals.ts';
import { composeTrust } from './trust.ts';
import { createRunSetup } from './worktree-setup.ts';

export interface Composition {
  readonly hub: Hub;
  /** `rpc`: answers calls on the socket; loaded with what answers requests. */
  connectClients(rpc: HubPorts['rpc']): HubGateway;
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
  readonly ownFolders: readonly string[];
  readonly search: Search;
  readonly usage: Usage;
  readonly board: Board;
  readonly terminals: SharedTerminals;
  readonly running: Running;
  readonly elsewhere: FollowElsewhere;
  readonly context: Context;
  readonly eventStack: EventStack;
  readonly peerStack: PeerStack;
  readonly trust: WorkspaceTrust;
  readonly changes: Changes;
  readonly worktrees: Worktrees;
  readonly beginInWorktree: BeginInWorktree;
  readonly forkInWorktree: ForkInWorktree;
  readonly attempts: Attempts;
  readonly ship: Ship;
  readonly schedules: LazySchedules;
  readonly requests: FollowRequests;
  storage(): StorageState;
  codexWarnings(): readonly string[];
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
  readonly shells: Pick<LazyShells, 'peek' | 'open'>;
  readonly origin: Origin;
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
  const { storage, codexWarnings, noteStorage } = announceStatus(hub, link, codexEvents);
  const folders = ownFolders(options);
  const exposureOf = async (cwd: string) => describeExposure(await realPathOf(cwd), folders);
  const base = { ...options, exposureOf, hub, lifecycle, link, codex };
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

  const { trust, project, programs } = await composeTrust(base);
  const runAsPerson = createRunAsPerson(process.env);
  const opened = createBus<RequestOfConversation>((error) => log.error({ error }, 'a pull request is not followed'));
  const { changes, worktrees, ship } = await composeChanges({
    ...base,
    runAsPerson,
    onRequest: (id, request) => opened.emit({ id, request }),
    ownFolders: Object.values(folders),
    registry,
    transcripts,
    programs,
  });
  const terminals = composeTerminals({ ...base, ...options.terminals, registry, transcripts });
  const { runDir } = options.terminals;
  const peerStack = composePeers({ ...options, link, terminals, registry, runDir });
  const eventStack = await composeEvents({ ...base, registry, findSender: peerStack.peers.senderOf });
  const requests = await composeRequests({ ...base, registry, runAsPerson, opened, publish: eventStack.publishChecks });
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
  const running = composeRunning({ ...base, registry, transcripts, terminals, runDir });
  const actions = createActions({
    registry,
    store,
    log,
    codex,
    project,
    exposureOf,
    preferences: options.preferences.current,
    inProject: options.preferences.inProject,
    models: async () => {
      const listed = await models.list();
      return listed.ok ? listed.value : [];
    },
    onCommand: context.noteCommand,
    newId: () => `conv_${hex(16)}`,
    now: () => isoTime(clock.now()),
    endCommands: async (id) => (await running.end(id, null)).ended,
    release: terminals.release,
    onLifecycle: lifecycle.emit,
  });
  const schedules = composeSchedules({ ...base, registry, transcripts, actions });
  const elsewhere = followElsewhere({
    clock,
    log,
    followed: hub.followed,
    peek: registry.peek,
    publish(id, holder) {
      const after = registry.peek(id)?.session.publishedSeq();
      if (after !== undefined) hub.publish(id, { type: 'holder', conversation_id: id, after, holder });
    },
  });
  const files = createFileIndex({ clock, log });
  const beginInWorktree = createBeginInWorktree({
    worktrees,
    registry,
    setups: options.preferences.setups,
    runSetup: createRunSetup(options.shells),
  });

  return {
    hub,
    elsewhere,
    connectClients: (rpc) => serveClients({ hub, transcripts, files, registry, elsewhere }, rpc),
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
    ownFolders: Object.values(folders),
    search: createSearch({ metas: registry.metas, borrow: transcripts.borrow, now: clock.monotonicMs }),
    usage: createUsage(transcripts),
    board,
    terminals,
    running,
    context,
    eventStack,
    peerStack,
    trust,
    changes,
    worktrees,
    beginInWorktree,
    forkInWorktree: createForkInWorktree({ begin: beginInWorktree, registry, actions, changes }),
    attempts: createAttempts({ registry, transcripts, changes }),
    ship,
    schedules,
    requests,
    storage,
    codexWarnings,
    async boot() {
      const { beforeTurn } = changes;
      await registry.boot(
        portsOfConversations({ ...base, store, registry, approvals, context, project, events, running, beforeTurn }),
      );
      await changes.boot();
      requests.start();
      await schedules.start();
      await terminals.adopt();
    },
  };
}

/** Clients hear of every change of Codex's state and of the disk's. */
function announceStatus(hub: Hub, link: CodexControl, codexEvents: Bus<CodexEvent>) {
  let storage: StorageState = 'ok';
  let warnings: readonly string[] = [];
  const announce = () =>
    hub.broadcast({ type: 'server_status', codex: link.status(), codex_warnings: warnings, storage });
  codexEvents.subscribe((event) => {
    if (event.type === 'signal') {
      const next = addWarning(warnings, event.signal);
      if (next === warnings) return;
      warnings = next;
      announce();
    } else if (event.type === 'gone') warnings = [];
    else if (event.type === 'status') announce();
  });
  return {
    storage: () => storage,
    codexWarnings: () => warnings,
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

interface ClientPorts extends Pick<Composition, 'hub' | 'files' | 'registry' | 'elsewhere'> {
  readonly transcripts: Transcripts;
}

function serveClients({ hub, transcripts, files, registry, elsewhere }: ClientPorts, rpc: HubPorts['rpc']): HubGateway {
  return hub.serve({
    rpc,
    source: {
      ...transcripts.source,
      async open(id) {
        const known = await registry.open(id);
        // Before the first frame, so that turns made elsewhere are in it.
        if (known.ok) await elsewhere.look(known.value);
        const opened = await transcripts.source.open(id);
        // Somebody looks at it: the next thing may be an @.
        if (opened.ok) files.warm();
        return opened;
      },
    },
  });
}
