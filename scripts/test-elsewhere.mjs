/**
 * `npm run test:elsewhere [-- files]`: a part of the suite from a copy in the temporary directory whose path has spaces and letters that
 * are not ASCII, with an empty home. Without files: what depends on where the project, the homes and the temporary directory are.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyProject } from './project-copy.mjs';
import { say } from './run.mjs';
import { setup } from './setup.mjs';
import { runVitest } from './vitest-run.mjs';

const SMOKE = [
  'test/api/temporary-home.test.ts',
  'test/api/cli.test.ts',
  'test/api/cli-shells.test.ts',
  'test/api/context.test.ts',
  'test/api/messages.test.ts',
  'test/api/mcp-codex.test.ts',
  'test/api/trust.test.ts',
  'test/terminal/program.test.ts',
  'test/faults/stop.test.ts',
  'test/e2e/doors.test.ts',
];

await setup();
const files = process.argv.slice(2);
const place = mkdtempSync(join(tmpdir(), 'signalbox smoke ü-'));
const root = join(place, 'a clone – ça va');
const home = join(place, 'home of nobody');
try {
  say(`copying the project to ${root}`);
  copyProject(root);
  mkdirSync(home, { mode: 0o700 });
  const { isOk, passed, failed } = await runVitest(files.length === 0 ? SMOKE : files, {
    root,
    env: { ...process.env, HOME: home },
    label: 'tests elsewhere',
  });
  console.log(`elsewhere: ${passed} passed, ${failed} failed`);
  process.exitCode = isOk ? 0 : 1;
} finally {
  rmSync(place, { recursive: true, force: true });
}
