/**
 * Writes src/contract/generated/ from the pinned Codex binary: its method names, and the types of what we use.
 * `--binary PATH` reads another Codex, `--out DIR` writes elsewhere, `--raw DIR` keeps the binary's own 900 files there (both for test/dispositions.test.ts).
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { codexBinary } from './codex-binary.mjs';
import { createFlattener, readMethods, readTypeTree } from './codex-types.mjs';
import { ROOT, say, toolPath } from './run.mjs';

/** Requests whose response type cannot be found by the naming convention `XxxParams` → `XxxResponse`. */
const RESPONSE_NAMES = { 'account/logout': 'LogoutAccountResponse' };

const { values } = parseArgs({
  options: { binary: { type: 'string' }, out: { type: 'string' }, raw: { type: 'string' } },
});
const outDir = values.out ?? join(ROOT, 'src/contract/generated');
const rawDir = values.raw ?? mkdtempSync(join(tmpdir(), 'signalbox-codex-types-'));
try {
  const binary = values.binary ?? codexBinary(ROOT);
  const version = execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim().replace('codex-cli ', '');
  execFileSync(binary, ['app-server', 'generate-ts', '--experimental', '--out', rawDir]);
  const types = readTypeTree(rawDir);
  const methods = {
    clientRequests: readMethods(types, 'ClientRequest'),
    clientNotifications: readMethods(types, 'ClientNotification'),
    serverNotifications: readMethods(types, 'ServerNotification'),
    serverRequests: readMethods(types, 'ServerRequest'),
  };
  mkdirSync(outDir, { recursive: true });
  write('codex-methods.ts', renderMethods(version, methods));
  write('codex-protocol.ts', renderProtocol(version, types, methods, await readLedger()));
} finally {
  if (!values.raw) rmSync(rawDir, { recursive: true, force: true });
}

function renderMethods(version, methods) {
  const list = (constant, type, members) => `
export const ${constant} = ${JSON.stringify(members.map(({ method }) => method).sort(), null, 1)} as const;
export type ${type} = (typeof ${constant})[number];
`;
  return [
    `/** Every method of Codex ${version}. Written by \`npm run generate\`; do not edit. */`,
    `export const CODEX_VERSION = '${version}';`,
    list('CODEX_CLIENT_REQUESTS', 'CodexClientRequestMethod', methods.clientRequests),
    list('CODEX_CLIENT_NOTIFICATIONS', 'CodexClientNotificationMethod', methods.clientNotifications),
    list('CODEX_SERVER_NOTIFICATIONS', 'CodexServerNotificationMethod', methods.serverNotifications),
    list('CODEX_SERVER_REQUESTS', 'CodexServerRequestMethod', methods.serverRequests),
  ].join('\n');
}

function renderProtocol(version, types, methods, dispositions) {
  const flat = createFlattener(types);
  const isKept = (dispositions) => (member) => typeof dispositions[member.method] === 'string';
  const byMethod = (a, b) => (a.method < b.method ? -1 : 1);
  const notifications = methods.serverNotifications.filter(isKept(dispositions.SERVER_NOTIFICATIONS)).sort(byMethod);
  const calls = (members) =>
    members.sort(byMethod).map((member) => {
      const params = member.params ? flat.print(member.params, member.owner) : 'undefined';
      return `'${member.method}': { params: ${params}; response: ${flat.reach(responseKey(types, member))} };`;
    });
  const maps = [
    ['CodexNotificationParams', notifications.map((m) => `'${m.method}': ${flat.print(m.params, m.owner)};`)],
    ['CodexServerRequests', calls(methods.serverRequests.filter(isKept(dispositions.SERVER_REQUESTS)))],
    ['CodexClientRequests', calls(methods.clientRequests.filter(isKept(dispositions.CLIENT_REQUESTS)))],
  ].map(([name, lines]) => `export interface ${name} {\n${lines.join('\n')}\n}\n`);
  return [
    '/**',
    ` * The types of Codex ${version} that we use or show (core/codex/dispositions.ts), on one flat page.`,
    ' * Written by `npm run generate`; do not edit. A `Core…` type is one whose plain name has another meaning in v2.',
    ' */',
    ...maps,
    ...flat.printClosure(),
    '',
  ].join('\n');
}

function responseKey(types, { method, params, owner }) {
  const paramsKey = params && owner.imports.get(baseReference(params));
  const name = RESPONSE_NAMES[method] ?? paramsKey?.replace(/^.*#(.*)Params$/, '$1Response');
  const key = [`v2/${name}.ts#${name}`, `${name}.ts#${name}`].find((candidate) => types.has(candidate));
  if (!key) throw new Error(`${method}: no response type ${name}; name it in RESPONSE_NAMES`);
  return key;
}

/** The named type of `X`, `X | null` and `X | undefined`. */
function baseReference(node) {
  const reference = ts.isUnionTypeNode(node) ? node.types.find(ts.isTypeReferenceNode) : node;
  return reference && ts.isTypeReferenceNode(reference) ? reference.typeName.text : undefined;
}

/** The table is TypeScript without run-time imports: strip the types, load the rest. */
async function readLedger() {
  const source = readFileSync(join(ROOT, 'src/core/codex/dispositions.ts'), 'utf8');
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true },
  });
  return import(`data:text/javascript,${encodeURIComponent(outputText)}`);
}

/** Biome skips the folder itself (it is generated), so the text is formatted on its way there. */
function write(name, text) {
  const biome = toolPath('@biomejs/biome/bin/biome');
  const formatted = execFileSync(process.execPath, [biome, 'format', `--stdin-file-path=${name}`], {
    cwd: ROOT,
    input: text,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  writeFileSync(join(outDir, name), formatted);
  say(`${join(outDir, name)}: ${(formatted.length / 1024).toFixed(1)} kB`);
}
