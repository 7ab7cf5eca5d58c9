/**
 * `npm test`: set-up, static checks, build, every test; one summary. With arguments (`npm test -- some/file -t name`)
 * only the build and those tests.
 */
import { build } from './build.mjs';
import { runTool, say, seconds } from './run.mjs';
import { setup } from './setup.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { runVitest } from './vitest-run.mjs';

const filter = process.argv.slice(2);

/** A failing check does not keep the others from running: one run tells everything that is wrong. */
const CHECKS = [
  ['format and lint', () => runTool('@biomejs/biome/bin/biome', ['ci', '.'])],
  ['types', () => runTool('typescript7/bin/tsc', ['-b'], { label: 'tsc -b' })],
  ['dead code', () => runTool('knip/bin/knip.js', ['--no-progress', '--no-config-hints'], { label: 'knip' })],
];

await setup();
await ensureSystemPackages();
const results = [];
for (const [name, check] of filter.length === 0 ? CHECKS : []) {
  await step(name, async () => (await check()) === 0);
}
const isBuilt = await step('build', build);
const totals = isBuilt ? await runTests() : { passed: 0, failed: 1, skipped: 0 };
summarize(totals);

async function step(name, perform) {
  const startedMs = performance.now();
  say(`── ${name}`);
  const isOk = await perform();
  results.push({ name, isOk, time: seconds(startedMs) });
  return isOk;
}

/** Dependency rule, dispositions, spec rules and file rules are tests as well: test/*.test.ts. */
async function runTests() {
  let totals;
  await step('tests', async () => {
    totals = await runVitest(filter);
    return totals.isOk;
  });
  return totals;
}

function summarize({ passed, failed, skipped }) {
  const failedChecks = results.filter(({ name, isOk }) => !isOk && name !== 'tests').map(({ name }) => name);
  console.log('');
  for (const { name, isOk, time } of results) console.log(`${isOk ? 'ok    ' : 'FAILED'} ${name.padEnd(16)} ${time}`);
  if (skipped > 0) console.log(`${skipped} skipped`);
  if (failedChecks.length > 0) console.log(`failed before the tests: ${failedChecks.join(', ')}`);
  if (!isBuilt) console.log('the tests did not run');
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = results.every(({ isOk }) => isOk) ? 0 : 1;
}
