/** Serves one thing: a page that says the server is not running. Nothing of the app or of a conversation is ever kept. */
const KEPT = 'signalbox-offline-1';
const FILES = ['/offline.html', '/offline.css'];
const PAGES = new Set(['/', '/codex-agent/']);

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((cache) => cache.addAll(FILES.map((path) => new Request(path, { cache: 'reload' }))))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.mode === 'navigate' && PAGES.has(pathname)) {
    event.respondWith(fetch(request).catch(() => caches.match('/offline.html')));
  } else if (pathname === '/offline.css') {
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  }
});
