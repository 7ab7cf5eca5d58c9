/** The page as an app: installable without a login, and a page that says so and comes back by itself while the server is away. */
import { expect, test } from 'vitest';
import { eventually, freePort, setStage } from './stage.ts';

interface Manifest {
  readonly icons: readonly { readonly src: string; readonly type: string; readonly purpose?: string }[];
}

const stage = setStage(async () => ({ flags: ['--port', String(await freePort())] }));

test('[PG49] the manifest and every icon it names are there without a login, and Chromium finds nothing missing', async () => {
  const answer = await fetch(`${stage.box.url()}/manifest.webmanifest`);
  expect(answer.headers.get('content-type')).toBe('application/manifest+json');
  const manifest: Manifest = JSON.parse(await answer.text());
  expect(manifest).toMatchObject({ name: 'Signalbox', display: 'standalone', start_url: '/', scope: '/' });
  expect(manifest.icons.map((icon) => icon.purpose)).toContain('maskable');
  for (const { src, type } of manifest.icons) {
    const icon = await fetch(stage.box.url() + src);
    expect([src, icon.status, icon.headers.get('content-type')]).toEqual([src, 200, type]);
  }
  const visit = await stage.open();
  const session = await visit.context.newCDPSession(visit.page);
  const { errors } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  expect(installabilityErrors.map((one) => one.errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
});

test('[PG50] while the server is away a page of our own says so and goes back by itself; nothing of a conversation is kept', async () => {
  const visit = await stage.open();
  const { page } = visit;
  await page.evaluate('navigator.serviceWorker.ready.then(() => null)');
  await eventually(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
  const url = stage.box.url();
  await stage.box.kill();
  await page.goto(url);
  await page.getByRole('heading', { name: 'Signalbox is not running' }).waitFor();
  await visit.shot('offline');
  expect(
    await page.evaluate(`caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name)
    .then((cache) => cache.keys()).then((all) => all.map((one) => new URL(one.url).pathname))))).then((all) => all.flat().sort())`),
  ).toEqual(['/offline.css', '/offline.html']);
  await stage.box.restart();
  await page.getByText('Try one of these').waitFor({ timeout: 20_000 });
});
