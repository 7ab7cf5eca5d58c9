/** Knows whether a browser that is logged in is open: it watches the event connections of sessions. */
import { isBrowserOpen } from '../../core/access/login-confirmation.ts';
import type { Clock } from '../../node/clock.ts';
import type { HubGateway } from '../hub/hub.ts';

export interface BrowserPresence {
  /** The same gateway, with its connections counted. */
  watch(gateway: HubGateway): HubGateway;
  isOpen(): boolean;
  /** Whether a page is connected at this moment and can show a question. */
  isConnected(): boolean;
}

export function createPresence(clock: Pick<Clock, 'monotonicMs'>): BrowserPresence {
  let open = 0;
  let leftMs: number | null = null;
  return {
    watch: (gateway) => ({
      connect(client, caller) {
        const connection = gateway.connect(client, caller);
        if (caller.kind !== 'session') return connection;
        open += 1;
        let isCounted = true;
        return {
          ...connection,
          disconnect() {
            connection.disconnect();
            if (!isCounted) return;
            isCounted = false;
            open -= 1;
            leftMs = clock.monotonicMs();
          },
        };
      },
    }),
    isOpen: () => isBrowserOpen({ open, leftMs }, clock.monotonicMs()),
    isConnected: () => open > 0,
  };
}
