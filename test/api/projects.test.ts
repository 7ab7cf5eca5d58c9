/** What new conversations in a project start with: remembered per project, sealed, never carried into another one. */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

async function makeProject(name: string): Promise<string> {
  const path = join(box.project, name);
  await mkdir(path, { recursive: true });
  return path;
}

const created = async (input: Parameters<Box['create']>[0]) =>
  (await box.must('createConversation', { ...input })).conversation;

test('[CS50] a project remembers the settings that were named, and no others', async () => {
  const cwd = await makeProject('remembers');
  await created({ cwd, sandbox: 'read-only', approval: 'untrusted', mode: 'plan', remember: ['sandbox'] });
  expect(await box.must('startSettings', { cwd })).toMatchObject({
    cwd,
    sandbox: 'read-only',
    approval: 'on-request',
    remembered: ['sandbox'],
  });
  expect(await created({ cwd })).toMatchObject({ sandbox: 'read-only', approval: 'on-request', mode: 'default' });
  await box.restart();
  expect(await created({ cwd })).toMatchObject({ sandbox: 'read-only' });
  expect(await box.must('forgetProject', { cwd })).toMatchObject({ sandbox: 'workspace-write', remembered: [] });
  expect(await created({ cwd })).toMatchObject({ sandbox: 'workspace-write' });
});

test('[CS51] loose settings are confirmed first, say how far they reach, and reach no other directory', async () => {
  const cwd = await makeProject('loose');
  const loose = { cwd, approval: 'never', sandbox: 'danger-full-access', remember: ['approval', 'sandbox'] } as const;
  const asked = await box.callOnce('createConversation', { ...loose, remember: [...loose.remember] });
  expect(asked).toMatchObject({ ok: false, body: { code: 'confirmation_required' } });
  expect(JSON.stringify(asked.body)).toContain(`New conversations in ${cwd} start with it too.`);
  expect((await box.must('startSettings', { cwd })).remembered).toEqual([]);

  await created({ ...loose, remember: [...loose.remember] });
  expect(await created({ cwd })).toMatchObject({ approval: 'never', sandbox: 'danger-full-access' });
  const below = await makeProject('loose/below');
  const twin = await makeProject('loose2');
  for (const other of [below, twin, box.project]) {
    expect(await created({ cwd: other })).toMatchObject({ approval: 'on-request', sandbox: 'workspace-write' });
  }
  // A link is the project it leads to, whatever the link is called.
  const link = join(box.project, 'link');
  await symlink(twin, link);
  expect(await created({ cwd: link })).toMatchObject({ approval: 'on-request' });
});

test('[CS51] a token sets nothing a project remembers and forgets nothing', async () => {
  const cwd = await makeProject('token');
  const remembered = await box.call(
    'createConversation',
    { cwd, sandbox: 'read-only', remember: ['sandbox'] },
    'token',
  );
  expect(remembered).toMatchObject({ status: 403 });
  expect(await box.call('forgetProject', { cwd }, 'token')).toMatchObject({ status: 403 });
  expect((await box.must('startSettings', { cwd }, 'token')).remembered).toEqual([]);
});

test('[CS51] a file of remembered settings that the server did not write counts for nothing', async () => {
  const cwd = await makeProject('forged');
  await created({ cwd, sandbox: 'read-only', remember: ['sandbox'] });
  const path = join(box.home, 'project_settings.json');
  const file = JSON.parse(await readFile(path, 'utf8'));
  const forged = file.projects.map((one: object) => ({ ...one, settings: { sandbox: 'danger-full-access' } }));
  await box.kill();
  await writeFile(path, JSON.stringify({ ...file, projects: forged }));
  await box.restart();
  expect(await created({ cwd })).toMatchObject({ sandbox: 'workspace-write' });
});

test('[CS52] a directory may be given with ~ and with a slash at its end', async () => {
  const cwd = await makeProject('tilde');
  expect(await created({ cwd: '~/project/tilde/' })).toMatchObject({ cwd });
  const { conversation_id: id } = await created({});
  const patched = await box.must('patchConversation', { id, cwd: '~/project/tilde' });
  expect(patched.conversation.cwd).toBe(cwd);
  expect(await box.must('startSettings', { cwd: '~/project/tilde' })).toMatchObject({ cwd });
  expect(await box.must('writeConfig', { cwd: '~/project/tilde' })).toMatchObject({ cwd });
  await box.must('writeConfig', { cwd: null });
  expect((await box.must('mention', { cwd: '~/project' })).files).toBeDefined();
  for (const bad of ['~/not/there', 'project', '~you']) {
    const refused = await box.call('createConversation', { cwd: bad });
    expect(refused).toMatchObject({ ok: false, body: { code: 'missing_cwd' } });
    expect(JSON.stringify(refused.body)).toContain(bad);
  }
});

test('[CS53] recent projects are directories that exist, newest activity first', async () => {
  const first = await makeProject('recent-first');
  const second = await makeProject('recent-second');
  await created({ cwd: first });
  await created({ cwd: second });
  await created({ cwd: second });
  const { projects } = await box.must('recentProjects', {});
  expect(projects[0]).toMatchObject({ cwd: second, conversations: 2 });
  expect(projects[1]).toMatchObject({ cwd: first, conversations: 1 });
});
