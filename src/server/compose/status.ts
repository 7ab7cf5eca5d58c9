/** What the server says of itself: to clients, to debug mode, and to whoever collects metrics. */
import type { RouteOutput } from '../../contract/routes.ts';
import type { Clock } from '../../node/clock.ts';
import type { Conversation } from '../conversations/conversation.ts';
import type { Composition } from './compose.ts';

interface StatusOptions {
  readonly stack: Composition;
  readonly version: string;
  readonly home: string;
  readonly codexHome: string;
  /** The path of the Codex that is started. */
  readonly codexCommand: string;
  readonly codexShellId: () => string | null;
  readonly startedAt: number;
  readonly clock: Clock;
}

export interface ServerStatus {
  readonly status: () => RouteOutput<'status'>;
  readonly debugState: () => Record<string, unknown>;
  /** Prometheus text. */
  readonly metrics: () => string;
}

export function composeStatus(options: StatusOptions): ServerStatus {
  const { stack, version, home, codexHome, startedAt, clock } = options;
  const { link, hub, registry, approvals, board } = stack;
  const status = () => ({
    running: link.status().state === 'ready',
    codex: link.status(),
    codex_warnings: stack.codexWarnings(),
    storage: stack.storage(),
    version,
    home,
    codex_home: codexHome,
    cwd: process.cwd(),
    pid: process.pid,
    uptime_ms: clock.now() - startedAt,
    clients: hub.stats().clients,
    conversations_loaded: registry.loaded().length,
    pending_approvals: approvals.pending().length,
    app_server_command: options.codexCommand,
    shell_id: options.codexShellId(),
  });
  return {
    status,
    debugState: () => ({
      ...status(),
      ...hub.stats(),
      board_waiters: board.waiting(),
      memory: process.memoryUsage(),
      conversations: registry.loaded().map(describeLoaded),
    }),
    metrics() {
      const { clients, conversations_loaded, pending_approvals } = status();
      const { rss, heapUsed } = process.memoryUsage();
      return renderMetrics({
        signalbox_clients: clients,
        signalbox_conversations_loaded: conversations_loaded,
        signalbox_pending_approvals: pending_approvals,
        signalbox_frames_sent_total: hub.stats().frames_sent,
        process_resident_memory_bytes: rss,
        nodejs_heap_used_bytes: heapUsed,
      });
    },
  };
}

/** What is in memory of one conversation: ids, counts and states, no words of anybody. */
function describeLoaded(conversation: Conversation): Record<string, unknown> {
  const { session, thread, outbox, reservation } = conversation;
  const { conversation_id, thread_id, revision, queue, queue_paused, archived } = conversation.meta();
  const { turn, activity, open, asks, plan, children } = session.state();
  return {
    conversation_id,
    thread_id,
    is_thread_loaded: thread.isLoaded(),
    applied: thread.applied(),
    revision,
    archived,
    published_seq: session.publishedSeq(),
    storage: session.transcript.log.state(),
    activity: activity.state,
    turn: turn === null ? null : { id: turn.id, nested: turn.nested, started_at_ms: turn.startedAtMs },
    open_items: Object.keys(open).length,
    open_requests: Object.values(asks).map(({ approval }) => ({ id: approval.approval_id, kind: approval.kind })),
    has_plan: plan !== null,
    sub_agents: children.length,
    queue: { length: queue.length, is_paused: queue_paused },
    is_reserved: reservation.isHeld(),
    outbox: outbox.state().thread,
  };
}

/** By the convention of the format, what only grows is called a total. */
function renderMetrics(values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `# TYPE ${name} ${name.endsWith('_total') ? 'counter' : 'gauge'}\n${name} ${value}\n`)
    .join('');
}
