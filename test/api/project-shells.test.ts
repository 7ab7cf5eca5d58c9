/** The shells that a project's own shellspec describes: read without starting anything, and started as they were shown. */
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually, setShellsStand } from './shells-stand.ts';

const stand = setShellsStand();

/** A project of its own with these files, and a conversation in it. */
async function project(name: string, files: Readonly<Record<string, string>>): Promise<{ dir: string; id: string }> {
  const dir = join(stand.box.dir, name);
  await mkdir(join(dir, 'shellspec'), { recursive: true });
  for (const [path, text] of Object.entries(files)) await writeFile(join(dir, path), text);
  return { dir, id: await stand.box.create({ cwd: dir }) };
}

const one = (lines: string) => `version: "1"\nshells:\n  web:\n${lines.replace(/^/gm, '    ')}\n`;
const specsOf = async (id: string) => (await stand.box.must('projectShells', { id }, 'token')).files;
const ownShells = async () =>
  (await stand.box.must('listShells', {})).shells.filter((shell) => !shell.is_infrastructure);

test('[SH60] the shells of shellspec.yaml and of the folder shellspec are listed as they are written, and nothing starts', async () => {
  const { dir, id } = await project('listed', {
    'shellspec.yaml': one(`backend: proc
cwd: \${CWD}/app
command: ["sh", "-c", "touch \${CWD}/started; exec sleep 600 \${free_port}"]
env: {PATH: /evil, TOKEN: "\${env:HOME}"}
health: {check: command, command: ["sh", "-c", "touch probed"]}
restart: always
ui: {title: The web, description: Serves}`),
    'shellspec/queue.yml': one(`backend: pipe\ncommand: "exec cat \${ctx:WORD}"`),
    'shellspec/readme.txt': 'no spec',
  });
  const [first, second, ...rest] = await specsOf(id);
  expect(rest).toEqual([]);
  expect(first).toMatchObject({ file: join(dir, 'shellspec.yaml'), path: 'shellspec.yaml', cwd: dir, problem: null });
  expect(first?.shells).toEqual([
    {
      name: 'web',
      title: 'The web',
      description: 'Serves',
      backend: 'proc',
      command: `sh -c 'touch ${dir}/started; exec sleep 600 \${free_port}'`,
      cwd: `${dir}/app`,
      env: [
        { name: 'PATH', value: '/evil' },
        // A value of the server's environment is in no answer.
        { name: 'TOKEN', value: `\${env:HOME}` },
      ],
      health_command: "sh -c 'touch probed'",
      restart: 'always',
      missing: [],
    },
  ]);
  expect(second).toMatchObject({ path: 'shellspec/queue.yml', cwd: dir });
  expect(second?.shells).toMatchObject([
    { name: 'web', title: 'web', command: `exec cat \${ctx:WORD}`, missing: ['WORD'] },
  ]);
  expect(await ownShells()).toEqual([]);
});

test('[SH61] a shell is started with the text that was shown, and refused when the file says something else by now', async () => {
  const { dir, id } = await project('changed', {
    'shellspec.yaml': one('backend: proc\ncommand: [sleep, "600"]'),
  });
  const [shown] = await specsOf(id);
  if (shown === undefined) throw new Error('the file is listed');
  const { file, cwd, sha256 } = shown;
  await writeFile(file, one(`backend: proc\ncommand: ["touch", "${dir}/evil"]`));
  const refused = await stand.box.call('upShells', { file, cwd, shell: 'web', sha256 });
  expect(refused).toMatchObject({ status: 409, body: { code: 'conflict', details: { reason: 'changed' } } });
  expect(await ownShells()).toEqual([]);
  const [now] = await specsOf(id);
  expect(now?.shells).toMatchObject([{ command: `touch ${dir}/evil` }]);
  await writeFile(file, one('backend: proc\ncommand: [sleep, "600"]'));
  const up = await stand.box.must('upShells', { file, cwd, shell: 'web', sha256 });
  expect(up.shells).toMatchObject([{ state: 'running', command: ['sleep', '600'], cwd: dir }]);
  await stand.box.must('stopShell', { id: up.shells[0]?.id ?? '' });
  await stand.box.must('purgeShells', {});
});

test('[SH62] a file that leads out of the project, is no file, can be written by everybody or is broken tells only why', async () => {
  const outside = join(stand.box.dir, 'outside.yaml');
  await writeFile(outside, one('backend: proc\ncommand: [echo, SECRET]'));
  const { dir, id } = await project('hostile', {
    'shellspec.yaml': one('backend: proc\ncommand: [echo, open]'),
    'shellspec/broken.yaml': 'version: "1"\nshells: [ }',
    'shellspec/infra.yaml': one('backend: proc\ncommand: [x]\nlabels: {signalbox: infrastructure}'),
  });
  await chmod(join(dir, 'shellspec.yaml'), 0o666);
  await symlink(outside, join(dir, 'shellspec', 'link.yaml'));
  execFileSync('mkfifo', [join(dir, 'shellspec', 'pipe.yaml')]);
  const all = await specsOf(id);
  expect(all.map(({ path, problem, shells }) => [path, problem !== null, shells.length])).toEqual([
    ['shellspec.yaml', true, 0],
    ['shellspec/broken.yaml', true, 0],
    ['shellspec/infra.yaml', false, 1],
    ['shellspec/link.yaml', true, 0],
    ['shellspec/pipe.yaml', true, 0],
  ]);
  expect(JSON.stringify(all)).not.toContain('SECRET');
  for (const name of ['pipe.yaml', 'infra.yaml']) {
    const up = await stand.box.call('upShells', { file: join(dir, 'shellspec', name) });
    expect([name, up.status]).toEqual([name, 400]);
    expect(await ownShells()).toEqual([]);
  }
});

test('[SH63] a conversation without a shellspec, or without a directory, has none', async () => {
  const { id } = await project('empty', {});
  expect(await specsOf(id)).toEqual([]);
  const unknown = await stand.box.call('projectShells', { id: `conv_${'0'.repeat(32)}` });
  expect(unknown.status).toBe(404);
});

test('[SH64] a shell without a title is called by its name in the shellspec, another one of it by both names', async () => {
  const file = await stand.spec('backend: proc\ncommand: [sleep, "600"]');
  const first = (await stand.box.must('upShells', { file })).shells[0];
  const second = (await stand.box.must('upShells', { file, name: 'b' })).shells[0];
  expect([first?.title, second?.title]).toEqual(['it', 'it (b)']);
  for (const shell of [first, second]) await stand.box.must('stopShell', { id: shell?.id ?? '' });
});

test('[SH65] the TCP ports on which a shell or a child of it listens are told, and gone with it', async () => {
  const listen =
    "require('net').createServer().listen(0, '127.0.0.1', function () { console.log('port ' + this.address().port) })";
  const shell = await stand.up(`backend: proc\ncommand: ["sh", "-c", "node -e \\"${listen}\\" & wait"]`);
  await eventually(() => stand.logOf(shell.id)).toMatch(/port \d+/);
  const port = Number(/port (\d+)/.exec(await stand.logOf(shell.id))?.[1]);
  await eventually(async () => (await stand.read(shell.id)).usage?.ports).toEqual([port]);
  await stand.box.must('stopShell', { id: shell.id });
  expect((await stand.read(shell.id)).usage).toBeNull();
});
