/** A repository that names a program wherever a commit, a switch, a pull or a push would run one: none starts before a person trusts it. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CONVERSATION } from '../../testing/changes-stand.ts';
import { openShipStand } from '../../testing/ship-stand.ts';

type Stand = Awaited<ReturnType<typeof openShipStand>>;

const HOOKS = [
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'post-checkout',
  'pre-push',
  'post-merge',
];
const ALWAYS = [
  'post-index-change',
  'reference-transaction',
  'pre-rebase',
  'post-rewrite',
  'pre-auto-gc',
  'fsmonitor-watchman',
];

function settings(evil: string, hooks: string): string {
  return `
[core]
\thooksPath = ${hooks}
\tsshCommand = ${evil}
\tfsmonitor = ${evil}
\tgitProxy = ${evil}
\teditor = ${evil}
\tpager = ${evil}
\taskPass = ${evil}
\talternateRefsCommand = ${evil}
[credential]
\thelper = !${evil}
[filter "evil"]
\tclean = ${evil}
\tsmudge = ${evil}
[merge "evil"]
\tdriver = ${evil}
[diff]
\texternal = ${evil}
[gpg]
\tprogram = ${evil}
[commit]
\tgpgSign = true
[remote "origin"]
\turl = ext::${evil}
\tfetch = +refs/heads/*:refs/remotes/origin/*
\tuploadpack = ${evil}
\treceivepack = ${evil}
\tvcs = ext
[remote "other"]
\turl = git@evil.invalid:o/r.git
[url "ext::${evil} "]
\tinsteadOf = https://github.com/
[protocol "ext"]
\tallow = always
[branch "main"]
\tremote = origin
\tmerge = refs/heads/main
[push]
\tgpgSign = true
\trecurseSubmodules = on-demand
[sequence]
\teditor = ${evil}
[alias]
\tcommit = !${evil}
\tpush = !${evil}
`;
}

/** Answers the file in which every program of the repository would leave a line. */
function poison({ root, dir, git, write }: Stand): string {
  const canary = join(dir, 'canary');
  const evil = join(dir, 'evil.sh');
  writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> ${canary}\ncat\n`);
  chmodSync(evil, 0o755);
  write('x.txt', 'x\n');
  git(['branch', 'side']);
  for (const folder of [join(root, '.git/hooks'), join(dir, 'hooks')]) {
    mkdirSync(folder, { recursive: true });
    for (const hook of [...HOOKS, ...ALWAYS]) {
      writeFileSync(join(folder, hook), `#!/bin/sh\necho ${hook} >> ${canary}\n`);
      chmodSync(join(folder, hook), 0o755);
    }
  }
  writeFileSync(
    join(root, '.git/config'),
    readFileSync(join(root, '.git/config'), 'utf8') + settings(evil, join(dir, 'hooks')),
  );
  write('.gitattributes', '* filter=evil merge=evil diff=evil\n');
  write('a.txt', 'changed\n');
  rmSync(canary, { force: true });
  return canary;
}

async function tryEverything({ ship, seen, commit, branch, switch: change, pull, push }: Stand): Promise<string[]> {
  for (const what of ['staged', 'all', 'last_commit'] as const) await ship.suggest(CONVERSATION, what);
  expect((await ship.read(CONVERSATION)).ok).toBe(true);
  await ship.draft(CONVERSATION);
  const request = { title: 't', body: '', base: 'main', is_draft: false };
  const answers = [
    await commit({ what: 'all' }),
    await commit({ what: 'paths', paths: ['x.txt'] }),
    await commit({ amend: true }),
    await branch('new'),
    await change('side'),
    await pull('ff'),
    await pull('merge'),
    await pull('rebase'),
    await push(),
    await push(true),
    await ship.pullRequest(CONVERSATION, request, await seen()),
  ];
  return answers.map((answer) => (answer.ok ? 'started' : answer.error.code));
}

test('[CH131] before a person trusts them, no program of a hostile repository runs, and every action is refused', async () => {
  const stand = await openShipStand();
  const canary = poison(stand);
  expect(new Set(await tryEverything(stand))).toEqual(new Set(['forbidden']));
  expect(existsSync(canary) ? readFileSync(canary, 'utf8') : '').toBe('');
  const programs = await stand.ship.programs(CONVERSATION);
  const names = programs.ok ? programs.value.items.map(({ name }) => name) : [];
  expect(names).toEqual(
    expect.arrayContaining([
      ...HOOKS,
      'core.hookspath',
      'core.sshcommand',
      'credential.helper',
      'filter.evil.clean',
      'gpg.program',
      'remote.origin.receivepack',
      'remote.origin.uploadpack',
      'protocol.ext.allow',
    ]),
  );
  expect(names.some((name) => name.startsWith('url.ext::'))).toBe(true);
});

test('[CH131] the corpus works: once trusted, what the repository names runs, but no helper that runs any command', async () => {
  const stand = await openShipStand();
  const canary = poison(stand);
  stand.git(['config', 'commit.gpgSign', 'false']);
  rmSync(canary, { force: true });
  await stand.trustAll();
  await stand.finish(await stand.commit({ what: 'all' }));
  expect(readFileSync(canary, 'utf8')).toMatch(/evil\.sh[\s\S]*pre-commit/);
  rmSync(canary);
  stand.git(['config', '--unset', 'remote.origin.vcs']);
  await stand.trustAll();
  const run = await stand.finish(await stand.push());
  expect(run).toMatchObject({ state: 'failed' });
  expect(run.output).toContain("transport 'ext' not allowed");
});

const HAS_STRACE = existsSync('/usr/bin/strace');

test.skipIf(!HAS_STRACE)('[CH131] traced by strace, nothing but git is started before trust', async () => {
  const stand = await openShipStand();
  poison(stand);
  const trace = join(stand.dir, 'trace');
  const bin = join(stand.dir, 'bin');
  mkdirSync(bin, { recursive: true });
  const real = execFileSync('sh', ['-c', 'command -v git']).toString().trim();
  writeFileSync(
    join(bin, 'git'),
    `#!/bin/sh\nexec /usr/bin/strace -f -qq -A -e trace=execve -o ${trace} ${real} "$@"\n`,
  );
  chmodSync(join(bin, 'git'), 0o755);
  const before = process.env.PATH;
  // The reading git of the stand takes its path from its own environment, so a second stand is opened behind the shim.
  process.env.PATH = `${bin}:${before}`;
  try {
    const traced = await openShipStand();
    poison(traced);
    rmSync(trace, { force: true });
    await tryEverything(traced);
  } finally {
    process.env.PATH = before;
  }
  const started = [...readFileSync(trace, 'utf8').matchAll(/execve\("([^"]+)".*= 0$/gm)].map(([, program]) => program);
  expect(started.length).toBeGreaterThan(20);
  expect(started.filter((program) => !/(^|\/)git$/.test(program ?? ''))).toEqual([]);
});

test('[CH131] another hook, another content of a script, another setting and another remote need trust again', async () => {
  const stand = await openShipStand();
  const { hook, commit, write, git, dir, root } = stand;
  hook('pre-commit', 'exit 0');
  hook('helper.sh', 'exit 0');
  await stand.trustAll();
  write('a.txt', 'two\n');
  expect(await stand.finish(await commit({ what: 'all' }))).toMatchObject({ state: 'done' });
  const changes: (() => void)[] = [
    () => hook('commit-msg', 'exit 0'),
    () => void git(['config', 'includeIf.onbranch:side.path', 'more']),
    () => writeFileSync(join(root, '.git/more'), '[include]\n\tpath = deeper\n'),
    () => writeFileSync(join(root, '.git/deeper'), '[core]\n\tsshCommand = evil\n'),
    () => writeFileSync(join(root, '.git/deeper'), '[core]\n\tsshCommand = worse\n'),
    () => hook('pre-commit', 'exit 0 # other'),
    () => hook('helper.sh', 'exit 0 # other'),
    () => void git(['config', 'core.sshCommand', 'ssh -v']),
    () => void git(['config', 'core.sshCommand', 'ssh -vv']),
    () => void git(['remote', 'add', 'origin', join(dir, 'r.git')]),
    () => void git(['init', '-q', '--bare', join(dir, 'r.git')]),
    () => {
      writeFileSync(join(dir, 'r.git/hooks/pre-receive'), '#!/bin/sh\n');
    },
  ];
  for (const [at, change] of changes.entries()) {
    change();
    expect([at, await commit({ amend: true })]).toMatchObject([at, { error: { code: 'forbidden' } }]);
    await stand.trustAll();
    expect(await stand.finish(await commit({ amend: true }))).toMatchObject({ state: 'done' });
  }
});

test('[CH131] a hook that appears between the look and the commit does not run', async () => {
  const stand = await openShipStand();
  const { hook, commit, write, dir, root } = stand;
  write('a.txt', 'two\n');
  const started = await commit({ what: 'all' });
  hook('pre-commit', `touch ${join(dir, 'ran')}; exit 1`);
  expect(await stand.finish(started)).toMatchObject({
    state: 'failed',
    failure: { message: expect.stringContaining('changed') },
  });
  expect(existsSync(join(dir, 'ran'))).toBe(false);
  expect(existsSync(join(root, '.git/hooks/pre-commit'))).toBe(true);
  expect(await commit({ amend: true })).toMatchObject({ error: { code: 'forbidden' } });
});

test('[CH131] the hooks of a repository in a folder of hooks that is not its own are found too', async () => {
  const stand = await openShipStand();
  mkdirSync(join(stand.root, '.githooks'));
  writeFileSync(join(stand.root, '.githooks/pre-commit'), '#!/bin/sh\n');
  chmodSync(join(stand.root, '.githooks/pre-commit'), 0o755);
  // A setting of the person that leads into whatever repository is open.
  stand.git(['config', '--global', 'core.hooksPath', '.githooks']);
  stand.write('a.txt', 'two\n');
  expect(await stand.commit({ what: 'all' })).toMatchObject({ error: { code: 'forbidden' } });
  // A submodule has a configuration of its own.
  const other = await openShipStand();
  mkdirSync(join(other.root, 'sub'));
  other.git(['init', '-q'], join(other.root, 'sub'));
  other.git(['commit', '-q', '--allow-empty', '-m', 's'], join(other.root, 'sub'));
  other.git(['add', 'sub']);
  other.git(['commit', '-qm', 'sub']);
  expect(await other.commit({ amend: true })).toMatchObject({ ok: true });
  await expect
    .poll(async () => await other.ship.run(CONVERSATION, undefined, new AbortController().signal))
    .toMatchObject({ value: { state: 'done' } });
  other.git(['config', 'core.fsmonitor', 'evil'], join(other.root, 'sub'));
  expect(await other.commit({ amend: true })).toMatchObject({ error: { code: 'forbidden' } });
});
