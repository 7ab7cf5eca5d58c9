/** Which settings of a repository count as programs. */
import { expect, test } from 'vitest';
import { findLocalRemotes, findSettings, lastOf, parseConfig } from './repository-programs.ts';

const local = (...pairs: readonly string[]) =>
  parseConfig(
    new TextEncoder().encode(pairs.map((pair) => `local\0file:.git/config\0${pair.replace('=', '\n')}\0`).join('')),
  );
const keys = (...pairs: readonly string[]) => findSettings(local(...pairs)).map(({ key }) => key);

test.each([
  'core.hookspath=x',
  'core.sshcommand=x',
  'core.gitproxy=x',
  'core.alternaterefscommand=x',
  'credential.helper=!x',
  'credential.https://host.helper=!x',
  'remote.origin.uploadpack=x',
  'remote.origin.receivepack=x',
  'remote.origin.vcs=ext',
  'remote.origin.proxy=x',
  'url.ext::x.insteadof=https://github.com/',
  'url.https://evil/.pushinsteadof=https://github.com/',
  'filter.x.clean=x',
  'filter.x.smudge=x',
  'filter.x.process=x',
  'diff.external=x',
  'diff.x.command=x',
  'diff.x.textconv=x',
  'merge.x.driver=x',
  'merge.tool=x',
  'gpg.program=x',
  'gpg.ssh.program=x',
  'gpg.ssh.defaultkeycommand=x',
  'http.proxy=x',
  'http.sslverify=false',
  'http.https://host.extraheader=x',
  'protocol.ext.allow=always',
  'sequence.editor=x',
  'submodule.x.update=!x',
  'uploadpack.packobjectshook=x',
  'lfs.extension.x.clean=x',
  'lfs.customtransfer.x.path=x',
  'lfs.url=x',
  'branch.main.remote=ext::x',
  'branch.main.mergeoptions=-s x',
  'remote.pushdefault=../other',
  'trailer.x.command=x',
  'interactive.difffilter=x',
  'include.path=more',
  'something.new=x',
  // Run in the place of a helper that is not installed.
  'alias.remote-file=!x',
  'remote.origin.url=file::x',
  'remote.origin.url=::x',
  'remote.origin.url=',
  'remote.origin.pushurl=[x/y]:repo',
  // A pull would replace or prune branches and checkpoints here.
  'remote.origin.fetch=+refs/heads/*:refs/heads/*',
  'remote.origin.fetch=+refs/x/*:refs/signalbox/*',
  'remote.origin.fetch=refs/heads/main:main',
])('[CH131] %s counts', (pair) => {
  expect(keys(pair)).toEqual([pair.slice(0, pair.indexOf('='))]);
});

test('[CH131] what git init, clone, switch and push write does not count', () => {
  const pairs = [
    'core.repositoryformatversion=0',
    'core.filemode=true',
    'core.bare=false',
    'core.logallrefupdates=true',
    'remote.origin.url=https://host/r',
    'remote.origin.fetch=+refs/heads/*:refs/remotes/origin/*',
    'remote.origin.fetch=+refs/tags/*:refs/tags/*',
    'remote.origin.fetch=refs/heads/main',
    'remote.origin.fetch=^refs/heads/wip/*',
    'branch.feat/a.B.remote=origin',
    'branch.feat/a.B.merge=refs/heads/main',
    'user.name=A',
    'commit.gpgsign=true',
    'extensions.worktreeconfig=true',
    'pull.rebase=true',
    'push.autosetupremote=true',
  ];
  expect(keys(...pairs)).toEqual([]);
});

test("[CH131] a person's own settings do not count, and values show no credentials", () => {
  const text =
    'global\0file:/g\0credential.helper\nstore\0local\0file:c\0http.proxy\nhttp://me:pw@host\0local\0file:c\0core.bare\0';
  const entries = parseConfig(new TextEncoder().encode(text));
  expect(findSettings(entries)).toEqual([{ key: 'http.proxy', value: 'http://host' }]);
  expect(lastOf(entries, 'credential.helper')).toMatchObject({ scope: 'global', value: 'store' });
  expect(entries.at(-1)).toEqual({ scope: 'local', origin: 'file:c', key: 'core.bare', value: '' });
});

test('[CH131] a secret in a setting is not shown', () => {
  const entries = local('http.https://github.com/.extraheader=AUTHORIZATION: basic c2VjcmV0', 'lfs.x.token=abc');
  expect(findSettings(entries).map(({ value }) => value)).toEqual(['(not shown)', '(not shown)']);
});

test('[CH131] remotes on this disk are found', () => {
  const entries = local('remote.a.url=../a.git', 'remote.b.url=https://host/b', 'remote.b.pushurl=file:///srv/b');
  expect(findLocalRemotes(entries)).toEqual([
    { name: 'a', path: '../a.git' },
    { name: 'b', path: '/srv/b' },
  ]);
});
