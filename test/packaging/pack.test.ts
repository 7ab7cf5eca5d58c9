/** What people get: `npm pack`, installed into an empty directory without install scripts and without the network, and used. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { endLeftShells } from '../../src/testing/left-shells.ts';
import { logInByLink } from '../../src/testing/session-client.ts';
import { type LocalRegistry, startLocalRegistry } from './local-registry.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Codex alone is hundreds of megabytes. */
const INSTALL_TIMEOUT_MS = 300_000;
const run = promisify(execFile);

let folder = '';
let app = '';
let tarball = '';
let registry: LocalRegistry;
let server: ChildProcess | null = null;

/** Nothing of the machine's own npm and Codex. */
function environment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: folder,
    LANG: 'C.UTF-8',
    npm_config_registry: registry.url,
    npm_config_cache: join(folder, 'cache'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
}

/** `npx signalbox …` as typed in the directory. */
const npx = (...args: readonly string[]) =>
  run('npx', ['--no', 'signalbox', ...args], { cwd: app, env: environment(), timeout: INSTALL_TIMEOUT_MS });

beforeAll(async () => {
  // Outside of the repository, where Node would find its packages; not in /tmp, which Codex refuses.
  folder = await mkdtemp(join(existsSync('/var/tmp') ? '/var/tmp' : homedir(), 'signalbox-pack-'));
  app = join(folder, 'app');
  await mkdir(app);
  registry = await startLocalRegistry(ROOT);
  await run('npm', ['pack', '--pack-destination', folder], { cwd: ROOT, timeout: INSTALL_TIMEOUT_MS });
  tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
  await writeFile(join(app, 'package.json'), '{ "private": true }\n');
  await run('npm', ['install', '--ignore-scripts', `../${tarball}`], {
    cwd: app,
    env: environment(),
    timeout: INSTALL_TIMEOUT_MS,
  });
}, INSTALL_TIMEOUT_MS);

afterAll(async () => {
  if (server !== null && server.exitCode === null) server.kill('SIGTERM');
  await endLeftShells(join(folder, '.cache/framework_shells'));
  await registry?.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}, INSTALL_TIMEOUT_MS);

describe('the package', () => {
  test('[PK1] has what runs and what is read, and nothing else', async () => {
    const { stdout } = await run('tar', ['-tzf', join(folder, tarball)]);
    const files = stdout
      .trim()
      .split('\n')
      .map((path) => path.replace(/^package\//, ''));
    expect(files).toEqual(
      expect.arrayContaining([
        'dist/bin/signalbox.js',
        'dist/web/index.html',
        'man/signalbox.1',
        'README.md',
        'LICENSE',
      ]),
    );
    const allowed =
      /^(dist\/(bin|web)\/|docs\/user\/|man\/|shellspec\/|shell-integration\/|(README|CHANGELOG)\.md$|LICENSE$|package\.json$)/;
    expect(files.filter((path) => !allowed.test(path))).toEqual([]);
    expect(files.filter((path) => /\.(map|ts|tsx)$|\.test\.|tsbuild/.test(path))).toEqual([]);
    const { files: named } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    const isThere = (path: string): boolean => files.some((file) => file === path || file.startsWith(`${path}/`));
    // What the repository has of the list is in the package.
    expect(named.filter((path: string) => existsSync(join(ROOT, path)) && !isThere(path))).toEqual([]);
  });

  test('[WT30] the git that stands before Codex can be executed', async () => {
    const { mode } = await stat(join(app, 'node_modules/signalbox/shell-integration/codex/git'));
    expect(mode & 0o111).toBe(0o111);
  });

  test('[PK4] what is joined in brings its license along', async () => {
    const names = [
      'dist/bin/licenses.txt',
      'dist/web/licenses.txt',
      'dist/web/licenses-highlight-worker.txt',
      'dist/web/licenses-diagram-worker.txt',
    ];
    const { stdout } = await run('tar', ['-xzOf', join(folder, tarball), ...names.map((name) => `package/${name}`)]);
    for (const name of ['hono', 'zod', 'react', '@xterm/xterm', 'highlight.js'])
      expect(stdout).toMatch(new RegExp(`^${name} \\d.*\\(.+\\)\\n\\n.*\\w`, 'm'));
  });

  test('[PK5] what our shellspecs say is in it, as reading them says', async () => {
    const { stdout } = await run('tar', ['-xzOf', join(folder, tarball), 'package/dist/bin/parsed-specs.json']);
    const specs = await readdir(join(ROOT, 'shellspec'));
    const texts = await Promise.all(specs.map((name) => readFile(join(ROOT, 'shellspec', name), 'utf8')));
    const read = texts.map((text) => [createHash('sha256').update(text).digest('hex'), parseDocument(text).toJS()]);
    expect(read.length).toBeGreaterThan(1);
    expect(JSON.parse(stdout)).toEqual(Object.fromEntries(read));
  });

  test('[PK2] brings Codex and the terminal, and runs no script of anybody at install', async () => {
    const names = registry.served.map((one) => one.replace(/@[^@]*$/, ''));
    expect([...new Set(names)].filter((name) => !/^@(openai\/codex|lydell\/node-pty)/.test(name))).toEqual([]);
    expect(names).toContain('@openai/codex');
    const locked: Record<string, { hasInstallScript?: boolean; dev?: boolean }> = JSON.parse(
      await readFile(join(ROOT, 'package-lock.json'), 'utf8'),
    ).packages;
    expect(Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
  });
});

describe('[PK3] installed in an empty directory', { timeout: INSTALL_TIMEOUT_MS }, () => {
  let url = '';
  let loginUrl = '';
  test('it starts, with no build and no download', async () => {
    const before = registry.served.length;
    server = spawn('npx', ['--no', 'signalbox', 'serve', '--no-open', '--json', '--port', '0'], {
      cwd: app,
      env: environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ready = await firstLine(server);
    expect(ready).toMatchObject({ event: 'ready', home: join(folder, '.local/share/signalbox') });
    url = String(ready.url);
    loginUrl = String(ready.login_url);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(registry.served.length).toBe(before);
  });

  test('its page is there, its routes ask for a login, and the link gives one', async () => {
    const page = await (await fetch(loginUrl, { headers: { accept: 'text/html' } })).text();
    const [, script = ''] = /<script[^>]+src="([^"]+)"/.exec(page) ?? [];
    expect((await fetch(new URL(script, url))).status).toBe(200);
    const status = `${url}/api/appserver/status`;
    expect((await fetch(status)).status).toBe(401);
    const session = await logInByLink(loginUrl);
    expect((await fetch(status, { headers: session.headers() })).status).toBe(200);
  });

  test('the demo model answers through the real Codex', async () => {
    const created = await npx('conversations', 'new', '--label', 'Smoke');
    expect(created.stdout).toMatch(/^conv_[0-9a-f]{32}\n$/);
    const { stdout } = await npx('conversations', 'send', 'Smoke', 'Run `echo from-the-package`');
    expect(stdout).toContain('from-the-package');
    const { stdout: checked } = await run('npx', ['--no', 'signalbox', 'doctor', '--json'], {
      cwd: app,
      env: environment(),
    }).catch((failed: { stdout: string }) => failed);
    expect(JSON.parse(checked).checks).toContainEqual(
      expect.objectContaining({ code: 'codex_binary', status: 'ok', message: expect.stringContaining('codex') }),
    );
  });

  test('a command runs in the shared terminal, whose native part was found', async () => {
    const record = JSON.parse(await readFile(join(folder, '.local/share/signalbox/run/server.json'), 'utf8'));
    const { stdout } = await npx('conversations', 'new', '--json');
    const answer = await fetch(`${url}/api/appserver/shell/exec`, {
      method: 'POST',
      headers: { authorization: `Bearer ${record.api_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ conversation_id: JSON.parse(stdout).id, command: 'echo in-a-terminal; test -t 1' }),
    });
    expect(await answer.json()).toMatchObject({ stdout: 'in-a-terminal\n', exitCode: 0 });
  });

  test('its man page is where man looks', async () => {
    const { man } = JSON.parse(await readFile(join(app, 'node_modules/signalbox/package.json'), 'utf8'));
    expect(await readFile(join(app, 'node_modules/signalbox', man), 'utf8')).toMatch(/^\.TH SIGNALBOX 1/);
  });

  test('it stops', async () => {
    const gone = new Promise((done) => server?.once('exit', done));
    await npx('stop');
    expect(await gone).toBe(0);
  });
});

async function firstLine(child: ChildProcess): Promise<Record<string, unknown>> {
  if (child.stdout === null) throw new Error('no stdout');
  for await (const line of createInterface(child.stdout)) return JSON.parse(line);
  throw new Error('the program ended without a line');
}
