/** What programs with a token may do to a real server: the token of `run/server.json` without the scope `run`, and tokens made for it. */
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
