/** `npm run test:compat`: the suite in test/compat against the old Codex the seeds were written for, installed on demand. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codexBinary } from './codex-binary.mjs';
import { ROOT, run, runTool, say } from './run.mjs';
import { setup } from './setup.mjs';

const VERSION = '0.80.0';
const FOLDER = join(ROOT, '.tmp', 'compat');

await setup();
await installOldCodex();
const env = { ...process.env, SIGNALBOX_SUITE: 'compat', CODEX_COMPAT_BIN: codexBinary(FOLDER) };
process.exitCode = await runTool('vitest/vitest.mjs', ['run', ...process.argv.slice(2)], { env });

async function installOldCodex() {
  const manifest = join(FOLDER, 'node_modules/@openai/codex/package.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === VERSION) return;
  say(`installing @openai/codex@${VERSION} into ${FOLDER}`);
  mkdirSync(FOLDER, { recursive: true });
  // A package of its own, so that npm does not take our package.json for the one to change.
  writeFileSync(join(FOLDER, 'package.json'), '{ "private": true }\n');
  const args = [
    'install',
    '--prefix',
    FOLDER,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    `@openai/codex@${VERSION}`,
  ];
  const code = await run('npm', args, { cwd: FOLDER, label: 'npm install' });
  if (code !== 0) process.exit(code);
}
