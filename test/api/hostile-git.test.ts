/** A repository whose own git configuration names programs: from opening a conversation in it to the second message nothing of them runs. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
beforeAll(async () => {
  const codexBin = process.env.SIGNALBOX_TEST_CODEX;
  box = await openBox({ ...(codexBin !== undefined && { codexBin }) });
});
afterAll(() => box.close());

const PROGRAMS = [
  'filter.x.clean',
  'core.fsmonitor',
  'core.pager',
  'core.alternateRefsCommand',
  'diff.external',
  'core.sshCommand',
  'gpg.program',
  'gpg.ssh.program',
];

/** A file in it has changed, so that git must look at the file's content, which goes through the filter. */
async function makeRepository(): Promise<{ cwd: string; mark: string }> {
  const cwd = join(box.dir, 'hostile');
  const mark = join(box.dir, 'ran');
  await mkdir(cwd);
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd, stdio: 'ignore' });
  git('init', '-q', '-b', 'trunk');
  await writeFile(join(cwd, 'a.txt'), 'one\n');
  git('add', '-A');
  git('-c', 'user.name=x', '-c', 'user.email=x@example.org', 'commit', '-qm', 'x');
  await writeFile(join(cwd, '.gitattributes'), '* filter=x\n');
  const says = (name: string) => `sh -c 'touch ${mark}-${name}; cat'`;
  // A commit with a signature: showing it starts the program that checks signatures.
  const commit = execFileSync('git', ['cat-file', 'commit', 'HEAD'], { cwd }).toString();
  const signature = 'gpgsig -----BEGIN SSH SIGNATURE-----\n AAAA\n -----END SSH SIGNATURE-----\n';
  const signed = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
    cwd,
    input: commit.replace('\n\n', `\n${signature}\n`),
  });
  git('reset', '-q', '--hard', signed.toString().trim());
  git('config', 'log.showSignature', 'true');
  git('config', 'gpg.ssh.allowedSignersFile', join(cwd, 'a.txt'));
  for (const key of PROGRAMS) git('config', key, says(key));
  await writeFile(join(cwd, 'a.txt'), 'two\n');
  return { cwd, mark };
}

test('[WT30] a message in a repository runs no program that its git configuration names; commands of the agent use git as ever', async () => {
  const { cwd, mark } = await makeRepository();
  const ran = () => PROGRAMS.filter((name) => existsSync(`${mark}-${name}`));
  const id = await box.create({ cwd, sandbox: 'read-only', approval: 'never' });
  const send = async (text: string) => {
    const watcher = await box.watch(id);
    await box.must('sendMessage', { conversation_id: id, text });
    await watcher.turnEnd();
  };
  for (const text of ['first', 'second']) {
    box.model.push({ match: text, events: [{ say: 'done' }] });
    await send(text);
    expect(ran()).toEqual([]);
  }
  const command = {
    call: 'exec_command',
    args: { cmd: 'git status --short; git branch --show-current', login: false },
  };
  box.model.push({ match: 'third', events: [command] }, { match: 'third', events: [{ say: 'done' }] });
  await send('third');
  const [entry] = (await box.entries(id)).filter((one) => one.role === 'command');
  expect(entry).toMatchObject({ output: expect.stringMatching(/M a\.txt[\s\S]*trunk/) });
  // In its sandbox it may write nothing, so a filter that it runs leaves no mark.
  expect(ran()).toEqual([]);
});
