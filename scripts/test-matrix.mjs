/**
 * `npm run test:matrix [-- --only name,name] [files]`: the suite as other people's machines would run it, one row after the other: another
 * user, language, time zone, network, Node and place. Prints a table; what cannot be done here is skipped with its reason.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyProject } from './project-copy.mjs';
import { ROOT, run, say, seconds } from './run.mjs';
import { setup } from './setup.mjs';
import { runVitest } from './vitest-run.mjs';

const NODES = ['20', '22', '24'];
/** Made for one run and removed after it. */
const USER = 'signalbox-test';

/** Each row answers how the suite is to be run, or why it cannot be. */
const ROWS = {
  'LANG=C': async () => ({ env: { ...withoutLocale(), LANG: 'C' } }),
  'TZ=Pacific/Auckland': async () => ({ env: { ...process.env, TZ: 'Pacific/Auckland' } }),
  'without IPv6': withoutIpv6,
  'not root': asOtherUser,
  'temporary directory': inTemporaryDirectory,
  ...Object.fromEntries(NODES.map((major) => [`Node ${major}`, () => withNode(major)])),
};

const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true });
const wanted = values.only?.split(',').map((name) => name.trim()) ?? Object.keys(ROWS);
const unknown = wanted.filter((name) => !(name in ROWS));
if (unknown.length > 0) {
  say(`no such row: ${unknown.join(', ')}. There are: ${Object.keys(ROWS).join(', ')}`);
  process.exit(2);
}

await setup();
const table = [];
for (const name of wanted) {
  say(`── ${name}`);
  const startedMs = performance.now();
  const how = await ROWS[name]();
  if (typeof how === 'string') {
    table.push([name, `skipped: ${how}`]);
    continue;
  }
  try {
    const { isOk, passed, failed, skipped } = await runVitest(positionals, { ...how, label: name });
    table.push([
      name,
      `${isOk ? 'ok    ' : 'FAILED'} ${passed} passed, ${failed} failed, ${skipped} skipped, ${seconds(startedMs)}`,
    ]);
    if (!isOk) process.exitCode = 1;
  } finally {
    how.close?.();
  }
}
console.log('');
for (const [name, text] of table) console.log(`${name.padEnd(22)}${text}`);

function withoutLocale() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('LC_')));
}

/** A network of its own that has the old loopback only. */
async function withoutIpv6() {
  const script = 'ip link set lo up && echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6 && exec "$@"';
  const wrap = ['unshare', '--net', 'sh', '-c', script, 'sh'];
  return canRun([...wrap, 'true']) ? { wrap } : 'a network namespace needs root, and the programs unshare and ip';
}

async function asOtherUser() {
  if (process.getuid?.() !== 0) return 'this is not root already: every other row is that';
  if (!canRun(['useradd', '--help']) || !canRun(['setpriv', '--help'])) return 'useradd and setpriv are needed';
  const place = mkdtempSync(join(tmpdir(), 'signalbox-user-'));
  const root = join(place, 'clone');
  const home = join(place, 'home');
  const close = () => {
    execFileSync('userdel', [USER], { stdio: 'ignore' });
    rmSync(place, { recursive: true, force: true });
  };
  execFileSync('useradd', ['--home-dir', home, '--no-create-home', '--shell', '/bin/bash', USER]);
  const wrap = ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--init-groups', '--inh-caps=-all', '--'];
  if (!canRun([...wrap, 'test', '-x', tmpdir()])) {
    close();
    return `another user may not enter ${tmpdir()}; name a folder that everybody may with TMPDIR`;
  }
  try {
    copyProject(root, { isOwn: true });
    mkdirSync(home, { mode: 0o700 });
    mkdirSync(join(root, '.tmp'), { recursive: true });
    execFileSync('chown', ['-R', `${USER}:`, place]);
  } catch (error) {
    close();
    throw error;
  }
  const env = { ...process.env, HOME: home, USER, LOGNAME: USER, SHELL: '/bin/bash' };
  return { root, wrap, env, close };
}

async function inTemporaryDirectory() {
  const place = mkdtempSync(join(tmpdir(), 'signalbox-clone-'));
  copyProject(place);
  return { root: place, close: () => rmSync(place, { recursive: true, force: true }) };
}

/** From npm, like everything else. */
async function withNode(major) {
  if (process.versions.node.startsWith(`${major}.`)) return {};
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(ROOT, '.tmp', `node-${major}`);
  const node = join(folder, 'node_modules', name, 'bin', 'node');
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true });
    // A package of its own, so that npm does not take our package.json for the one to change.
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${major}`];
    if ((await run('npm', args, { cwd: folder, label: 'npm install' })) !== 0) return `npm has no ${name}@${major}`;
  }
  const path = `${join(node, '..')}:${process.env.PATH ?? ''}`;
  return { node, env: { ...process.env, PATH: path } };
}

function canRun([command, ...args]) {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
