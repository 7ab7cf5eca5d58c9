/** `npm run bench [-- name…]`: runs each test/bench/*.mjs in turn against the built program; benches print and assert nothing. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { ROOT, run, say } from './run.mjs';
import { setup } from './setup.mjs';

const FOLDER = join(ROOT, 'test', 'bench');
const filters = process.argv.slice(2);

await setup();
if (!(await build())) process.exit(1);
const all = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.mjs')) : [];
const chosen = all.filter((name) => filters.length === 0 || filters.some((filter) => name.includes(filter))).sort();
if (chosen.length === 0) {
  say(`no bench matches; there are: ${all.join(', ') || 'none'}`);
  process.exitCode = 1;
}
for (const name of chosen) {
  say(`── ${name}`);
  const code = await run(process.execPath, [join(FOLDER, name)]);
  if (code !== 0) process.exitCode = code;
}
