/** Which links ask before they open. */
import { expect, test } from 'vitest';
import { isNearHost } from './near-host.ts';

test.each([
  'http://127.0.0.1:9000/',
  'http://127.8.9.10',
  'http://localhost:12359',
  'http://LOCALHOST./x',
  'http://a.localhost',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://127.1',
  'http://0.0.0.0:80',
  'http://user@127.0.0.1/',
  'https://10.0.0.1',
  'http://172.16.0.1',
  'http://172.31.255.255',
  'http://192.168.178.1/admin',
  'http://169.254.169.254/latest/meta-data',
  'http://[::1]:8080/',
  'http://[::]/',
  'http://[fd00::1]/',
  'http://[fc12:3::1]/',
  'http://[fe80::1]/',
  'http://[febf::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://printer/',
  'http://printer.local/',
  'http://nas.lan/',
  'http://router.home.arpa/',
  'http://vault.internal./',
])('[PG65] %s is near', (address) => {
  expect(isNearHost(new URL(address).hostname)).toBe(true);
});

test.each([
  'https://example.org',
  'https://127.0.0.1.example.org',
  'https://localhost.example.org/',
  'http://172.15.0.1',
  'http://172.32.0.1',
  'http://192.169.0.1',
  'http://11.0.0.1',
  'http://[2001:db8::1]/',
  'http://[fec0::1]/',
  'https://local.example',
  'https://10.example.org',
])('[PG65] %s is not', (address) => {
  expect(isNearHost(new URL(address).hostname)).toBe(false);
});
