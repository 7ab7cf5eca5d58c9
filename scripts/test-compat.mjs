/** `npm run test:compat`: the suite in test/compat against other versions of Codex, installed on demand. */
import { installCodex } from './codex-install.mjs';
import { runTool } from './run.mjs';
import { setup } from './setup.mjs';

/** From the oldest version we support to today's; `test/compat/versions.test.ts` tries each of them. */
const VERSIONS = ['0.80.0', '0.110.0', '0.125.0', '0.140.0', '0.155.0', '0.166.0', '0.169.0'];
/** Versions with tests of their own, by the variable that names the binary to them. */
const NAMED = { CODEX_COMPAT_BIN: '0.80.0', CODEX_COMPAT_BIN_155: '0.155.0', CODEX_COMPAT_BIN_166: '0.166.0' };

await setup();
const binaries = {};
for (const version of VERSIONS) binaries[version] = await installCodex(version);
const env = { ...process.env, SIGNALBOX_SUITE: 'compat', CODEX_COMPAT_VERSIONS: JSON.stringify(binaries) };
for (const [variable, version] of Object.entries(NAMED)) env[variable] = binaries[version];
process.exitCode = await runTool('vitest/vitest.mjs', ['run', ...process.argv.slice(2)], { env });
