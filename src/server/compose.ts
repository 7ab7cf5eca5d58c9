/** Builds the conversations and everything they need, and ties them to Codex and to the hub. */
import { createHash, randomBytes } from 'node:crypto';
import type { ConversationMeta } from '../contract/conversation.ts';
import type { ConversationId } from '../contract/ids.ts';
import { ok } from '../contract/result.ts';
import type { StorageState } from '../node/append-log.ts';
import type { Clock } from '../node/clock.ts';
import type { Logger } from '../node/logger.ts';
import { type Approvals, createApprovals } from './approvals/registry.ts';
import type { CodexBinary } from './codex/binary.ts';
import { createModels, type Models } from './codex/models.ts';
import { callRpc } from './codex/rpc.ts';
import { type CodexLink, createCodexLink } from './codex/supervisor.ts';
import { type Actions, createActions } from './conversations/actions.ts';
import type { ConversationPorts } from './conversations/conversation.ts';
import { createRegistry, type Registry, type RegistryHooks } from './conversations/registry.ts';
import { type ConversationStore, createConversationStore } from './conversations/store.ts';
import type { RawTap } from './debug-ring.ts';
import { createHub, type Hub } from './hub.ts';
import type { Launch } from './launch-plan.ts';
import type { PreferenceStore } from './preferences.ts';

export interface Composition {
  readonly link: CodexLink;
  readonly hub: Hub;
  readonly registry: Registry;
  readonly approvals: Approvals;
  readonly actions: Actions;
  readonly models: Models;
  readonly store: ConversationStore;
  storage(): StorageState;
}

export interface CompositionOptions {
  readonly home: string;
  readonly binary: CodexBinary;
  readonly transport: 'unix' | 'stdio';
  readonly launch: Launch;
  readonly preferences: PreferenceStore;
  readonly debug: RawTap;
  readonly clock: Clock;
  readonly log: Logger;
}

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

export function compose(options: CompositionOptions): Composition {
  const { clock, log } = options;
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
    plan: options.launch.plan,
    isDemo: options.launch.demo !== null,
    clock,
    random: Math.random,
    newEpoch: () => `ep_${hex(8)}`,
    log,
    onSignal: (signal) => registry.accept(signal),
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

  const hub = createHub({
    clock,
    onError: (error) => log.error({ error }, 'hub'),
    rpc: (_caller, frame) => callRpc(link, frame.method, frame.params ?? {}),
    source: {
      async open(id) {
        const opened = await registry.open(id);
        if (!opened.ok) return opened;
        const { session, row } = opened.value;
        return ok({ lastSeq: session.publishedSeq, row });
      },
      async entriesAfter(id, after, upTo) {
        const opened = await registry.open(id);
        if (!opened.ok) return [];
        const page = await opened.value.session.transcript.reader.read({
          after,
          before: upTo + 1,
          limit: upTo - after,
        });
        return page.lines;
      },
      async lastEntries(id, upTo, limit) {
        const opened = await registry.open(id);
        return opened.ok ? (await opened.value.history.page({ before: upTo + 1, limit })).lines : [];
      },
    },
  });

  const approvals = createApprovals({ reply: link.reply });
  const models = createModels(link, clock);

  const portsOf = (id: ConversationId, hooks: RegistryHooks): ConversationPorts => ({
    clock,
    log,
    store,
    codex: link,
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
    adopt: hooks.claim,
    claim: hooks.claim,
    onRow: (conversation) => hub.broadcast({ type: 'conversation', conversation }),
  });

  const registry = createRegistry({
    store,
    log,
    codex: link,
    now: clock.now,
    reply: (epoch, id, body) => void link.reply(epoch, id, body),
    portsOf,
    metaOfThread: (thread): ConversationMeta => actions.metaOfThread(thread),
  });

  const actions = createActions({
    registry: () => registry,
    store,
    codex: link,
    preferences: options.preferences.current,
    models: async () => {
      const listed = await models.list();
      return listed.ok ? listed.value : [];
    },
    newId: () => `conv_${hex(16)}`,
    now: () => new Date(clock.now()).toISOString(),
    onDeleted(id) {
      hub.closeChannel(id);
      hub.broadcast({ type: 'conversation', deleted: id });
    },
  });

  return { link, hub, registry, approvals, actions, models, store, storage: () => storage };
}
