/** A program in the place of Codex that is broken in one way; `test/fixtures/broken-codex.mjs` has the ways. For tests only. */
import { chmod, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeDir } from './box.ts';
import { shellWord } from './shell-word.ts';

const FIXTURE = resolve(import.meta.dirname, '../../test/fixtures/broken-codex.mjs');

/** The path of the program, for `--codex-bin`. */
export async function makeBrokenCodex(mode: string): Promise<string> {
  const path = join(await makeDir('codex'), 'codex');
  const words = [process.execPath, FIXTURE, mode].map(shellWord).join(' ');
  await writeFile(path, `#!/bin/sh\nexec ${words} "$@"\n`);
  await chmod(path, 0o755);
  return path;
}
