/** Programs outside npm that the tests use: installed by apt-get where we may, named for the user where we may not. */
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run, say } from './run.mjs';

const SYSTEM_PACKAGES = [
  { package: 'bubblewrap', command: 'bwrap' },
  { package: 'ripgrep', command: 'rg' },
  { package: 'zsh', command: 'zsh' },
  { package: 'fish', command: 'fish' },
  { package: 'dtach', command: 'dtach' },
  { package: 'strace', command: 'strace' },
  { package: 'chromium', command: 'chromium' },
  { package: 'nats-server', command: 'nats-server' },
  { package: 'redis-server', command: 'redis-server' },
  { package: 'rabbitmq-server', command: 'rabbitmq-server' },
  { package: 'mosquitto', command: 'mosquitto' },
  { package: 'fonts-dejavu-core', file: '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf' },
];

/** Never fails: a test that cannot do without one of them says so itself. */
export async function ensureSystemPackages() {
  const names = missing();
  if (names.length === 0) return;
  if (process.getuid?.() !== 0 || !hasCommand('apt-get')) {
    say(
      `missing: ${names.join(', ')}. Please install with your package manager, e.g. sudo apt-get install ${names.join(' ')}`,
    );
    return;
  }
  say(`installing ${names.join(', ')} with apt-get`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['install', '-y', '-q', '--no-install-recommends', ...names];
  if ((await run('apt-get', install, { env, label: 'apt-get install' })) !== 0) {
    // A fresh image has no package lists.
    await run('apt-get', ['update', '-q'], { env, label: 'apt-get update' });
    await run('apt-get', install, { env, label: 'apt-get install' });
  }
  if (missing().length > 0) say(`still missing: ${missing().join(', ')}; going on without`);
}

function missing() {
  return SYSTEM_PACKAGES.filter(({ command, file }) => !(command ? hasCommand(command) : existsSync(file))).map(
    (entry) => entry.package,
  );
}

function hasCommand(command) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
