/** The house rules that neither the compiler nor Biome can check: who imports whom, a pure core, file names and sizes. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CODEX_CLIENT_REQUESTS } from '../src/contract/generated/codex-methods.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** Fewer than this and the cruise has not looked at the product, whatever it says about violations. */
const MIN_MODULES = 20;
const MAX_LINES = 400;
const MAX_EDGE_LINES = 250;
const EDGE_FILES = /^src\/server\/(http\/.+|conversations\/session)\.ts$/;
const BANNED_NAMES = /^(utils?|helpers?|misc|index|types)\.(ts|tsx|mjs)$/;

interface Module {
  readonly source: string;
  readonly dependencies: readonly { readonly resolved: string }[];
}

interface Cruise {
  readonly modules: readonly Module[];
  readonly summary: {
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
    }[];
  };
}

async function cruise(cwd: string): Promise<Cruise> {
  const bin = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = [
    bin,
    'src',
    '--config',
    join(ROOT, '.dependency-cruiser.cjs'),
    '--output-type',
    'json',
    '--progress',
    'none',
  ];
  // The JSON reporter exits 0 whatever it finds; the verdict is in its summary.
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout);
}

async function sources(folder: string): Promise<string[]> {
  const names = await readdir(join(ROOT, folder), { recursive: true });
  return names
    .map((name) => join(folder, name))
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !path.startsWith('test/fixtures/'))
    .sort();
}

function readSource(path: string): Promise<string> {
  return readFile(join(ROOT, path), 'utf8');
}

type Patterns = string | readonly string[];
/** The part of a rule of the table that says what a layer may import. */
interface LayerRule {
  readonly name: string;
  readonly from: { readonly path?: Patterns; readonly pathNot?: Patterns };
  readonly to: { readonly path?: Patterns; readonly pathNot?: Patterns };
}

const patternsOf = (given: Patterns = []): RegExp[] => [given].flat().map((pattern) => new RegExp(pattern));
const fitsOne = (patterns: readonly RegExp[], path: string): boolean => patterns.some((one) => one.test(path));

/** Exceptions of the layers' rules that no import of the product needs. */
function unusedAllowances(rules: readonly LayerRule[], modules: readonly Module[]): string[] {
  return rules
    .filter(({ name }) => /-(local|npm)$/.test(name))
    .flatMap(({ name, from, to }) => {
      const [layer, tests, target] = [patternsOf(from.path), patternsOf(from.pathNot), patternsOf(to.path)];
      const imported = modules
        .filter(({ source }) => fitsOne(layer, source) && !fitsOne(tests, source))
        .flatMap(({ dependencies }) => dependencies.map(({ resolved }) => resolved))
        .filter((path) => fitsOne(target, path));
      const unused = patternsOf(to.pathNot).filter((allowed) => !imported.some((path) => allowed.test(path)));
      return unused.map(({ source }) => `${name}: ${source}`);
    });
}

describe('the dependency rule', () => {
  let real: Cruise;
  beforeAll(async () => {
    real = await cruise(ROOT);
  });

  test('allows nothing that no file needs', () => {
    const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs');
    expect(unusedAllowances(forbidden, real.modules)).toEqual([]);
    const rule = {
      name: 'web-npm',
      from: { path: '^src/web/', pathNot: ['\\.test\\.tsx?$'] },
      to: { path: 'node_modules/', pathNot: ['node_modules/react/', 'node_modules/absent/', 'node_modules/vitest/'] },
    };
    expect(unusedAllowances([rule], real.modules)).toEqual([
      'web-npm: node_modules\\/absent\\/',
      'web-npm: node_modules\\/vitest\\/',
    ]);
  });

  test('holds for every file of src', () => {
    const { modules, summary } = real;
    expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([]);
    expect(modules.filter(({ source }) => source.startsWith('src/')).length).toBeGreaterThanOrEqual(MIN_MODULES);
  });

  /** Each row is a file that must not be, what it imports, and the rules that must report it. */
  const PLANTED: readonly (readonly [file: string, imports: string, rules: readonly string[]])[] = [
    ['src/contract/reads-core.ts', '../core/text/fine.ts', ['contract-local']],
    ['src/contract/uses-npm.ts', 'ws', ['contract-npm']],
    ['src/contract/uses-node.ts', 'node:path', ['contract-builtin']],
    ['src/core/uses-node.ts', 'node:fs', ['core-builtin']],
    ['src/core/uses-npm.ts', 'zod', ['core-npm']],
    ['src/core/reads-node.ts', '../node/fine.ts', ['core-local']],
    ['src/core/ring-a.ts', './ring-b.ts', ['no-circular']],
    ['src/core/imports-nothing-real.ts', './absent.ts', ['resolvable']],
    ['src/node/reads-core.ts', '../core/events/fine.ts', ['node-local']],
    ['src/node/uses-npm.ts', 'hono', ['node-npm']],
    ['src/demo/uses-npm.ts', 'hono', ['demo-npm']],
    ['src/demo/reads-server.ts', '../server/hub/hub.ts', ['demo-local']],
    ['src/ptyhost/reads-server.ts', '../server/hub/hub.ts', ['ptyhost-local']],
    ['src/server/events/reads-board.ts', '../board/fine.ts', ['server-domains']],
    ['src/server/events/reads-main.ts', '../main.ts', ['server-main']],
    ['src/server/http/socket.ts', '../board/fine.ts', ['server-domains']],
    ['src/server/claim-home.ts', './board/fine.ts', ['server-shared']],
    ['src/server/config/config.ts', '../board/fine.ts', ['server-shared']],
    ['src/server/uses-npm.ts', 'react', ['server-npm']],
    ['src/core/conversations/reads-codex.ts', '../../contract/codex.ts', ['codex-protocol']],
    ['src/server/events/reads-codex.ts', '../../contract/generated/codex-protocol.ts', ['codex-protocol']],
    ['src/server/compose/opens-codex.ts', '../codex/connection.ts', ['codex-link']],
    ['src/server/http/handlers-codex.ts', '../codex/supervisor.ts', ['codex-link']],
    ['src/server/reads-testing.ts', '../testing/fine.ts', ['no-test-code', 'server-local']],
    ['src/server/reads-a-test.ts', './fine.test.ts', ['no-test-code']],
    ['src/cli/commands.ts', '../server/main.ts', ['server-main']],
    ['src/cli/reads-server.ts', '../server/hub/hub.ts', ['cli-local']],
    ['src/cli/reads-core.ts', '../core/events/fine.ts', ['cli-local']],
    ['src/cli/uses-npm.ts', 'hono', ['cli-npm']],
    ['src/web/reads-node.tsx', '../node/fine.ts', ['web-local']],
    ['src/web/uses-node.ts', 'node:fs', ['web-builtin']],
    ['src/web/uses-npm.ts', 'hono', ['web-npm']],
    ['src/extra/fine.ts', '../contract/fine.ts', ['known-layer']],
  ];
  /** What the rows above lean on, and imports that look alike but are allowed. */
  const ALLOWED: readonly (readonly [file: string, imports: string])[] = [
    ['src/contract/fine.ts', 'zod'],
    ['src/core/ring-b.ts', './ring-a.ts'], // a ring is reported once, at its first file
    ['src/core/text/fine.ts', '../../contract/fine.ts'],
    ['src/core/events/fine.ts', '../text/fine.ts'],
    ['src/core/conversations/reduce.ts', '../text/fine.ts'],
    ['src/node/fine.ts', 'node:fs'],
    ['src/node/trims.ts', '../core/text/fine.ts'],
    ['src/demo/fine.ts', '../core/events/fine.ts'],
    ['src/server/board/fine.ts', '../hub/hub.ts'],
    ['src/server/hub/hub.ts', '../../core/events/fine.ts'],
    ['src/server/main.ts', './board/fine.ts'],
    ['src/server/compose/board.ts', '../board/fine.ts'],
    ['src/server/demo-model.ts', '../demo/fine.ts'],
    ['src/contract/codex.ts', 'zod'],
    ['src/contract/generated/codex-protocol.ts', '../fine.ts'],
    ['src/core/codex/operations.ts', '../../contract/codex.ts'],
    ['src/core/events/uses-codex.ts', '../codex/operations.ts'],
    ['src/server/codex/connection.ts', '../../contract/codex.ts'],
    ['src/server/codex/supervisor.ts', './connection.ts'],
    ['src/server/compose/codex.ts', '../codex/supervisor.ts'],
    ['src/server/http/handlers-board.ts', '../board/fine.ts'],
    ['src/server/fine.test.ts', '../testing/fine.ts'],
    ['src/cli/serve.ts', '../server/main.ts'],
    ['src/cli/shows.ts', '../core/conversations/reduce.ts'],
    ['src/web/fine.tsx', 'react'],
    ['src/testing/fine.ts', '../server/main.ts'],
  ];

  describe('sees a planted violation', () => {
    let folder = '';
    const found = new Map<string, string[]>();

    beforeAll(async () => {
      // Inside the repository, so that packages resolve as they do for the real files.
      await mkdir(join(ROOT, '.tmp'), { recursive: true });
      folder = await mkdtemp(join(ROOT, '.tmp/architecture-'));
      for (const [file, imports] of [...PLANTED, ...ALLOWED]) {
        await mkdir(dirname(join(folder, file)), { recursive: true });
        await writeFile(join(folder, file), `import type {} from '${imports}';\n`);
      }
      const { summary } = await cruise(folder);
      for (const { from, rule } of summary.violations) found.set(from, [...(found.get(from) ?? []), rule.name].sort());
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    test.each(PLANTED)('%s importing %s', (file, _imports, rules) => {
      expect(found.get(file)).toEqual(rules);
    });
    test.each(ALLOWED)('but not %s importing %s', (file) => {
      expect(found.get(file)).toBeUndefined();
    });
  });
});

/** Names of the outside world that `lib: ES2023` or an ambient file would let through. */
const IMPURE = new Set(['Date', 'console', 'process', 'performance', 'crypto', 'globalThis']);
/** Methods of a Date that depend on where the computer is. */
const LOCAL_TIME =
  /^([gs]et(FullYear|Month|Date|Day|Hours|Minutes|Seconds|Milliseconds)|getTimezoneOffset|toLocale(Date|Time)String)$/;
const TIMERS = new Set(['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']);

/** `new Date(milliseconds)` and `Date.UTC(…)` calculate; every other use asks the clock or the time zone. */
function isPureDate(node: ts.Identifier): boolean {
  if (node.text !== 'Date') return false;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name.text === 'UTC';
  if (!ts.isNewExpression(parent) || parent.arguments?.length !== 1) return false;
  return parent.arguments.every((one) => !ts.isStringLiteralLike(one) && !ts.isSpreadElement(one));
}

/** Lines of `text` that touch the clock, chance, timers or the process; comments, strings and property names do not count. */
function impurities(text: string): string[] {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const declared = new Set<string>();
  const uses: { name: string; line: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const { parent, text: name } = node;
      const isMember =
        (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
        (ts.isQualifiedName(parent) && parent.right === node) ||
        ('name' in parent && parent.name === node && !ts.isShorthandPropertyAssignment(parent));
      if ('name' in parent && parent.name === node && (ts.isVariableDeclaration(parent) || ts.isParameter(parent))) {
        declared.add(name);
      }
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const isImpure = IMPURE.has(name) && !isPureDate(node);
      if (!isMember && (isImpure || TIMERS.has(name))) uses.push({ name, line });
      if (ts.isPropertyAccessExpression(parent) && isMember && LOCAL_TIME.test(name)) uses.push({ name, line });
      if (name === 'random' && ts.isPropertyAccessExpression(parent) && parent.expression.getText() === 'Math') {
        uses.push({ name: 'Math.random', line });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return uses.filter(({ name }) => !declared.has(name)).map(({ name, line }) => `${line}: ${name}`);
}

describe('the core is pure', () => {
  test('no clock, chance, timer, process or console in src/core', async () => {
    const paths = (await sources('src/core')).filter((path) => !path.endsWith('.test.ts'));
    const found = await Promise.all(
      paths.map(async (path) => impurities(await readSource(path)).map((use) => `${path}:${use}`)),
    );
    expect(found.flat()).toEqual([]);
  });

  test.each([
    ['const now = Date.now();', ['1: Date']],
    ['const now = new Date();', ['1: Date']],
    ['const now = new Date;', ['1: Date']],
    ['const now = Date();', ['1: Date']],
    ['const clock = Date;', ['1: Date']],
    ["const local = new Date('2026-01-01T00:00');", ['1: Date']],
    ['const local = new Date(2026, 0);', ['1: Date']],
    ['const local = new Date(...parts);', ['1: Date']],
    ['const local = new Date(ms).getHours();', ['1: getHours']],
    ['\nconst dice = Math.random();', ['2: Math.random']],
    ['console.log(1);', ['1: console']],
    ['const env = process.env;', ['1: process']],
    ['setTimeout(() => 1, 2);', ['1: setTimeout']],
    ['const late = { setTimeout };', ['1: setTimeout']],
    ['globalThis.Date;', ['1: globalThis']],
  ])('the search finds %j', (text, uses) => {
    expect(impurities(text)).toEqual(uses);
  });

  test.each([
    '// Date.now() and Math.random() belong to the caller',
    "const text = 'process and console';",
    'const method = state.process.console.Date;',
    'const table = { process: 1, Date: 2 };',
    'function stop(process: { pid: number }) { return process.pid; }',
    'const least = Math.min(1, 2);',
    'const text = new Date(ms).toISOString();',
    'const ms = Date.UTC(2026, 0);',
  ])('the search lets %j pass', (text) => {
    expect(impurities(text)).toEqual([]);
  });
});

/** The seam to Codex, and the schemas of its protocol. */
const KNOWS_CODEX = /^src\/(core\/codex\/|server\/codex\/|contract\/codex\.ts$|contract\/generated\/)/;
/** MCP and our control socket have a method of this name too. */
const NOT_ONLY_CODEX = 'initialize';
const CODEX_METHODS = new Set<string>(CODEX_CLIENT_REQUESTS.filter((method) => method !== NOT_ONLY_CODEX));

/** Lines of `text` with a string that is, or a type that names, a method of Codex; comments do not count. The name of the file decides whether `<T>` opens a tag. */
function codexMethods(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) && 'text' in node) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      for (const word of node.text.split(/\s+/)) if (CODEX_METHODS.has(word)) found.push(`${line}: ${word}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe('the seam to Codex', () => {
  test('[CX21] no file outside of it names a method of Codex', async () => {
    const all = (await sources('src')).filter((path) => !/\.test\.tsx?$|^src\/testing\//.test(path));
    const outside = all.filter((path) => !KNOWS_CODEX.test(path));
    const named = async (path: string) => codexMethods(path, await readSource(path)).map((use) => `${path}:${use}`);
    expect((await Promise.all(outside.map(named))).flat()).toEqual([]);
    // The search sees the methods where they are.
    expect((await named('src/server/codex/turn-operations.ts')).join()).toContain('turn/start');
  });

  test.each([
    ["codex.request('turn/start', {});", ['1: turn/start']],
    ['\nconst method = `thread/archive`;', ['2: thread/archive']],
    ["type Params = Requests['thread/list'];", ['1: thread/list']],
    ["const text = 'no answer to thread/fork';", ['1: thread/fork']],
    ['const text = `no answer to thread/fork within $' + '{seconds} s`;', ['1: thread/fork']],
    ["const table = { 'model/list': 1 };", ['1: model/list']],
    ["const same = <T>(one: T): T => one;\nask('turn/steer');", ['2: turn/steer']],
  ])('[CX21] the search finds %j', (text, uses) => {
    expect(codexMethods('file.ts', text)).toEqual(uses);
  });

  test('[CX21] the search reads a page too', () => {
    expect(codexMethods('file.tsx', "const panel = <Call method='thread/read' />;")).toEqual(['1: thread/read']);
  });

  test.each([
    '// turn/start is sent by server/codex',
    "const event = 'turn/completed';",
    "const path = '/api/turn/start';",
    "client.call('initialize', {});",
  ])('[CX21] the search lets %j pass', (text) => {
    expect(codexMethods('file.ts', text)).toEqual([]);
  });
});

describe('source files', () => {
  const isGenerated = (path: string) => path.startsWith('src/contract/generated/');

  test('begin with a comment that says their role', async () => {
    const paths = [...(await sources('src')), ...(await sources('test')), ...(await sources('scripts'))];
    expect(paths.length).toBeGreaterThan(MIN_MODULES);
    const texts = await Promise.all(paths.map(readSource));
    expect(paths.filter((_, index) => !texts[index]?.replace(/^#!.*\n/, '').startsWith('/**'))).toEqual([]);
  });

  test(`have at most ${MAX_LINES} lines, ${MAX_EDGE_LINES} at the edges`, async () => {
    const paths = [...(await sources('src')), ...(await sources('test')), ...(await sources('scripts'))];
    const tooLong: string[] = [];
    for (const path of paths.filter((path) => !isGenerated(path))) {
      const lines = (await readSource(path)).trimEnd().split('\n').length;
      const limit = EDGE_FILES.test(path) && !path.endsWith('.test.ts') ? MAX_EDGE_LINES : MAX_LINES;
      if (lines > limit) tooLong.push(`${path}: ${lines} lines, ${limit} allowed`);
    }
    expect(tooLong).toEqual([]);
  });

  test('are named after what they do', async () => {
    const paths = [...(await sources('src')), ...(await sources('test')), ...(await sources('scripts'))];
    expect(paths.filter((path) => BANNED_NAMES.test(basename(path)))).toEqual([]);
    expect(['utils.ts', 'index.tsx', 'types.ts', 'helper.mjs'].every((name) => BANNED_NAMES.test(name))).toBe(true);
  });
});
