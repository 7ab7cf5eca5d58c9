/** Every command of every document, run as written: a fresh home, a running server, the real Codex and the demo model. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { terminate } from '../../src/node/process-identity.ts';
import { readCodexRecord } from '../../src/server/codex/launch.ts';
import { makeDir } from '../../src/testing/box.ts';
import { endLeftShells } from '../../src/testing/left-shells.ts';
import { anchorsOf, type Fence, fencesOf, linksOf } from './read-document.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const MAIN = join(ROOT, 'dist/bin/signalbox.js');
const run = promisify(execFile);
/** A page has a dozen commands, some of which wait for a turn of Codex. */
const PAGE_TIMEOUT_MS = 180_000;

const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'AGENTS.md',
  ...readdirSync(join(ROOT, 'docs/user'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs/user', name)),
].sort();

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const isShell = ({ language }: Fence): boolean => language === 'sh' || language === 'bash';

/** Shell is run; these are read by the parser of their language; in the rest nothing can be wrong. */
const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  json: (text) => JSON.parse(text),
  yaml: (text) => parseYaml(text),
  toml: (text) => parseToml(text),
};
const PLAIN = ['', 'text', 'mermaid'];

describe.each(DOCUMENTS)('[DC1] %s', (path) => {
  const fences = fencesOf(read(path));
  const scripts = fences.flatMap(runnable);

  test('has blocks of known languages that can be read', async () => {
    for (const { line, language, needs, text } of fences) {
      const where = `${path}:${line}`;
      expect([where, [...Object.keys(PARSERS), ...PLAIN, 'sh', 'bash'].includes(language)]).toEqual([where, true]);
      PARSERS[language]?.(text);
      // A block that is not run says what it would need, in words.
      if (needs !== null) expect([where, needs.split(' ').length >= 3]).toEqual([where, true]);
      if (language === 'yaml') for (const script of scriptsIn(parseYaml(text))) await checkSyntax(where, script);
    }
    for (const { line, text } of fences.filter(isShell)) await checkSyntax(`${path}:${line}`, text);
  });

  test('leads only to what is there', () => {
    for (const link of linksOf(read(path)).filter((target) => !/^(https?|mailto):/.test(target))) {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      expect([link, existsSync(join(ROOT, target))]).toEqual([link, true]);
      if (anchor !== undefined) expect(anchorsOf(read(target))).toContain(anchor);
    }
  });

  if (scripts.length === 0) return;
  test('does what it says', { timeout: PAGE_TIMEOUT_MS }, async () => {
    const stage = await openStage(fences.filter(({ language }) => language === 'toml').map(({ text }) => text));
    try {
      const { code, output } = await stage.run(scripts);
      expect(code, output).toBe(0);
    } finally {
      await stage.close();
    }
  });
});

test('[DC2] every code of doctor has its section in the document about trouble', { timeout: 120_000 }, async () => {
  const dir = await makeDir('doctor');
  const env = { ...process.env, HOME: dir, SIGNALBOX_HOME: join(dir, 'home'), CODEX_HOME: join(dir, 'codex') };
  const { stdout } = await run(process.execPath, [MAIN, 'doctor', '--demo', '--json'], { env }).catch(
    (failed: { stdout: string }) => failed,
  );
  await rm(dir, { recursive: true, force: true });
  const codes: string[] = JSON.parse(stdout).checks.map(({ code }: { code: string }) => code);
  const sections = [...read('docs/user/troubleshooting.md').matchAll(/^### `(\w+)`$/gm)].map(([, code]) => code ?? '');
  expect(sections).toEqual(codes);
});

test('[DC3] the layer graph is the one the code has', { timeout: 120_000 }, async () => {
  const checked = await run(process.execPath, [join(ROOT, 'scripts/generate-docs.mjs'), '--check']).catch(
    (failed) => failed,
  );
  expect(checked.stderr).toBe('');
  expect(read('ARCHITECTURE.md')).toMatch(/^ {2}core --> contract$/m);
});

/** What a pipeline runs: a text, or a list of lines for one shell. */
function scriptsIn(value: unknown, key = ''): string[] {
  const isScript = /^(run|command|commands|script|before_script|after_script)$/.test(key);
  if (typeof value === 'string') return isScript ? [value] : [];
  if (Array.isArray(value)) {
    const isLines = isScript && value.every((one) => typeof one === 'string');
    return isLines ? [value.join('\n')] : value.flatMap((one) => scriptsIn(one, key));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => scriptsIn(one, name));
}

/** What a pipeline's own variables are, where the document says `env:` or the service sets them. */
const PIPELINE = `export THREAD=ci STATUS=failure GITHUB_WORKFLOW=ci GITHUB_RUN_ID=7 GITHUB_RUN_ATTEMPT=1 \\
  GITHUB_SERVER_URL=https://ci.example.com GITHUB_REPOSITORY=a/b CI_JOB_STATUS=failed CI_JOB_NAME=test CI_JOB_ID=8 \\
  CI_PIPELINE_ID=9 CI_JOB_URL=https://ci.example.com/8 BUILDKITE_PIPELINE_SLUG=app BUILDKITE_BUILD_NUMBER=3 \\
  BUILDKITE_BUILD_ID=10 BUILDKITE_BUILD_URL=https://ci.example.com/10`;

/** A shell block as it is; of a pipeline the parts that talk to Signalbox, each in a shell of its own. */
function runnable(fence: Fence): readonly Fence[] {
  if (fence.needs !== null) return [];
  if (isShell(fence)) return [fence];
  if (fence.language !== 'yaml') return [];
  const scripts = scriptsIn(parseYaml(fence.text)).filter((script) => script.includes('signalbox '));
  return scripts.map((script) => ({ ...fence, text: `(\n${PIPELINE}\n${script}\n)\n` }));
}

async function checkSyntax(where: string, script: string): Promise<void> {
  // An expression of the pipeline is a word by the time a shell sees it.
  const failed = await run('bash', ['-n', '-c', script.replace(/\$\{\{[^}]*\}\}/g, 'word')]).catch((error) => error);
  expect([where, failed instanceof Error ? failed.message : '']).toEqual([where, '']);
}

/** A person's machine on the first day: an empty home, `signalbox` in the PATH, the page's settings, the server started. */
async function openStage(settings: readonly string[]) {
  const dir = await makeDir('doc');
  const bin = join(dir, 'bin');
  const project = join(dir, 'project');
  await Promise.all([mkdir(bin), mkdir(project)]);
  await symlink(MAIN, join(bin, 'signalbox'));
  // In a clone `npx signalbox` is the same command; here it is so without the clone.
  await writeScript(join(bin, 'npx'), 'exec "$@"');
  // Whoever runs the tests keeps their own units.
  await writeScript(join(bin, 'systemctl'), 'echo "no bus in a test" >&2; exit 1');
  await mkdir(join(dir, '.config/signalbox'), { recursive: true, mode: 0o700 });
  await writeFile(join(dir, '.config/signalbox/config.toml'), settings.join('\n'), { mode: 0o600 });
  const env = {
    HOME: dir,
    PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH}`,
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    USER: 'you',
    SIGNALBOX_DEMO_DELAY_MS: '0',
  };
  const server = spawn(join(bin, 'signalbox'), ['serve', '--no-open', '--json', '--port', '0'], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const _ready of createInterface(server.stdout)) break;
  return {
    run: (blocks: readonly Fence[]) => runBlocks(blocks, { cwd: project, env }),
    async close() {
      const gone = server.exitCode === null ? new Promise((done) => server.once('exit', done)) : null;
      server.kill('SIGTERM');
      await gone;
      // A turn that still ran is left to finish, which is right for people and wrong for a test.
      const left = readCodexRecord(join(dir, '.local/share/signalbox/run'));
      if (left !== null) await terminate(left.pid, { start_time: left.start_time, graceMs: 0 });
      await endLeftShells(join(dir, '.cache/framework_shells'));
      await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function writeScript(path: string, body: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
}

/** In one shell, one after the other, as somebody who follows the page types them. */
async function runBlocks(
  blocks: readonly Fence[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<{ readonly code: number | null; readonly output: string }> {
  const lines = blocks.flatMap(({ line, text }) => [`echo '── the block of line ${line}'`, text]);
  const child: ChildProcess = spawn('bash', ['-e', '-u', '-o', 'pipefail', '-c', lines.join('\n')], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, output };
}
