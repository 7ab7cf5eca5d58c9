/** `npm start`: installs what is missing, builds what has changed, runs the server with the given arguments. */
import { join } from 'node:path';
import { build } from './build.mjs';
import { ROOT, run } from './run.mjs';
import { setup } from './setup.mjs';

await setup();
if (!(await build())) process.exit(1);
// The caller's folder, not ours: npm changes it before it starts a script.
const cwd = process.env.INIT_CWD ?? process.cwd();
process.exitCode = await run(
  process.execPath,
  [join(ROOT, 'dist/bin/signalbox.js'), 'serve', ...process.argv.slice(2)],
  {
    cwd,
  },
);
