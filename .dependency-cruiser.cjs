/** The dependency rule: who may import whom, one `layer(…)` a row. Proven by test/architecture.test.ts. */
const { join } = require('node:path');

/** Tests may import everything; every rule below is about the product. */
const TESTS = ['\\.test\\.tsx?$', '^src/testing/'];
const LAYERS = [
  'contract',
  'core',
  'markdown',
  'node',
  'demo',
  'ptyhost',
  'adapters',
  'server',
  'cli',
  'web',
  'testing',
];

/** Each is loaded only by the adapter that needs it. */
const BROKER_CLIENTS = ['@nats-io/transport-node', '@nats-io/jetstream', '@redis/client', 'amqplib', 'mqtt'];
const MCP = '@modelcontextprotocol/[^/]+';
const TERMINAL_SCREEN = ['@xterm/headless', '@xterm/addon-serialize'];
/** Bundled into the page, so it may be rich; nothing here ever runs in Node. */
const PAGE = [
  'highlight.js',
  'katex',
  'beautiful-mermaid',
  'uplot',
  'react',
  'react-dom',
  'zustand',
  'marked',
  '@xterm/xterm',
  '@xterm/addon-[^/]+',
  'lucide-react',
];
/** What the command line may decide with: showing a conversation, and cleaning text. */
const CLI_CORE = '^src/core/(text/|[^/]+/(reduce|rows|render)[^/]*\\.ts$)';

/**
 * One row of the table: files of `src/<name>/` may import their own folder and what `allowed` lists.
 * `local`: patterns of our own paths; `npm`: package names; `builtin`: whether `node:` modules are allowed.
 */
function layer(name, { local = [], npm = [], builtin = false }) {
  const from = { path: `^src/${name}/`, pathNot: TESTS };
  const packages = npm.map((pattern) => `node_modules/(@types/)?${pattern}/`);
  return [
    {
      name: `${name}-local`,
      severity: 'error',
      from,
      to: { path: '^(src|test|scripts)/', pathNot: [`^src/${name}/`, ...local] },
    },
    {
      name: `${name}-npm`,
      severity: 'error',
      from,
      to: { path: 'node_modules/', ...(packages.length && { pathNot: packages }) },
    },
    ...(builtin ? [] : [{ name: `${name}-builtin`, severity: 'error', from, to: { dependencyTypes: ['core'] } }]),
  ];
}

const CONTRACT = '^src/contract/';
const CORE = '^src/core/';
const MARKDOWN = '^src/markdown/';
const NODE = '^src/node/';
const DEMO = '^src/demo/';
const SERVER_MAIN = '^src/server/main\\.ts$';
const ADAPTERS_MAIN = '^src/adapters/main\\.ts$';
/** The code that wires the domains together. */
const COMPOSITION = '^src/server/(main\\.ts$|compose/)';
/** The only code that knows Codex's methods, answers and error texts. */
const CODEX_SEAM = '^src/(core|server)/codex/';
/** Serve every domain and know none of them. */
const SHARED = '^src/server/(hub|config)/';

module.exports = {
  forbidden: [
    ...layer('contract', { npm: ['zod'] }),
    ...layer('core', { local: [CONTRACT] }),
    ...layer('markdown', { local: ['^src/core/text/'], npm: ['marked'] }),
    ...layer('node', { local: ['^src/core/text/'], npm: ['pino'], builtin: true }),
    ...layer('demo', { local: [CORE], builtin: true }),
    ...layer('ptyhost', { local: [CONTRACT, CORE, NODE], npm: TERMINAL_SCREEN, builtin: true }),
    ...layer('adapters', { local: [CONTRACT, CORE, NODE], npm: [...BROKER_CLIENTS, 'zod'], builtin: true }),
    ...layer('server', {
      local: [CONTRACT, CORE, NODE, DEMO],
      npm: ['hono', '@hono/node-server', 'ws', 'yaml', 'smol-toml', 'croner', MCP],
      builtin: true,
    }),
    ...layer('cli', {
      local: [CONTRACT, CLI_CORE, MARKDOWN, NODE, SERVER_MAIN, ADAPTERS_MAIN],
      npm: ['commander', 'ws'],
      builtin: true,
    }),
    ...layer('web', { local: [CONTRACT, CORE, MARKDOWN], npm: PAGE }),
    {
      name: 'server-domains',
      comment: 'a server domain gets what it needs of another one from main.ts, as a port',
      severity: 'error',
      from: {
        path: '^src/server/([^/]+)/',
        pathNot: [...TESTS, COMPOSITION, SHARED, '^src/server/http/(handlers[^/]*|services)\\.ts$'],
      },
      to: { path: '^src/server/[^/]+/', pathNot: ['^src/server/$1/', SHARED] },
    },
    {
      name: 'server-shared',
      comment: 'hub, config and the like serve the domains and know none of them',
      severity: 'error',
      from: { path: ['^src/server/[^/]+\\.ts$', SHARED], pathNot: [...TESTS, COMPOSITION] },
      to: { path: '^src/server/[^/]+/', pathNot: SHARED },
    },
    {
      name: 'codex-protocol',
      comment:
        'only the seam reads and writes the protocol of Codex; others use core/codex/operations.ts and signal.ts',
      severity: 'error',
      from: { path: '^src/', pathNot: [...TESTS, CODEX_SEAM, CONTRACT] },
      to: { path: '^src/contract/(codex\\.ts$|generated/)' },
    },
    {
      name: 'codex-link',
      comment:
        'compose/codex.ts makes the link to Codex; whoever else could send requests would go round the operations',
      severity: 'error',
      from: { path: '^src/', pathNot: [...TESTS, CODEX_SEAM, '^src/server/compose/codex\\.ts$'] },
      to: { path: '^src/server/codex/(ask|connection|open-codex|stdio|supervisor|transport|unix)\\.ts$' },
    },
    {
      name: 'server-main',
      comment: 'the composition root is started by `signalbox serve` and by nobody else',
      severity: 'error',
      from: { path: '^src/', pathNot: [...TESTS, '^src/cli/serve\\.ts$'] },
      to: { path: SERVER_MAIN },
    },
    {
      name: 'no-test-code',
      comment: 'nothing but tests may import test code',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
      to: { path: ['\\.test\\.tsx?$', '^src/testing/', '^test/'] },
    },
    {
      name: 'known-layer',
      comment: 'a new folder below src/ needs a row in this table before it may import anything',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(${LAYERS.join('|')})/` },
      to: {},
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'resolvable',
      comment: 'an import nobody can resolve is one no rule above has looked at',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsPreCompilationDeps: true, // a type import is a dependency as well
    tsConfig: { fileName: join(__dirname, 'tsconfig.base.json') },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
