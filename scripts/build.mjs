/** Compiles src/ to dist/: `tsc -b` for everything that runs in Node, joined into dist/bin; Vite for the page. Does nothing when nothing has changed. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ROOT, runTool, say, seconds } from './run.mjs';
import { setup } from './setup.mjs';

const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, '.build-stamp');
const LOCK = join(ROOT, '.tmp', 'build.lock');
/** Beside src/, what can change the outcome of a build. */
const INPUTS = [
  'package-lock.json',
  'tsconfig.base.json',
  'vite.config.ts',
  'scripts/build.mjs',
  'scripts/bundle.mjs',
  'scripts/licenses.mjs',
  'shellspec/adapters.yaml',
  'shellspec/app-server.yaml',
  'shellspec/pty-host.yaml',
  'shellspec/worktree-setup.yaml',
];
/** Each is the product of a source file; when it is missing, a matching stamp is not believed. */
const LANDMARKS = [
  ['src/cli/main.ts', 'dist/bin/signalbox.js'],
  ['src/web/index.html', 'dist/web/index.html'],
  ['src/cli/main.ts', 'man/signalbox.1'],
];

/** A build that a test run starts must not be a development build. */
const PRODUCTION = { ...process.env, NODE_ENV: 'production' };

/** Resolves to whether dist/ is now what src/ says. */
export async function build() {
  if (isFresh(readInputs())) return true;
  const unlock = await lock();
  try {
    // Read again: another build may have finished while we waited.
    const inputs = readInputs();
    return isFresh(inputs) || (await compile(inputs));
  } finally {
    unlock();
  }
}

async function compile(inputs) {
  const startedMs = performance.now();
  removeOutputsOfDeletedSources(inputs.files);
  rmSync(STAMP, { force: true });
  const layers = readdirSync(join(ROOT, 'src')).filter((layer) => hasSources(layer, inputs.files));
  say(`compiling ${layers.join(', ')}`);
  const projects = layers.map((layer) => join('src', layer));
  if ((await runTool('typescript7/bin/tsc', ['-b', ...projects], { label: 'tsc -b' })) !== 0) return fail('tsc -b');
  if (existsSync(join(ROOT, 'src/web/index.html'))) {
    say('bundling the page');
    if ((await runTool('vite/bin/vite.js', ['build', '--logLevel', 'warn'], { label: 'vite', env: PRODUCTION })) !== 0)
      return fail('vite build');
  }
  // Loaded here, not above: a fresh clone gets it from `npm ci` only just before.
  const { bundleCommand } = await import('./bundle.mjs');
  await bundleCommand();
  writeManPage();
  writeFileSync(STAMP, JSON.stringify(inputs));
  say(`built in ${seconds(startedMs)}`);
  return true;
}

/** Made from the help texts of the command that was just built. */
function writeManPage() {
  const page = execFileSync(process.execPath, [join(DIST, 'bin/signalbox.js'), 'man'], { encoding: 'utf8' });
  mkdirSync(join(ROOT, 'man'), { recursive: true });
  writeFileSync(join(ROOT, 'man/signalbox.1'), page);
}

function fail(step) {
  say(`${step} failed; the messages are above`);
  return false;
}

/** Source files with a hash over their names and contents. Contents, because a checkout changes times at will. */
function readInputs() {
  const names = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(ROOT.length + 1));
  const files = [...names, ...INPUTS.filter((name) => existsSync(join(ROOT, name)))].sort();
  const hash = createHash('sha256').update(process.version);
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(join(ROOT, file)));
  return { hash: hash.digest('hex'), files };
}

function isFresh({ hash }) {
  return (
    readStamp().hash === hash &&
    LANDMARKS.every(([source, output]) => !existsSync(join(ROOT, source)) || existsSync(join(ROOT, output)))
  );
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'));
  } catch {
    return { hash: '', files: [] };
  }
}

function hasSources(layer, files) {
  return existsSync(join(ROOT, 'src', layer, 'tsconfig.json')) && files.some((file) => isSourceOf(layer, file));
}

function isSourceOf(layer, file) {
  return file.startsWith(`src/${layer}/`) && /\.tsx?$/.test(basename(file));
}

/** `tsc` leaves the output of a deleted source behind, where it could still be imported. */
function removeOutputsOfDeletedSources(files) {
  const present = new Set(files);
  for (const file of readStamp().files.filter((old) => !present.has(old) && /^src\/.*\.ts$/.test(old))) {
    const stem = join(DIST, file.slice('src/'.length).replace(/\.ts$/, ''));
    for (const extension of ['.js', '.js.map', '.d.ts']) rmSync(stem + extension, { force: true });
  }
}

/** One build at a time in this folder; the lock of a dead process is taken over. */
async function lock() {
  mkdirSync(join(ROOT, '.tmp'), { recursive: true });
  for (let isFirst = true; ; isFirst = false) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
      return () => rmSync(LOCK, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isFirst) say('waiting for another build');
    if (!isAlive(LOCK)) rmSync(LOCK, { force: true });
    await sleep(200);
  }
}

function isAlive(lockPath) {
  try {
    const pid = Number(readFileSync(lockPath, 'utf8'));
    // An empty file is one that its owner is about to fill.
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await setup();
  process.exitCode = (await build()) ? 0 : 1;
}
