/** Joins the compiled command into a few files: a process that imports hundreds of small ones starts twice as slowly. */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { parse } from 'yaml';
import { renderLicenses } from './licenses.mjs';
import { ROOT } from './run.mjs';

/** Name of the bundled file → the compiled one it starts from. Workers are started by the path of their file, beside the command. */
const ENTRIES = {
  signalbox: 'dist/cli/main.js',
  'index-worker': 'dist/server/files/index-worker.js',
  'pty-host': 'dist/ptyhost/main.js',
};

export async function bundleCommand() {
  const dir = join(ROOT, 'dist/bin');
  rmSync(dir, { recursive: true, force: true });
  const input = Object.fromEntries(
    Object.entries(ENTRIES)
      .map(([name, file]) => [name, join(ROOT, file)])
      .filter(([, file]) => existsSync(file)),
  );
  const bundle = await rolldown({
    input,
    platform: 'node',
    // Programs and native code: found at run time, by the path of their package. The rest is joined in, and so a dev dependency.
    external: [/^@openai\//, /^@lydell\//],
    logLevel: 'warn',
  });
  const names = { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' };
  const { output } = await bundle.write({ dir, format: 'esm', ...names });
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
  writeFileSync(join(dir, 'licenses.txt'), renderLicenses(modules));
  writeFileSync(join(dir, 'parsed-specs.json'), renderParsedSpecs());
  await bundle.close();
  chmodSync(join(dir, 'signalbox.js'), 0o755);
}

/** Our own shellspecs by the hash of their text, so that a start need not read YAML; `server/shells/load-spec.ts` looks here first. */
function renderParsedSpecs() {
  const folder = join(ROOT, 'shellspec');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const hashOf = (text) => createHash('sha256').update(text).digest('hex');
  return JSON.stringify(Object.fromEntries(texts.map((text) => [hashOf(text), parse(text)])));
}
