/**
 * `npm run docs`: writes the parts of documents that are made from the code, between `<!-- NAME -->` and `<!-- /NAME -->`.
 * With `--check` it writes nothing and fails when one is not current.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, say, toolPath } from './run.mjs';

const isCheck = process.argv.includes('--check');
/** file → name of the part → its text. */
const PARTS = { 'ARCHITECTURE.md': { layers: renderLayers } };

let isStale = false;
for (const [file, parts] of Object.entries(PARTS)) {
  const before = readFileSync(join(ROOT, file), 'utf8');
  let after = before;
  for (const [name, render] of Object.entries(parts)) {
    const place = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`);
    if (!place.test(after)) throw new Error(`${file} has no part ${name}`);
    const text = render();
    after = after.replace(place, (_all, begin, end) => `${begin}${text}\n${end}`);
  }
  if (after === before) continue;
  isStale = true;
  if (!isCheck) writeFileSync(join(ROOT, file), after);
  say(`${file} ${isCheck ? 'is not current: run `npm run docs`' : 'written'}`);
}
process.exitCode = isCheck && isStale ? 1 : 0;

/** Who imports whom, as dependency-cruiser finds it: folders of src/, without tests. */
function renderLayers() {
  const bin = toolPath('dependency-cruiser/bin/dependency-cruise.mjs');
  const args = [bin, 'src', '--output-type', 'json', '--progress', 'none'];
  const { modules } = JSON.parse(
    execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
  );
  const edges = new Set();
  for (const { source, dependencies } of modules) {
    const from = layerOf(source);
    for (const { resolved } of from === null ? [] : dependencies) {
      const to = layerOf(resolved);
      if (to !== null && to !== from) edges.add(`  ${from} --> ${to}`);
    }
  }
  return ['```mermaid', 'graph TD', ...[...edges].sort(), '```'].join('\n');
}

function layerOf(path) {
  const [, layer = null] = /^src\/([^/]+)\//.exec(path) ?? [];
  return layer === 'testing' || /\.test\.tsx?$/.test(path) ? null : layer;
}
