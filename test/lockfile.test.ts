/** The lockfile installs on every platform, from whatever registry a person uses. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';

describe('the lockfile', () => {
  interface Locked {
    readonly version?: string;
    readonly integrity?: string;
    readonly resolved?: string;
    readonly optionalDependencies?: Readonly<Record<string, string>>;
  }

  test('is complete for every platform and names no host', async () => {
    const locked: Readonly<Record<string, Locked>> = JSON.parse(
      await readFile(new URL('../package-lock.json', import.meta.url), 'utf8'),
    ).packages;
    const entries = Object.entries(locked).filter(([path]) => path !== '');
    expect(entries.length).toBeGreaterThan(100);
    expect(entries.filter(([, { version, integrity }]) => !version || !integrity).map(([path]) => path)).toEqual([]);
    expect(entries.filter(([, { resolved }]) => resolved).map(([path]) => path)).toEqual([]);
    // `npm ci` refuses a lockfile that lacks a platform's binary, and npm drops those its registry does not have.
    const absent = entries.flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !locked[`node_modules/${name}`] && !locked[`${path}/node_modules/${name}`],
      ),
    );
    expect(absent).toEqual([]);
  });
});
