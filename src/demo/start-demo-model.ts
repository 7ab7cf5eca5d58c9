/** Runs the demo model on a local port, at a pace that a reader can follow. */
import type { ModelEvent } from './model-event.ts';
import { type ResponsesServer, startResponsesServer } from './responses-server.ts';

interface DemoModelOptions {
  readonly port?: number;
  readonly bearer?: string;
  /** Pause after each few characters; 0 takes every pause away. */
  readonly delayMs: number;
}

/** The pace for which the pauses within an answer are written. */
const WRITTEN_FOR_MS = 15;

export function startDemoModel({ delayMs, ...rest }: DemoModelOptions): Promise<ResponsesServer> {
  return startResponsesServer({
    ...rest,
    async respond(request) {
      // What it says is loaded when it is first asked, not when Codex is to be told its address.
      const { planReply } = await import('./demo-model.ts');
      return planReply(request).map((event) => paceEvent(event, delayMs));
    },
  });
}

/** Pauses that an event asks for itself are kept in proportion. */
function paceEvent(event: ModelEvent, delayMs: number): ModelEvent {
  const scale = delayMs / WRITTEN_FOR_MS;
  if ('sleepMs' in event) return { sleepMs: event.sleepMs * scale };
  if ('say' in event || 'think' in event) {
    return { ...event, delayMs: event.delayMs === undefined ? delayMs : event.delayMs * scale };
  }
  return event;
}
