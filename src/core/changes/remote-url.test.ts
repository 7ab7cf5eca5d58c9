/** Addresses of remotes in all their forms; none of them shows a password. */
import { expect, test } from 'vitest';
import { compareUrl, parseRemoteUrl, withoutCredentials } from './remote-url.ts';

test.each([
  ['https://github.com/o/r.git', 'github.com', 'o/r'],
  ['https://me:secret@github.com/o/r', 'github.com', 'o/r'],
  ['https://me:se@cret@github.com/o/r', 'github.com', 'o/r'],
  ['git@github.com:o/r.git', 'github.com', 'o/r'],
  ['github.com:o/r.git', 'github.com', 'o/r'],
  ['ssh://git@gitlab.example.com:2222/group/sub/r.git/', 'gitlab.example.com', 'group/sub/r'],
  ['git://host/r', 'host', 'r'],
])('[CH147] %s', (url, host, path) => {
  expect(parseRemoteUrl(url)).toEqual({ kind: 'host', host, path });
});

test.each([
  ['/srv/r.git', { kind: 'path', path: '/srv/r.git' }],
  ['../r', { kind: 'path', path: '../r' }],
  ['./a:b', { kind: 'path', path: './a:b' }],
  ['file:///srv/a%20b.git', { kind: 'path', path: '/srv/a b.git' }],
  ['file://localhost/srv/r', { kind: 'path', path: '/localhost/srv/r' }],
  ['ext::sh -c evil', { kind: 'other' }],
  ['::x', { kind: 'other' }],
  ['[x/y]:repo', { kind: 'other' }],
  [' https://host/r', { kind: 'other' }],
  ['FILE:///srv/r', { kind: 'other' }],
  ['foo://bar/x', { kind: 'other' }],
  ['', { kind: 'other' }],
])('[CH147] %s is no address of a host', (url, expected) => {
  expect(parseRemoteUrl(url)).toEqual(expected);
});

test('[CH147] the compare page of each host, for both kinds of address', () => {
  const page = (url: string) => compareUrl(parseRemoteUrl(url), 'main', 'feat/a b#c');
  expect(page('git@github.com:o/r.git')).toBe('https://github.com/o/r/compare/main...feat/a%20b%23c?expand=1');
  expect(page('https://me:pw@gitlab.com/g/s/r.git')).toBe(
    'https://gitlab.com/g/s/r/-/merge_requests/new?merge_request%5Bsource_branch%5D=feat%2Fa%20b%23c&merge_request%5Btarget_branch%5D=main',
  );
  expect(page('ssh://git@altssh.bitbucket.org:443/o/r.git')).toBe(
    'https://bitbucket.org/o/r/pull-requests/new?source=feat%2Fa%20b%23c&dest=main',
  );
  expect(page('https://codeberg.org/o/r')).toBe('https://codeberg.org/o/r/compare/main...feat/a%20b%23c');
  expect(page('https://example.com/o/r')).toBeNull();
  expect(page('/srv/github/r')).toBeNull();
});

test('[CH147] no text shows the credentials of an address', () => {
  expect(withoutCredentials("fatal: 'https://me:s3cret@host/r' and https://tok@host/x?private_token=abc&y=1")).toBe(
    "fatal: 'https://host/r' and https://host/x?private_token=…&y=1",
  );
  expect(withoutCredentials('https://a:p@ss@host/r')).toBe('https://host/r');
  expect(withoutCredentials('git@github.com:o/r.git')).toBe('git@github.com:o/r.git');
});
