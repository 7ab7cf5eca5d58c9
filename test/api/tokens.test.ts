/** What programs with a token may do to a real server: the token of `run/server.json` without the scope `run`, and tokens made for it. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ROUTES, RouteCall } from '../../src/contract/routes.ts';
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

  test('[AT20] lists names of files and directories below those of conversations only', async () => {
    const refused = { status: 403, body: { code: 'forbidden', details: { missing_scope: 'run' } } };
    expect(await box.call('mention', { cwd: '/etc', query: 'passwd' }, 'token')).toMatchObject(refused);
    expect(await box.call('mention', { cwd: `${box.project}/../..`, query: '' }, 'token')).toMatchObject(refused);
    expect(await box.call('directories', { path: '/' }, 'token')).toMatchObject(refused);
    expect((await box.call('mention', { cwd: box.project, query: '' }, 'token')).status).toBe(200);
    expect((await box.call('mention', { conversation_id: id, query: '' }, 'token')).status).toBe(200);
    expect((await box.call('directories', { path: box.project }, 'token')).status).toBe(200);
    expect((await box.call('directories', { path: '/' })).status).toBe(200);
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
      ['rpc', { method: 'thread/start', params: { approvalPolicy: 'never' } }],
      ['rpc', { method: 'thread/start', params: { sandbox: 'danger-full-access' } }],
      ['rpc', { method: 'thread/start', params: { cwd: '/' } }],
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
      ['rpc', { conversation_id: own, method: 'turn/start', params: { message: 'hello', ...loose } }],
    ];
    for (const [route, input] of unknownKeys) {
      expect([route, (await box.call(route, input as never, 'token')).status]).toEqual([route, 400]);
    }
  });
});

/** The same call with another token; `box.call` has that of the file. */
async function callWith(secret: string, method: string, path: string, body?: object) {
  const response = await fetch(`${box.url()}${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const make = (wanted: RouteCall<'createToken'>) => box.must('createToken', wanted);

describe('tokens that a person makes', () => {
  test('[AT6] the text is shown once, and only its hash is on disk, for the owner of the home alone', async () => {
    const { token, secret } = await make({ scopes: ['read'], label: 'reader', expires_in_days: 30 });
    expect(token).toMatchObject({ label: 'reader', scopes: ['read'], last_used_at: null, conversation_id: null });
    expect(Date.parse(token.expires_at ?? '') - Date.now()).toBeGreaterThan(29 * 24 * 3_600_000);
    const path = join(box.home, 'tokens.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const text = await readFile(path, 'utf8');
    expect(text).toContain(token.id);
    expect(text).not.toContain(secret);
    expect(JSON.stringify(await box.must('listTokens', {}))).not.toMatch(/hash|sbx_/);
    expect(box.stderr()).not.toContain(secret);
  });

  test('[AT6][RP9] it has its scopes, its last use is known to the hour, and revoking ends it at once, with its sockets', async () => {
    const { token, secret } = await make({ scopes: ['read'] });
    expect((await callWith(secret, 'GET', '/api/session')).body).toMatchObject({ may: ['read'], token_id: token.id });
    expect((await callWith(secret, 'POST', '/api/appserver/start', {})).status).toBe(403);
    const [used] = (await box.must('listTokens', {})).tokens.filter(({ id }) => id === token.id);
    expect(used?.last_used_at).toMatch(/T\d\d:00:00\.000Z$/);
    const socket = new WebSocket(`${box.url().replace('http', 'ws')}/ws/appserver`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'rpc', id: 1, method: 'thread/list' }));
    const [answer] = await once(socket, 'message');
    expect(JSON.parse(String(answer))).toMatchObject({ type: 'rpc_error', code: 'forbidden' });
    const closed = once(socket, 'close');
    expect((await box.call('revokeToken', { token_id: token.id })).status).toBe(200);
    expect((await closed)[0]).toBe(4001);
    expect((await callWith(secret, 'GET', '/api/session')).status).toBe(401);
    expect((await box.call('revokeToken', { token_id: token.id })).status).toBe(404);
  });

  test('[AT6] an expired one is nobody', async () => {
    const { secret } = await make({ scopes: ['read'], expires_in_days: 1e-9 });
    expect((await callWith(secret, 'GET', '/api/session')).status).toBe(401);
  });

  test('[AT7] a token makes none that is wider, and none at all without a person at a terminal', async () => {
    expect((await box.call('createToken', { scopes: ['run'] }, 'token')).status).toBe(403);
    const narrow = await box.call('createToken', { scopes: ['read'] }, 'token');
    expect(narrow).toMatchObject({ status: 428, body: { code: 'confirmation_required' } });
    const id = narrow.ok ? '' : String(narrow.body.details?.confirm);
    const again = await box.call('createToken', { scopes: ['read'], confirm: { id } }, 'token');
    expect(again.status).toBe(428);
    const { token } = await make({ scopes: ['run'] });
    expect((await box.call('revokeToken', { token_id: token.id }, 'token')).status).toBe(403);
  });

  test('[AT7] the command line makes one at a terminal, and it works with SIGNALBOX_TOKEN', async () => {
    const made = await cli('tokens', 'create', '--scope', 'read', '--label', 'mine', '--json');
    expect([made.code, made.stderr]).toEqual([0, '']);
    const { secret, id: tokenId } = JSON.parse(made.stdout);
    const listed = await cli('tokens', 'list');
    expect(listed.stdout).toContain(tokenId);
    process.env.SIGNALBOX_TOKEN = secret;
    try {
      expect((await cli('conversations', 'list')).code).toBe(0);
      const refused = await cli('conversations', 'new');
      expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('lacks the scope operate')]);
    } finally {
      delete process.env.SIGNALBOX_TOKEN;
    }
    expect((await cli('tokens', 'create', '--scope', 'run')).code).toBe(4);
    expect((await cli('tokens', 'revoke', tokenId)).code).toBe(0);
  });

  test('[AT7] a process that carries the environment of an agent makes none', async () => {
    process.env.CODEX_THREAD_ID = 'x';
    try {
      const refused = await cli('tokens', 'create', '--scope', 'read');
      expect([refused.code, refused.stdout]).toEqual([4, '']);
    } finally {
      delete process.env.CODEX_THREAD_ID;
    }
  });

  test('[AT8][RP9] one for a conversation reaches that one only', async () => {
    const other = await box.create();
    const { secret } = await make({ scopes: ['read', 'operate', 'run'], conversation_id: id });
    const note = (conversation_id: string) =>
      callWith(secret, 'POST', '/api/appserver/transcript/append', { conversation_id, text: 'hi' });
    expect((await note(id)).status).toBe(200);
    expect((await note(other)).status).toBe(403);
    const reading = async (path: string) => (await callWith(secret, 'GET', path)).status;
    expect(await reading(`/api/appserver/conversations/${id}`)).toBe(200);
    expect(await reading(`/api/appserver/conversations/${other}`)).toBe(403);
    expect(await reading(`/api/terminal/${id}`)).toBe(200);
    expect(await reading(`/api/terminal/${other}`)).toBe(403);
    for (const path of ['conversations', 'transcript', 'approvals', 'search?q=x', 'directories', 'rollouts']) {
      expect([path, await reading(`/api/appserver/${path}`)]).toEqual([path, 403]);
    }
    for (const path of ['/fws/shells', '/v1/threads', '/api/messages', '/api/tokens']) {
      expect([path, [403, 404]]).toEqual([path, expect.arrayContaining([await reading(path)])]);
    }
    const rpc = { method: 'thread/list', conversation_id: id };
    expect((await callWith(secret, 'POST', '/api/appserver/rpc', rpc)).status).toBe(403);
    const wider = await callWith(secret, 'POST', '/api/tokens', { scopes: ['read'] });
    expect(wider.status).toBe(403);
    const socket = new WebSocket(`${box.url().replace('http', 'ws')}/ws/appserver`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'subscribe', conversation_id: other }));
    const [answer] = await once(socket, 'message');
    expect(JSON.parse(String(answer))).toMatchObject({ type: 'refused', code: 'forbidden', conversation_id: other });
    socket.close();
  });
});

describe('the second confirmation', () => {
  const asked = (answer: { readonly status: number; readonly body: object }): string => {
    expect(answer).toMatchObject({ status: 428, body: { code: 'confirmation_required' } });
    const { details } = JSON.parse(JSON.stringify(answer.body));
    expect(details.means.length).toBeGreaterThan(0);
    return details.confirm;
  };
  const settings = async (own: string) => (await box.must('readConversation', { id: own })).conversation;

  test('[AT9] no door lets a session choose Never ask or No sandbox without one', async () => {
    const own = await box.create();
    const before = (await box.must('listConversations', {})).conversations.length;
    for (const loose of [{ approval: 'never' }, { sandbox: 'danger-full-access' }] as const) {
      asked(await box.callOnce('createConversation', { cwd: box.project, ...loose }));
      asked(await box.callOnce('patchConversation', { id: own, ...loose }));
      asked(await box.callOnce('patchCurrentConversation', { conversation_id: own, ...loose }));
      asked(await box.callOnce('writeConfig', loose));
    }
    asked(await box.callOnce('createToken', { scopes: ['read'] }));
    expect(await settings(own)).toMatchObject({ approval: 'on-request', sandbox: 'workspace-write' });
    expect((await box.must('readConfig', {})).approval).toBe('on-request');
    expect((await box.must('listConversations', {})).conversations.length).toBe(before);
  });

  test('[AT9] a challenge is for one change, once; what is chosen already is not asked about', async () => {
    const [own, other] = [await box.create(), await box.create()];
    const confirm = { id: asked(await box.callOnce('patchConversation', { id: own, approval: 'never' })) };
    asked(await box.callOnce('patchConversation', { id: other, approval: 'never', confirm }));
    asked(await box.callOnce('patchConversation', { id: own, sandbox: 'danger-full-access', confirm }));
    asked(
      await box.callOnce('patchConversation', { id: own, approval: 'never', sandbox: 'danger-full-access', confirm }),
    );
    expect((await box.callOnce('patchConversation', { id: own, approval: 'never', confirm })).status).toBe(200);
    expect((await box.callOnce('patchConversation', { id: own, approval: 'never', label: 'x' })).status).toBe(200);
    await box.must('patchConversation', { id: own, approval: 'on-request' });
    asked(await box.callOnce('patchConversation', { id: own, approval: 'never', confirm }));
    expect((await settings(own)).approval).toBe('on-request');
  });

  test('[AT10] with a password, only with it', async () => {
    const own = await box.create();
    expect((await box.call('writePassword', { password: 'correct horse' })).status).toBe(200);
    try {
      const path = join(box.home, 'password.json');
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect(await readFile(path, 'utf8')).not.toContain('horse');
      const change = { id: own, approval: 'never' } as const;
      const confirm = { id: asked(await box.callOnce('patchConversation', change)) };
      asked(await box.callOnce('patchConversation', { ...change, confirm }));
      const wrong = await box.callOnce('patchConversation', { ...change, confirm: { ...confirm, password: 'x' } });
      expect(wrong.body).toMatchObject({ details: { problem: 'That is not the password.', needs_password: true } });
      expect((await box.callOnce('writePassword', { password: null })).status).toBe(403);
      const right = { ...confirm, password: 'correct horse' };
      expect((await box.callOnce('patchConversation', { ...change, confirm: right })).status).toBe(200);
      expect((await cli('password', 'status')).stdout).toBe('a password is set\n');
    } finally {
      expect((await box.call('writePassword', { current: 'correct horse', password: null })).status).toBe(200);
    }
  });
});
