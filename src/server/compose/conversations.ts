/** The conversations on disk and in memory, and what an open one works with. */
import { createHash, randomBytes } from 'node:crypto';
import type { ConversationRow } from '../../contract/conversation.ts';
import type { CodexOperations } from '../../core/codex/operations.ts';
import { metaOfThread } from '../../core/conversations/new-meta.ts';
import { capabilitiesOf } from '../../core/events/capabilities.ts';
import { isoTime } from '../../core/text/iso-time.ts';
import type { StorageState } from '../../node/append-log.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import type { Seals } from '../../node/seals.ts';
import type { Approvals } from '../approvals/registry.ts';
import type { CodexControl, CodexReplies } from '../codex/codex-control.ts';
import type { PreferenceStore } from '../config/preferences.ts';
import type { Context } from '../context/context.ts';
import type { ExposurePort } from '../conversations/exposure.ts';
import type { LifecycleBus } from '../conversations/lifecycle-bus.ts';
import type { CheckpointPort, EventPort, ProjectPort } from '../conversations/ports.ts';
import { createRegistry, type PortsOf, type Registry } from '../conversations/registry.ts';
import { type ConversationStore, createConversationStore } from '../conversations/store.ts';
import { createTranscripts, type Transcripts } from '../conversations/transcripts.ts';
import type { Hub } from '../hub/hub.ts';
import type { Running } from '../running/running.ts';
import { killPointOf } from './kill-point.ts';

interface ConversationsOptions {
  readonly home: string;
  readonly seals: Seals;
  readonly exposureOf: ExposurePort;
  readonly preferences: PreferenceStore;
  readonly hub: Hub;
  readonly lifecycle: LifecycleBus;
  readonly link: CodexControl & CodexReplies;
  readonly codex: CodexOperations;
  readonly onStorage: (state: StorageState) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface ConversationStack {
  readonly store: ConversationStore;
  readonly registry: Registry;
  readonly transcripts: Transcripts;
}

export function composeConversations(options: ConversationsOptions): ConversationStack {
  const { hub, link, codex, lifecycle, clock } = options;
  const store = createConversationStore(options);
  const registry = createRegistry({
    store,
    home: options.home,
    log: options.log,
    codex,
    now: clock.now,
    reply: (epoch, id, body) => void link.reply(epoch, id, body),
    onAdded: (row) => showRow(hub, row),
    onOpened: (id) => lifecycle.emit(id, { type: 'opened' }),
    exposureOf: options.exposureOf,
    metaOfThread: (thread) => metaOfThread(thread, options.preferences.current(), isoTime(clock.now())),
  });
  // Whoever follows a conversation, or lists them, learns that it was deleted.
  lifecycle.subscribe((id, event) => {
    if (event.type !== 'deleted') return;
    hub.closeChannel(id);
    hub.broadcast({ type: 'conversation', deleted: id });
  });
  return { store, registry, transcripts: createTranscripts(registry, store) };
}

interface PortsOptions extends Pick<ConversationStack, 'store' | 'registry'> {
  readonly hub: Hub;
  readonly lifecycle: LifecycleBus;
  readonly link: CodexControl & CodexReplies;
  readonly codex: CodexOperations;
  readonly events: EventPort;
  readonly beforeTurn: CheckpointPort;
  readonly approvals: Approvals;
  readonly context: Context;
  readonly project: ProjectPort;
  readonly running: Pick<Running, 'stopTurns'>;
  readonly clock: Clock;
  readonly log: Logger;
}

export function portsOfConversations(options: PortsOptions): PortsOf {
  const { hub, lifecycle, link, codex, events, store, registry, approvals, context, project, running, clock, log } =
    options;
  const { beforeTurn } = options;
  const at = killPointOf(process.env.SIGNALBOX_KILL_AT);
  return (id, hooks) => ({
    clock,
    log,
    store,
    codex,
    context,
    events,
    beforeTurn,
    project,
    capabilities: () => capabilitiesOf(link.status().version),
    newPrefix: () => `dlv_${randomBytes(8).toString('hex')}`,
    at,
    digest: (text) => createHash('sha256').update(text).digest('hex'),
    publish: (event) => hub.publish(id, event),
    ask: (ask) =>
      approvals.open(ask, (status, decision, answers) => {
        const { approval_id: approvalId } = ask.approval;
        void registry.open(id).then((opened) => {
          if (opened.ok)
            opened.value.session.accept({ type: 'approval.answered', approvalId, status, decision, answers });
        });
      }),
    unask: approvals.close,
    reply: (rpcId, body) => void link.reply(codex.epoch(), rpcId, body),
    claim: hooks.claim,
    onRow: (row) => showRow(hub, row),
    onLifecycle: (event) => lifecycle.emit(id, event),
    onInterrupted: (turnIds) => running.stopTurns(id, turnIds),
  });
}

function showRow(hub: Hub, conversation: ConversationRow): void {
  hub.broadcast({ type: 'conversation', conversation });
}
