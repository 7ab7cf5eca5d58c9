/** `npm run test:compat`: the suite in test/compat against other versions of Codex, installed on demand. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codexBinary } from './codex-binary.mjs';
import { ROOT, run, runTool, say } from './run.mjs';
import { setup } from './setup.mjs';

/** By the variable that names the binary to the tests: the oldest version we support, one between it and today's, and a newer one. */
const VERSIONS = { CODEX_COMPAT_BIN: '0.80.0', CODEX_COMPAT_BIN_155: '0.155.0', CODEX_COMPAT_BIN_169: '0.169.0' };

await setup();
const env = { ...process.env, SIGNALBOX_SUITE: 'compat' };
for (const [variable, version] of Object.entries(VERSIONS)) env[variable] = await installCodex(version);
process.exitCode = await runTool('vitest/vitest.mjs', ['run', ...process.argv.slice(2)], { env });

async function installCodex(version) {
  const folder = join(ROOT, '.tmp', `codex-${version}`);
  const manifest = join(folder, 'node_modules/@openai/codex/package.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version)
    return codexBinary(folder);
  say(`installing @openai/codex@${version} into ${folder}`);
  mkdirSync(folder, { recursive: true });
  // A package of its own, so that npm does not take our package.json for the one to change.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const args = [
    'install',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    `@openai/codex@${version}`,
  ];
  const code = await run('npm', args, { cwd: folder, label: 'npm install' });
  if (code !== 0) process.exit(code);
  return codexBinary(folder);
}
