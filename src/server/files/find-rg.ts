/** Which ripgrep lists files: the one that comes with the bundled Codex, else one on the PATH, else none. */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { isExecutable } from '../../node/path-kind.ts';

export function findRg(path = process.env.PATH ?? ''): string | null {
  // A relative part of the PATH would mean a program of whatever directory the agent works in.
  const onPath = path.split(delimiter).filter(isAbsolute);
  return [...bundled(), ...onPath.map((dir) => join(dir, 'rg'))].find(isExecutable) ?? null;
}

function bundled(): string[] {
  try {
    const launcher = createRequire(import.meta.url).resolve('@openai/codex/package.json');
    const native = createRequire(launcher).resolve(`@openai/codex-${process.platform}-${process.arch}/package.json`);
    const vendor = join(dirname(native), 'vendor');
    return readdirSync(vendor).map((triple) => join(vendor, triple, 'codex-path', 'rg'));
  } catch {
    return [];
  }
}
