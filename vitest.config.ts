/** Which tests run: by default all but the slow suites, which `SIGNALBOX_SUITE=compat|e2e` selects instead. */
import { defineConfig } from 'vitest/config';

/** Need no process of ours, so they also run while the build is broken. */
const WITHOUT_BUILD = ['src/**/*.test.{ts,tsx}', 'test/{architecture,ledger,spec-rules}.test.ts'];
const SLOW = ['test/{compat,e2e,bench}/**'];
const NEVER = ['**/node_modules/**', '**/dist/**', '.tmp/**', 'test/fixtures/**'];

const suite = process.env.SIGNALBOX_SUITE;

const limits = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  pool: 'forks' as const, // process-wide state (cwd, environment, signals) must not leak between files
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
              name: 'system',
              include: ['test/**/*.test.ts'],
              exclude: [...NEVER, ...SLOW, ...WITHOUT_BUILD],
              globalSetup: ['scripts/vitest-build.mjs'],
            },
          },
        ],
  },
});
