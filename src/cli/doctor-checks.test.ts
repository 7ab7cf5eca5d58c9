/** The doctor's checks, and how a browser is given a link. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  checkCodex,
  checkCodexHome,
  checkDirectories,
  checkDisk,
  checkLogin,
  checkNode,
  checkPort,
  checkProgram,
  checkSandbox,
  checkSs,
} from './doctor-checks.ts';
import { browserOpener, openInBrowser, renderRedirect } from './open-browser.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-doctor-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program that says `text` and exits with `code`. */
function script(name: string, text: string, code: number): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\necho '${text}'\nexit ${code}\n`, { mode: 0o755 });
  return path;
}

describe('[CL19] a check says ok, or what to do', () => {
  test.each([
    ['20.19.0', 'ok'],
    ['22.1.0', 'ok'],
    ['20.18.9', 'fail'],
    ['18.20.0', 'fail'],
  ])('node_version: %s is %s', (version, status) => {
    expect(checkNode(version)).toMatchObject({ code: 'node_version', status });
  });

  test('codex_binary', async () => {
    const good = script('codex', 'codex-cli 1.2.3', 0);
    expect(await checkCodex(good, process.env)).toEqual({
      check: { code: 'codex_binary', status: 'ok', message: 'codex-cli 1.2.3' },
      command: [good],
    });
    const bad = await checkCodex(join(folder, 'absent'), process.env);
    expect(bad).toMatchObject({ check: { status: 'fail', fix: expect.stringMatching('--codex-bin') }, command: null });
  });

  test('codex_login', async () => {
    const given = { command: null, codexHome: folder, env: {}, demo: 'auto' } as const;
    expect(await checkLogin(given)).toMatchObject({ status: 'warn', message: expect.stringMatching('not an AI') });
    expect(await checkLogin({ ...given, demo: 'never' })).toMatchObject({ status: 'fail' });
    expect(await checkLogin({ ...given, demo: 'always' })).toMatchObject({ status: 'ok' });
    expect(await checkLogin({ ...given, env: { OPENAI_API_KEY: 'x' } })).toMatchObject({ status: 'ok' });
    const loggedIn = [script('in', 'Logged in using ChatGPT', 0)] as const;
    expect(await checkLogin({ ...given, command: loggedIn })).toMatchObject({ status: 'ok' });
    const loggedOut = [script('out', 'Not logged in', 1)] as const;
    expect(await checkLogin({ ...given, command: loggedOut })).toMatchObject({ status: 'warn' });
    writeFileSync(join(folder, 'config.toml'), 'model_provider = "local"\n');
    expect(await checkLogin(given)).toMatchObject({ status: 'ok', message: expect.stringMatching('local') });
  });

  test('codex_home', () => {
    expect(checkCodexHome('/home/me/.codex', {})).toMatchObject({ status: 'ok', message: '/home/me/.codex' });
    expect(checkCodexHome('/tmp/x/.codex', {})).toMatchObject({
      message: expect.stringContaining('/tmp/x/.codex-tmp'),
    });
    expect(checkCodexHome('/tmp/x', { TMPDIR: '/var/tmp' })).toMatchObject({ message: '/tmp/x' });
  });

  test('sandbox', async () => {
    const given = { codexHome: folder, env: process.env };
    const good = script('good', '', 0);
    const bad = script('bad', 'bwrap: Creating new namespace failed', 1);
    expect(await checkSandbox({ ...given, command: [good] })).toMatchObject({ status: 'ok' });
    expect(await checkSandbox({ ...given, command: [bad] })).toMatchObject({
      status: 'fail',
      message: expect.stringMatching('bwrap'),
      fix: expect.any(String),
    });
    expect(await checkSandbox({ ...given, command: null })).toMatchObject({ status: 'warn' });
  });

  test('directories', () => {
    const home = join(folder, 'home');
    expect(checkDirectories(home)).toMatchObject({ status: 'ok', message: expect.stringMatching('will be made') });
    mkdirSync(join(home, 'run'), { recursive: true, mode: 0o700 });
    expect(checkDirectories(home)).toMatchObject({ status: 'ok' });
    chmodSync(join(home, 'run'), 0o755);
    expect(checkDirectories(home)).toMatchObject({ status: 'warn', fix: expect.stringMatching('chmod') });
  });

  test('port', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    expect(await checkPort({ host: '127.0.0.1', port, home: folder })).toMatchObject({ status: 'fail' });
    await new Promise((resolve) => taken.close(resolve));
    expect(await checkPort({ host: '127.0.0.1', port, home: folder })).toMatchObject({ status: 'ok' });
    expect(await checkPort({ host: '127.0.0.1', port: 0, home: folder })).toMatchObject({ status: 'ok' });
  });

  test('disk, git, rg', () => {
    expect(checkDisk(join(folder, 'not', 'there'))).toMatchObject({
      code: 'disk',
      message: expect.stringMatching('MiB'),
    });
    script('git', '', 0);
    expect(checkProgram({ code: 'git', env: { PATH: folder }, use: '' })).toMatchObject({ status: 'ok' });
    expect(checkProgram({ code: 'rg', env: { PATH: folder }, use: '' })).toMatchObject({ code: 'rg', status: 'warn' });
  });

  test('[AG60] without ss the doctor says what is weaker', () => {
    const place = join(folder, 'ss');
    expect(checkSs([place])).toMatchObject({
      code: 'ss',
      status: 'warn',
      message: expect.stringContaining('event token of another conversation'),
      fix: 'install iproute2',
    });
    script('ss', '', 0);
    expect(checkSs([join(folder, 'none'), place])).toEqual({ code: 'ss', status: 'ok', message: place });
  });
});

describe('[CL15] a browser', () => {
  const wish = { isWanted: true, isJson: false, isTTY: true };

  test.skipIf(process.platform !== 'linux')('is opened only where a person sits', () => {
    const opener = script('xdg-open', '', 0);
    const env = { PATH: folder, DISPLAY: ':0' };
    expect(browserOpener({ ...wish, env })).toBe(opener);
    expect(browserOpener({ ...wish, env: { PATH: folder, WAYLAND_DISPLAY: 'w' } })).toBe(opener);
    expect(browserOpener({ ...wish, env: { PATH: folder } })).toBeNull();
    expect(browserOpener({ ...wish, env: { DISPLAY: ':0' } })).toBeNull();
    expect(browserOpener({ ...wish, env: { ...env, CI: 'true' } })).toBeNull();
    expect(browserOpener({ ...wish, env, isWanted: false })).toBeNull();
    expect(browserOpener({ ...wish, env, isJson: true })).toBeNull();
    expect(browserOpener({ ...wish, env, isTTY: false })).toBeNull();
  });

  test("is given a private file, so that the link is on nobody's command line", async () => {
    const opener = join(folder, 'opener');
    const seen = join(folder, 'seen');
    writeFileSync(
      opener,
      `#!/bin/sh\n{ echo "$@"; stat -c %a "$1"; cat "$1"; } > ${seen}.part\nmv ${seen}.part ${seen}\n`,
      {
        mode: 0o755,
      },
    );
    await openInBrowser(opener, 'http://127.0.0.1:1/login?token=secret', folder, { keepSeconds: 1 });
    await expect.poll(() => existsSync(seen), { timeout: 10_000 }).toBe(true);
    const [args = '', mode, ...html] = readFileSync(seen, 'utf8').split('\n');
    expect(args).toMatch(/^\/\S+\/open-[0-9a-f]{16}\.html$/);
    expect(mode).toBe('600');
    expect(html.join('\n')).toContain('token=secret');
    await expect.poll(() => existsSync(args), { timeout: 10_000 }).toBe(false);
  });

  test('is given a file that leads to the link and to nothing else', () => {
    const html = renderRedirect('http://127.0.0.1:1/login?token=a&b="><script>');
    expect(html).toMatch('content="0;url=http://127.0.0.1:1/login?token=a&#38;b=&#34;&#62;&#60;script&#62;"');
    expect(html).not.toMatch('<script>');
    expect(html).toMatch('no-referrer');
  });
});
