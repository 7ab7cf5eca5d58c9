/** Signing in and out through the public surface, with the real Codex and no network. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Box, type BoxOptions, openBox } from '../../src/testing/box.ts';

const KEY = 'sk-test-0123456789abcdef';
let box: Box;
afterEach(() => box.close());

/** A first start without any login; a key in the tester's own environment would be one. */
const NO_KEYS = { OPENAI_API_KEY: '', CODEX_API_KEY: '' };

async function open(options: BoxOptions = {}): Promise<void> {
  box = await openBox({ isDemo: true, env: NO_KEYS, ...options });
}

const settled = (demo: boolean) =>
  expect
    .poll(() => box.must('account', {}), { timeout: 20_000 })
    .toMatchObject({ demo, signed_in: !demo, restart_pending: false });

async function filesWithKey(dir: string): Promise<string[]> {
  const names = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(paths.map(async (path) => ((await readFile(path)).includes(KEY) ? [path] : [])));
  return found.flat();
}

describe('with an API key', () => {
  test('[AC1][AC2][AC3] the demo model gives way, and comes back', async () => {
    await open();
    expect(await box.must('account', {})).toMatchObject({ demo: true, signed_in: false, account: null, login: null });
    await box.must('debugToggle', { enabled: true });
    const begun = await box.must('accountLogin', { type: 'api_key', api_key: ` ${KEY}\n` });
    expect(begun).toEqual({ login_id: null });
    await settled(false);
    expect(await box.must('account', {})).toMatchObject({
      account: { type: 'apiKey' },
      login: { type: 'api_key', state: 'completed' },
    });
    expect((await box.must('status', {})).codex.demo).toBe(false);

    const { lines } = await box.must('debugRaw', { limit: 1000 });
    expect(lines.some(({ line }) => line.includes('account/login/start'))).toBe(true);
    expect(JSON.stringify(lines)).not.toContain(KEY);
    expect(box.stderr()).not.toContain(KEY);
    expect(await filesWithKey(box.home)).toEqual([]);

    await box.must('accountLogout', {});
    await settled(true);
    const id = await box.create();
    const watcher = await box.watch(id);
    await box.must('sendMessage', { conversation_id: id, text: 'hello' });
    await watcher.turnEnd();
    expect(watcher.entries()).toContainEqual(expect.objectContaining({ role: 'status', turn_status: 'completed' }));
  });

  test('[AC1] a running turn is not cut short', async () => {
    await open();
    const id = await box.create({ approval: 'untrusted' });
    const watcher = await box.watch(id);
    await box.must('sendMessage', { conversation_id: id, text: 'run touch kept.txt' });
    await expect.poll(async () => (await box.must('listApprovals', {})).approvals.length, { timeout: 20_000 }).toBe(1);
    const pid = await box.codexPid();
    await box.must('accountLogin', { type: 'api_key', api_key: KEY });
    expect(await box.must('account', {})).toMatchObject({ demo: true, signed_in: true, restart_pending: true });
    expect(await box.codexPid()).toBe(pid);
    const [approval] = (await box.must('listApprovals', {})).approvals;
    await box.must('answerApproval', { approval_id: approval?.approval_id ?? '', decision: 'accept' });
    await watcher.turnEnd();
    expect(watcher.entries()).toContainEqual(expect.objectContaining({ role: 'status', turn_status: 'completed' }));
    await settled(false);
    expect(await box.codexPid()).not.toBe(pid);
  });

  test('[AC3][AC4] a bad key is refused without being repeated, and only the page may sign in', async () => {
    await open();
    const bad = await box.call('accountLogin', { type: 'api_key', api_key: 'short secret' });
    expect(bad).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(JSON.stringify(bad.body)).not.toContain('short secret');
    const token = await box.call('accountLogin', { type: 'api_key', api_key: KEY }, 'token');
    expect(token).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await box.call('accountLogout', {}, 'token')).status).toBe(403);
    expect(await box.must('account', {})).toMatchObject({ signed_in: false, demo: true });
  });
});

test('[AC5] a code that cannot be had is refused with a reason', async () => {
  // A proxy that refuses stands for a network that is not there, wherever this test runs.
  const dead = 'http://127.0.0.1:9';
  await open({ env: { ...NO_KEYS, HTTPS_PROXY: dead, https_proxy: dead, ALL_PROXY: dead } });
  const refused = await box.call('accountLogin', { type: 'chatgpt_device' });
  expect(refused).toMatchObject({ status: 502, body: { code: 'codex_error' } });
  expect(refused.body).toMatchObject({ message: expect.stringContaining('API key') });
  expect(await box.must('account', {})).toMatchObject({ demo: true, login: null });
  for (const login_id of ['nope', '0198b1f0-0000-7000-8000-000000000000']) {
    const cancel = await box.call('accountLoginCancel', { login_id });
    expect(cancel).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
});

test('[AC6][AC7] a login made outside is taken up, and told', async () => {
  await open();
  const watcher = await box.watch(await box.create());
  await writeFile(join(box.codexHome, 'auth.json'), JSON.stringify({ OPENAI_API_KEY: KEY }), { mode: 0o600 });
  // Told before anybody reads the account.
  await watcher.until((frame) => frame.type === 'account', 'news of the account');
  await settled(false);
});
