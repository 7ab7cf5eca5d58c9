/** Builds the conversations and everything they need, and ties them to Codex and to the hub. */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ConversationRow } from '../../contract/conversation.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { ok } from '../../contract/result.ts';
import { metaOfThread } from '../../core/conversations/new-meta.ts';
import { isoTime } from '../../core/text/iso-time.ts';
import type { StorageState } from '../../node/append-log.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { type Approvals, createApprovals } from '../approvals/registry.ts';
import type { Board } from '../board/board.ts';
import { type Account, createAccount } from '../codex/account.ts';
import type { CodexBinary } from '../codex/binary.ts';
import type { CodexProcesses } from '../codex/launch.ts';
import { createModels, type Models } from '../codex/models.ts';
import { createOffers } from '../codex/offers.ts';
import { callRpc } from '../codex/rpc.ts';
import { type CodexLink, createCodexLink } from '../codex/supervisor.ts';
import { type LoginWatch, watchLogin } from '../codex/watch-login.ts';
import type { PreferenceStore } from '../config/preferences.ts';
import { type Context, createContext } from '../context/context.ts';
import { createRecordStore } from '../context/record-store.ts';
import { type Actions, createActions } from '../conversations/actions.ts';
import type { ConversationPorts } from '../conversations/conversation.ts';
import type { LifecycleBus } from '../conversations/lifecycle-bus.ts';
import { createRegistry, type Registry, type RegistryHooks } from '../conversations/registry.ts';
import { createSearch, type Search } from '../conversations/search.ts';
import { createConversationStore } from '../conversations/store.ts';
import { createTranscripts } from '../conversations/transcripts.ts';
import { createUsage, type Usage } from '../conversations/usage.ts';
import type { RawTap } from '../debug-ring.ts';
import { createFileIndex, type FileIndex } from '../files/file-index.ts';
import { createHub, type Hub } from '../hub/hub.ts';
import { createTerminals, type SharedTerminals, type TerminalsOptions } from '../terminal/create-terminals.ts';
import { composeBoard, namesOnBoard } from './board.ts';
import type { EventHooks } from './events.ts';
import type { Launcher } from './launch-plan.ts';

export interface Composition {
  readonly link: CodexLink;
  readonly hub: Hub;
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
  storage(): StorageState;
}

export interface CompositionOptions {
  readonly home: string;
  readonly binary: CodexBinary;
  readonly transport: 'unix' | 'stdio';
  readonly processes: CodexProcesses;
  readonly launcher: Launcher;
  readonly preferences: PreferenceStore;
  readonly debug: RawTap;
  readonly terminals: Pick<
    TerminalsOptions,
    'launcher' | 'runDir' | 'shell' | 'outputHeadBytes' | 'outputTailBytes' | 'env'
  >;
  readonly events: EventHooks;
  readonly lifecycle: LifecycleBus;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Looked through for blocks that are recorded already: more than can end between two writes of what is recorded. */
const RECENT_ENTRIES = 1_000;

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

export function compose(options: CompositionOptions): Composition {
  const { clock, log, launcher, lifecycle } = options;
  const isoNow = () => isoTime(clock.now());
  let storage: StorageState = 'ok';

  const store = createConversationStore({
    home: options.home,
    clock,
    log,
    onStorage(next) {
      storage = next;
      announce();
    },
  });

  const link = createCodexLink({
    binary: options.binary,
    transport: options.transport,
    processes: options.processes,
    plan: launcher.plan,
    isDemo: launcher.isDemo,
    clock,
    random: Math.random,
    newEpoch: () => `ep_${hex(8)}`,
    log,
    onSignal(signal) {
      account.accept(signal);
      registry.accept(signal);
    },
    onStatus: () => announce(),
    onReady(isAdopted) {
      models.forget();
      registry
        .onCodexReady(isAdopted)
        .catch((error: unknown) => log.error({ error }, 'conversations were not brought level'));
    },
    onGone: (reason) => registry.onCodexGone(reason),
    onRaw: options.debug.note,
  });

  const announce = () => hub.broadcast({ type: 'server_status', codex: link.status(), storage });

  const approvals = createApprovals({ reply: link.reply });
  const models = createModels(link, clock);
  const account = createAccount({
    link,
    launcher,
    isIdle: () => registry.loaded().every((conversation) => conversation.session.state().turn === null),
    onChange: () => hub.broadcast({ type: 'account' }),
    log,
  });
  const loginWatch = watchLogin(launcher.codexHome, account.noticeLogin);
  const files = createFileIndex({ clock, log });

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

  const showRow = (conversation: ConversationRow) => hub.broadcast({ type: 'conversation', conversation });
  const portsOf = (id: ConversationId, hooks: RegistryHooks): ConversationPorts => ({
    clock,
    log,
    store,
    codex: link,
    context,
    digest: (text) => createHash('sha256').update(text).digest('hex'),
    publish: (event) => hub.publish(id, event),
    ask: (ask) =>
      approvals.open(ask, (status, decision) => {
        const { approval_id: approvalId } = ask.approval;
        void registry.open(id).then((opened) => {
          if (opened.ok) opened.value.session.accept({ type: 'approval.answered', approvalId, status, decision });
        });
      }),
    unask: approvals.close,
    reply: (rpcId, body) => void link.reply(link.dialect().epoch, rpcId, body),
    claim: hooks.claim,
    onRow: showRow,
    onLifecycle: (event) => lifecycle.emit(id, event),
  });

  const registry = createRegistry({
    store,
    log,
    codex: link,
    now: clock.now,
    reply: (epoch, id, body) => void link.reply(epoch, id, body),
    portsOf,
    onAdded: showRow,
    onOpened: (id) => lifecycle.emit(id, { type: 'opened' }),
    metaOfThread: (thread) => metaOfThread(thread, options.preferences.current(), isoNow()),
  });

  const transcripts = createTranscripts(registry, store);
  const hub = createHub({
    clock,
    onError: (error) => log.error({ error }, 'hub'),
    rpc: (caller, frame) =>
      options.events.rpc(caller, frame.method, frame.params ?? {}) ?? callRpc(link, frame.method, frame.params ?? {}),
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

  const actions = createActions({
    registry,
    store,
    log,
    codex: link,
    preferences: options.preferences.current,
    models: async () => {
      const listed = await models.list();
      return listed.ok ? listed.value : [];
    },
    onCommand: context.noteCommand,
    newId: () => `conv_${hex(16)}`,
    now: isoNow,
    release: (id) => terminals.release(id),
    onLifecycle: lifecycle.emit,
  });

  lifecycle.subscribe((id, event) => {
    if (event.type === 'turn_ended') account.settleWhenIdle();
    if (event.type !== 'deleted') return;
    hub.closeChannel(id);
    hub.broadcast({ type: 'conversation', deleted: id });
  });

  const dirOf = (id: ConversationId) => join(options.home, 'conversations', id, 'agent_pty');
  const terminals = createTerminals({
    ...options.terminals,
    home: options.home,
    dirOf,
    async cwdOf(id) {
      const opened = await registry.open(id);
      return opened.ok ? ok(opened.value.meta().cwd) : opened;
    },
    transcript: {
      append: async (id, entry) => void (await (await transcripts.open(id))?.append(entry)),
      recent: async (id) => (await (await transcripts.open(id))?.lastEntries(RECENT_ENTRIES)) ?? [],
    },
    onOutput(id, { block_id, output_bytes }) {
      const after = registry.peek(id)?.session.publishedSeq();
      // Whoever follows a conversation has it loaded.
      if (after === undefined) return;
      hub.publish(id, { type: 'block_output', conversation_id: id, after, block_id, output_bytes });
    },
    clock,
    log,
  });

  const search = createSearch({ metas: registry.metas, borrow: transcripts.borrow, now: clock.monotonicMs });
  const usage = createUsage(transcripts);
  const board = composeBoard({ ...options, registry, transcripts, publish: options.events.tell });

  return {
    link,
    hub,
    registry,
    approvals,
    actions,
    models,
    account,
    loginWatch,
    files,
    search,
    usage,
    board,
    terminals,
    context,
    storage: () => storage,
  };
}
