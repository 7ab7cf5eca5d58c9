/** Other versions of Codex, each installed once into `.tmp`. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codexBinary } from './codex-binary.mjs';
import { ROOT, run, say } from './run.mjs';

/** `latest` and other tags become the version they stand for. */
export function resolveVersion(wanted) {
  if (/^\d+\.\d+\.\d+/.test(wanted)) return wanted;
  const found = execFileSync('npm', ['view', `@openai/codex@${wanted}`, 'version', '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const versions = JSON.parse(found);
  return Array.isArray(versions) ? versions.at(-1) : versions;
}

/** The binary of that version; ends the script if npm cannot install it. */
export async function installCodex(version) {
  const folder = join(ROOT, '.tmp', `codex-${version}`);
  const manifest = join(folder, 'node_modules/@openai/codex/package.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version)
    return codexBinary(folder);
  say(`installing @openai/codex@${version} into ${folder}`);
  mkdirSync(folder, { recursive: true });
  // A package of its own, so that npm does not take our package.json for the one to change.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund'];
  const args = ['install', '--prefix', folder, ...options, `@openai/codex@${version}`];
  const code = await run('npm', args, { cwd: folder, label: 'npm install', isQuiet: true });
  if (code !== 0) process.exit(code);
  return codexBinary(folder);
}
