/** One run of the tests in a process of its own, and what it counted. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './run.mjs';

/** `wrap`: the command in front, for another user or another network. */
export async function runVitest(
  args,
  { root = ROOT, node = process.execPath, env = process.env, wrap = [], label, isQuiet = false } = {},
) {
  const report = join(root, '.tmp', 'vitest-report.json');
  rmSync(report, { force: true });
  mkdirSync(join(root, '.tmp'), { recursive: true });
  const reporters = ['default', './scripts/flaky-reporter.mjs', 'json'].map((name) => `--reporter=${name}`);
  const [command, ...rest] = [
    ...wrap,
    node,
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...reporters,
    `--outputFile.json=${report}`,
    ...args,
  ];
  const code = await run(command, rest, { cwd: root, env, label, isQuiet });
  return { isOk: code === 0, ...readTotals(report) };
}

function readTotals(path) {
  if (!existsSync(path)) return { passed: 0, failed: 1, skipped: 0 };
  const report = JSON.parse(readFileSync(path, 'utf8'));
  // A file that cannot even be loaded has no failed test of its own, and must not look like success.
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
