/** The one session of this page, made of what the browser offers. */
import { createSession } from './session.ts';
import { openSessionKeyStore } from './session-key.ts';

export const pageSession = createSession({
  origin: location.origin,
  store: openSessionKeyStore(),
  crypto: globalThis.crypto.subtle,
  fetch: (...args) => fetch(...args),
  now: () => Date.now(),
  browser: navigator.userAgent,
  sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
});
