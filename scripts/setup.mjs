/** Makes a fresh clone ready: the right Node, and the packages of the lockfile. Built-ins only; instant when there is nothing to do. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run, say, seconds } from './run.mjs';

const MIN_NODE = [20, 19];

export async function setup() {
  requireNode();
  const reason = staleReason();
  if (reason) await install(reason);
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])) return;
  say(`Node ${MIN_NODE.join('.')} or newer is needed; this is ${process.version} (${process.execPath}).`);
  say('Install a current one from https://nodejs.org or with your version manager, then run the command again.');
  process.exit(1);
}

/** Why the installed packages are not those of the lockfile; undefined when they are. */
function staleReason() {
  const installedPath = join(ROOT, 'node_modules', '.package-lock.json');
  if (!existsSync(installedPath)) return 'packages are not installed yet';
  const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedPath, 'utf8')).packages;
  for (const [path, entry] of Object.entries(wanted)) {
    const present = installed[path];
    // An optional package may be absent: most are binaries for other platforms.
    if (path === '' || (!present && entry.optional)) continue;
    if (present?.version !== entry.version || present?.integrity !== entry.integrity) {
      return `${path.replace(/^.*node_modules\//, '')} is not the locked version`;
    }
  }
  return undefined;
}

async function install(reason) {
  const startedMs = performance.now();
  say(`${reason}: running npm ci (once; Codex itself is a download of about 100 MB)`);
  // Build and test tools are dev dependencies, so they are needed also where NODE_ENV is "production".
  // No package needs a script of its own at install, and none gets to run one; ours (`prepack`) must, so .npmrc is the wrong place to say it.
  const args = ['ci', '--ignore-scripts', '--include=dev', '--include=optional'];
  const code = await run('npm', args, { label: 'npm ci' });
  if (code !== 0) {
    say(`npm ci failed with exit code ${code}; its own message is above.`);
    process.exit(code);
  }
  say(`packages installed in ${seconds(startedMs)}`);
}
