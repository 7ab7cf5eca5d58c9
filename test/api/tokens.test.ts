/** What programs with a token may do to a real server: the token of `run/server.json` without the scope `run`, and tokens made for it. */
import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ROUTES } from '../../src/contract/routes.ts';
import { type Box, openBox } from '../../src/testing/box.ts';

const CLI = resolve(import.meta.dirname, '../../dist/bin/signalbox.js');

let box: Box;
let id = '';
beforeAll(async () => {
  box = await openBox({ isDemo: true, flags: ['--demo', '-c', 'access.server_token_scopes=["read","operate"]'] });
  id = await box.create();
});
afterAll(() => box.close());

function cli(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, HOME: box.dir, XDG_CONFIG_HOME: join(box.dir, 'config'), SIGNALBOX_HOME: box.home };
  return new Promise((done) => {
    execFile(process.execPath, [CLI, ...args], { env, cwd: box.project }, (error, stdout, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

describe('the token of run/server.json with the scopes of config.toml', () => {
  test('[AT3] reads and sends, but runs no command', async () => {
    expect((await box.must('session', {}, 'token')).may).toEqual(['read', 'operate']);
    expect((await box.call('appendNote', { conversation_id: id, text: 'a script' }, 'token')).status).toBe(200);
    const refused = { status: 403, body: { code: 'forbidden', details: { missing_scope: 'run' } } };
    expect(await box.call('shellExec', { conversation_id: id, command: 'true' }, 'token')).toMatchObject(refused);
    expect(await box.call('terminalOpen', { id }, 'token')).toMatchObject(refused);
    expect(await box.call('upShells', { file: '/x' }, 'token')).toMatchObject(refused);
  });

  test('[AT3] gets an MCP token for the board, not one whose tools run commands', async () => {
    expect((await box.call('mcpToken', { agent: 'ci' }, 'token')).status).toBe(200);
    expect(await box.call('mcpToken', { conversation_id: id }, 'token')).toMatchObject({
      status: 403,
      body: { details: { missing_scope: 'run' } },
    });
  });

  test('[AT3] the command line says which scope is missing, and ends with 4', async () => {
    const refused = await cli('shells', 'purge');
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('lacks the scope run')]);
    expect(refused.stderr).toContain('server_token_scopes');
  });
});

describe('a directory', () => {
  let inside = '';
  let other = '';
  beforeAll(async () => {
    inside = join(box.project, 'packages/app');
    other = join(box.dir, 'other');
    await mkdir(inside, { recursive: true });
    await mkdir(other, { recursive: true });
    await symlink(other, join(box.project, 'leads-out'));
    await symlink(inside, join(box.project, 'leads-in'));
    await symlink(box.project, join(other, 'leads-back'));
  });
  const outside = (): readonly (readonly [string, string])[] => [
    ['the parent', box.dir],
    ['the root', '/'],
    ['another tree', other],
    ['..', `${box.project}/packages/../..`],
    ['a name that begins the same', `${box.project}-2`],
    ['a symbolic link that leads out', join(box.project, 'leads-out')],
  ];

  test('[AT4] outside the old one is refused to a token, whatever the spelling; a person may', async () => {
    await mkdir(`${box.project}-2`);
    const own = await box.create();
    for (const [name, cwd] of outside()) {
      const answers = [
        await box.call('patchConversation', { id: own, cwd }, 'token'),
        await box.call('patchCurrentConversation', { conversation_id: own, cwd }, 'token'),
        await box.call('writeConfig', { cwd }, 'token'),
        await box.call('setCwd', { cwd }, 'token'),
      ];
      for (const { status, body } of answers) {
        expect([name, status]).toEqual([name, 403]);
        expect(body).toMatchObject({ code: 'forbidden', message: expect.stringContaining('only the page') });
      }
    }
    expect((await box.must('readConversation', { id: own })).conversation.cwd).toBe(box.project);
    expect((await box.must('readConfig', {})).cwd).toBe(null);
    expect((await box.call('patchConversation', { id: own, cwd: other })).status).toBe(200);
  });

  test('[AT4] inside the old one is allowed, and stored as the real path', async () => {
    const own = await box.create();
    const moved = await box.must('patchConversation', { id: own, cwd: join(box.project, 'leads-in') }, 'token');
    expect(moved.conversation.cwd).toBe(inside);
    const back = await box.call('patchConversation', { id: own, cwd: box.project }, 'token');
    expect(back.status).toBe(403);
    const other2 = await box.create();
    const same = join(other, 'leads-back');
    expect((await box.call('patchConversation', { id: other2, cwd: same }, 'token')).status).toBe(200);
  });

  test('[AT5] a token without the scope run starts conversations only where a person has worked', async () => {
    const elsewhere = join(box.dir, 'elsewhere');
    await mkdir(elsewhere);
    const refused = await box.call('createConversation', { cwd: elsewhere }, 'token');
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden', details: { missing_scope: 'run' } } });
    expect((await box.call('createConversation', { cwd: '/' }, 'token')).status).toBe(403);
    expect((await box.call('createConversation', { cwd: inside }, 'token')).status).toBe(200);
    expect((await box.call('createConversation', {}, 'token')).status).toBe(200);
    await box.create({ cwd: elsewhere });
    expect((await box.call('createConversation', { cwd: elsewhere }, 'token')).status).toBe(200);
  });

  test('[AT5] no other way in takes settings from a token', async () => {
    const own = await box.create();
    const loose = { approval: 'never', sandbox: 'danger-full-access', cwd: '/' };
    const ways: readonly (readonly [keyof typeof ROUTES, object])[] = [
      ['createConversation', { cwd: box.project, approval: 'never' }],
      ['createConversation', { cwd: box.project, sandbox: 'danger-full-access' }],
      ['patchConversation', { id: own, approval: 'never' }],
      ['patchCurrentConversation', { conversation_id: own, sandbox: 'danger-full-access' }],
      ['writeConfig', { approval: 'never' }],
      ['writeConfig', { sandbox: 'danger-full-access' }],
      ['rpc', { method: 'thread/start', params: loose }],
      ['rpc', { method: 'turn/start', params: loose }],
      ['rpc', { method: 'config/value/write', params: loose }],
    ];
    for (const [route, input] of ways) {
      expect([route, input, (await box.call(route, input as never, 'token')).status]).toEqual([route, input, 403]);
    }
    const unknownKeys: readonly (readonly [keyof typeof ROUTES, object])[] = [
      ['sendMessage', { conversation_id: own, text: 'hello', ...loose }],
      ['forkConversation', { id: own, ...loose }],
      ['reviewConversation', { id: own, ...loose }],
      ['restoreConversation', { id: own, ...loose }],
      ['interrupt', { conversation_id: own, ...loose }],
    ];
    for (const [route, input] of unknownKeys) {
      expect([route, (await box.call(route, input as never, 'token')).status]).toEqual([route, 400]);
    }
  });
});
