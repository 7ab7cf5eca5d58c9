/** A box for a file of tests about Framework Shells, and the words those tests are written in. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { ShellView } from '../../src/contract/shellspec.ts';
import { type Box, openBox } from '../../src/testing/box.ts';

export interface ShellsStand {
  readonly box: Box;
  /** A shellspec with one shell called `it`, in a file of its own. */
  spec(lines: string): Promise<string>;
  up(lines: string, ctx?: Record<string, string>): Promise<ShellView>;
  read(id: string): Promise<ShellView>;
  logOf(id: string): Promise<string>;
  /** What it printed as `pid 123`. */
  pidsIn(id: string): Promise<readonly number[]>;
}

/** Built up before the tests of the file, taken down after them. */
export function setShellsStand(): ShellsStand {
  let box: Box | null = null;
  let count = 0;
  const now = () => {
    if (box === null) throw new Error('the box is there from beforeAll to afterAll');
    return box;
  };
  beforeAll(async () => {
    box = await openBox();
  });
  afterAll(() => box?.close());

  async function spec(lines: string): Promise<string> {
    count += 1;
    const file = join(now().project, `spec-${count}.yaml`);
    await writeFile(file, `version: "1"\nshells:\n  it:\n${lines.replace(/^/gm, '    ')}\n`);
    return file;
  }

  const logOf = async (id: string) => (await now().must('shellLogs', { id })).text;

  return {
    get box() {
      return now();
    },
    spec,
    async up(lines, ctx = {}) {
      const [shell] = (await now().must('upShells', { file: await spec(lines), ctx }, 'token')).shells;
      if (shell === undefined) throw new Error('nothing was started');
      return shell;
    },
    read: async (id) => (await now().must('readShell', { id })).shell,
    logOf,
    pidsIn: async (id) => [...(await logOf(id)).matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid)),
  };
}

export function eventually<T>(probe: () => Promise<T>): ReturnType<typeof expect.poll<T>> {
  return expect.poll(probe, { timeout: 20_000 });
}

/** Of the names in an environment those that can only come from us. */
export const ownNames = (names: readonly string[]): readonly string[] =>
  names.filter((name) => /^(SIGNALBOX_|FRAMEWORK_SHELLS_|npm_|VITEST|NODE_OPTIONS)/.test(name));
