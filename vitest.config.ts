/** Which tests run: by default all but the slow suites, which `SIGNALBOX_SUITE=compat|e2e` selects instead. */
import { defineConfig } from 'vitest/config';

/** Need no process of ours, so they also run while the build is broken. */
const WITHOUT_BUILD = [
  'src/**/*.test.{ts,tsx}',
  'test/{architecture,dispositions,lockfile,spec-rules,replay,shown,newer-codex}.test.ts',
];
const PAGE = ['test/e2e/**/*.test.ts'];
const SLOW = ['test/{compat,bench}/**'];
const NEVER = ['**/node_modules/**', '**/dist/**', '.tmp/**', 'test/fixtures/**'];

const suite = process.env.SIGNALBOX_SUITE;

/**
 * Where nobody watches, one more try for tests that start processes and browsers: a machine that stalls for a second must not refuse a
 * change. `scripts/flaky-reporter.mjs` names every test that needed it, and such a test is to be mended.
 */
const retry = process.env.CI ? 2 : 0;

const limits = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  pool: 'forks' as const, // some tests need a process: signals, its own environment
  // Modules are loaded once per worker instead of once per file, which is a third of the time of small files. A file must clean up after itself.
  isolate: false,
};

export default defineConfig({
  test: {
    ...limits,
    maxWorkers: 2,
    passWithNoTests: false,
    projects: suite
      ? [
          {
            test: {
              ...limits,
              retry,
              name: suite,
              include: [`test/${suite}/**/*.{test,spec}.ts`],
              exclude: NEVER,
              globalSetup: ['scripts/vitest-build.mjs'],
            },
          },
        ]
      : [
          { test: { ...limits, name: 'unit', include: WITHOUT_BUILD, exclude: NEVER } },
          {
            test: {
              ...limits,
              retry,
              name: 'system',
              include: ['test/**/*.test.ts'],
              exclude: [...NEVER, ...SLOW, ...PAGE, ...WITHOUT_BUILD],
              globalSetup: ['scripts/vitest-build.mjs'],
            },
          },
          {
            // After the others: a browser beside them would make both slow.
            test: {
              ...limits,
              retry,
              name: 'page',
              include: PAGE,
              exclude: NEVER,
              globalSetup: ['scripts/vitest-build.mjs'],
              sequence: { groupOrder: 1 },
            },
          },
        ],
  },
});
