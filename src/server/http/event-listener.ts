/**
 * The listener of the source `http` in `config.toml` that has a `bind`: takes events, and has nothing else on it. Opened early, since the
 * discovery files name its address; requests wait until `serve`, and the first one loads what answers.
 */
import type { RequestListener } from 'node:http';
import type { ExternalEventsConfig } from '../../contract/external-event.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../node/clock.ts';
import type { EventAppOptions } from './event-app.ts';
import { openGuardedServer } from './guarded-server.ts';
import { refuseSocket } from './refusal.ts';

export interface EventListener {
  readonly url: string;
  serve(options: ServeOptions): void;
  stop(): Promise<void>;
}

interface ServeOptions extends Pick<EventAppOptions, 'credentials' | 'peers'> {
  readonly handlers: () => Promise<EventAppOptions['handlers']>;
}

/** Null without a `bind`, or where the source is turned off: the server's own address takes events then, or nothing does. */
export async function openEventListener(
  config: ExternalEventsConfig,
  clock: Clock,
): Promise<Result<EventListener | null>> {
  const bind = config.enabled ? bindOf(config) : null;
  if (bind === null) return ok(null);
  let start: (load: () => Promise<RequestListener>) => void = () => undefined;
  const served = new Promise<() => Promise<RequestListener>>((done) => {
    start = done;
  });
  const opened = await openGuardedServer({
    ...bind,
    clock,
    onRequest: async (request, response) => {
      const load = await served;
      const answer = await load();
      if (!response.destroyed) answer(request, response);
    },
    onUpgrade: (_request, socket) =>
      refuseSocket(socket, { code: 'not_found', message: 'this address takes events only' }),
  });
  if (!opened.ok) {
    const { code, message } = opened.error;
    return fail(code, `external_events.sources: the source http cannot use its bind: ${message}`);
  }
  const { url, markKnown, stop } = opened.value;
  return ok({
    url,
    serve({ handlers, ...rest }) {
      let loading: Promise<RequestListener> | null = null;
      const open = async () => {
        const { createEventApp } = await import('./event-app.ts');
        return createEventApp({ ...rest, markKnown, handlers: await handlers() });
      };
      start(() => {
        loading ??= open();
        return loading;
      });
    },
    stop: () => stop(),
  });
}

/** The last entry of the source counts, as everywhere. The schema has checked the shape. */
function bindOf({ sources }: ExternalEventsConfig): { readonly host: string; readonly port: number } | null {
  const source = sources.findLast((one) => one.type === 'http');
  if (source === undefined || !source.enabled || source.bind === undefined) return null;
  const end = source.bind.lastIndexOf(':');
  return { host: source.bind.slice(0, end).replace(/^\[|\]$/g, ''), port: Number(source.bind.slice(end + 1)) };
}
