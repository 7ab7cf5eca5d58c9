/** The page: src/web bundled into dist/web, from where the server hands it out. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { renderLicenses } from './scripts/licenses.mjs';
import { ROUTES } from './src/contract/routes.ts';

const ROUTES_ID = 'virtual:routes';
const WEB = fileURLToPath(new URL('./src/web', import.meta.url));
const ENTRY = join(WEB, 'main.tsx');

/**
 * The REST table without its schemas: the page needs where to call, not zod (which would also want eval). Only the routes whose ids stand in
 * the source of the page, as lines of text, since objects take half as much again compressed.
 */
function routeTable(): Plugin {
  const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const source = files.map((name) => readFileSync(join(WEB, name), 'utf8')).join('\n');
  const rows = Object.entries(ROUTES)
    .filter(([id]) => source.includes(`'${id}'`))
    .map(([id, route]) => {
      const query = 'query' in route ? Object.keys(route.query.shape) : [];
      return [id, route.method, route.path, ...query].join(' ');
    });
  const code = `const rows = ${JSON.stringify(rows.join('\n'))}.split('\\n').map((row) => row.split(' '));
export const ROUTE_TABLE = Object.fromEntries(rows.map(([id, method, path, ...query]) => [id, { method, path, query }]));`;
  return {
    name: 'route-table',
    resolveId: (id) => (id === ROUTES_ID ? `\0${ROUTES_ID}` : null),
    load: (id) => (id === `\0${ROUTES_ID}` ? code : null),
  };
}

/** xterm's `document` is ours, which keeps the content policy; see policy-document.ts. Fails when a new xterm reaches for it in another way. */
function policyDocument(): Plugin {
  const source = fileURLToPath(new URL('./src/web/terminal/policy-document.ts', import.meta.url));
  return {
    name: 'policy-document',
    transform: (code, id) => {
      if (!id.includes('@xterm/xterm/lib/')) return null;
      const parts = code.split('window.document');
      if (parts.length !== 2) throw new Error('xterm uses window.document otherwise than expected');
      const ours = `import { policyDocument as document } from ${JSON.stringify(source)};\n`;
      return { code: ours + parts.join('document'), map: null };
    },
  };
}

/** Each worker is bundled apart, so it has a text of its own. */
function licenses(isWorker: boolean): Plugin {
  return {
    name: 'licenses',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
      const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
      const entry = chunks.find(({ isEntry }) => isEntry)?.name ?? 'worker';
      const fileName = isWorker ? `licenses-${entry}.txt` : 'licenses.txt';
      this.emitFile({ type: 'asset', fileName, source: renderLicenses(modules) });
    },
  };
}

/**
 * Puts everything that the page's entry imports statically into one chunk: split by who shares what, the same code is fifteen files that
 * compress worse. Modules that only lazy chunks use are left to them.
 */
function createChunkName() {
  const first = new Set<string>();
  return (id: string, graph: { getModuleInfo(id: string): { importedIds: string[] } | null }): string | null => {
    const waiting = first.size === 0 ? [ENTRY] : [];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (first.has(next)) continue;
      first.add(next);
      waiting.push(...(graph.getModuleInfo(next)?.importedIds ?? []));
    }
    return first.has(id) ? 'first' : null;
  };
}

export default defineConfig({
  root: 'src/web',
  plugins: [react(), routeTable(), policyDocument(), licenses(false)],
  worker: { plugins: () => [licenses(true)] },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: createChunkName() }] } } },
  },
});
