/** What the server says of itself: to clients, to debug mode, and to whoever collects metrics. */
import type { RouteOutput } from '../../contract/routes.ts';
import type { Clock } from '../../node/clock.ts';
import type { Composition } from './compose.ts';

interface StatusOptions {
  readonly stack: Composition;
  readonly version: string;
  readonly home: string;
  readonly codexHome: string;
  readonly startedAt: number;
  readonly clock: Clock;
}

export interface ServerStatus {
  readonly status: () => RouteOutput<'status'>;
  readonly debugState: () => Record<string, unknown>;
  /** Prometheus text. */
  readonly metrics: () => string;
}

export function composeStatus({ stack, version, home, codexHome, startedAt, clock }: StatusOptions): ServerStatus {
  const { link, hub, registry, approvals, board } = stack;
  const status = () => ({
    running: link.status().state === 'ready',
    codex: link.status(),
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
  });
  return {
    status,
    debugState: () => ({
      ...status(),
      ...hub.stats(),
      board_waiters: board.waiting(),
      memory: process.memoryUsage(),
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

/** By the convention of the format, what only grows is called a total. */
function renderMetrics(values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `# TYPE ${name} ${name.endsWith('_total') ? 'counter' : 'gauge'}\n${name} ${value}\n`)
    .join('');
}
