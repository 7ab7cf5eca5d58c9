/** The offline page's worker. Its address is a constant, blessed by a policy because the page demands Trusted Types. */

const WORKER_PATH = '/sw.js';

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): URL };
}

declare global {
  interface Window {
    readonly trustedTypes?: TrustedTypes;
  }
}

export function registerWorker(): void {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  const policy = window.trustedTypes?.createPolicy('signalbox-worker', {
    createScriptURL: (url) => {
      if (url !== WORKER_PATH) throw new TypeError(`not a script of ours: ${url}`);
      return url;
    },
  });
  const url = policy?.createScriptURL(WORKER_PATH) ?? WORKER_PATH;
  // Without it everything works; only the page for a stopped server is missing.
  addEventListener('load', () => void navigator.serviceWorker.register(url).catch(() => undefined));
}
