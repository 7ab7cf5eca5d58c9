/** Finds the native Codex binary inside an installed `@openai/codex`, in today's layout and in the earlier ones. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const TRIPLES = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
};

/** The binary below `<installRoot>/node_modules`; throws with what to do when there is none. */
export function codexBinary(installRoot) {
  const platform = `${process.platform}-${process.arch}`;
  const triple = TRIPLES[platform];
  if (!triple) throw new Error(`Codex has no binary for ${platform}`);
  const scope = join(installRoot, 'node_modules', '@openai');
  const candidates = [
    join(scope, `codex-${platform}`, 'vendor', triple, 'bin', 'codex'),
    join(scope, 'codex', 'node_modules', '@openai', `codex-${platform}`, 'vendor', triple, 'bin', 'codex'),
    join(scope, `codex-${platform}`, 'vendor', triple, 'codex', 'codex'),
    join(scope, 'codex', 'vendor', triple, 'codex', 'codex'),
  ];
  const found = candidates.find((path) => existsSync(path));
  if (!found) throw new Error(`no Codex binary below ${scope}: run \`npm ci\` there with optional dependencies`);
  return found;
}
