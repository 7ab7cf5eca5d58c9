/** The page: src/web bundled into dist/web, from where the server hands it out. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { renderLicenses } from './scripts/licenses.mjs';
import { ROUTES } from './src/contract/routes.ts';

const ROUTES_ID = 'virtual:routes';

/** The REST table without its schemas: the page needs where to call, not zod (which would also want eval). */
function routeTable(): Plugin {
  const rows = Object.entries(ROUTES).map(([id, route]) => [
    id,
    {
      method: route.method,
      path: route.path,
      query: 'query' in route ? Object.keys(route.query.shape) : [],
    },
  ]);
  return {
    name: 'route-table',
    resolveId: (id) => (id === ROUTES_ID ? `\0${ROUTES_ID}` : null),
    load: (id) =>
      id === `\0${ROUTES_ID}` ? `export const ROUTE_TABLE = ${JSON.stringify(Object.fromEntries(rows))};` : null,
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

/** Workers are bundled apart, so they have a text of their own. */
function licenses(fileName: string): Plugin {
  return {
    name: 'licenses',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []));
      this.emitFile({ type: 'asset', fileName, source: renderLicenses(modules) });
    },
  };
}

export default defineConfig({
  root: 'src/web',
  plugins: [react(), routeTable(), policyDocument(), licenses('licenses.txt')],
  worker: { plugins: () => [licenses('licenses-workers.txt')] },
  build: { outDir: '../../dist/web', emptyOutDir: true, target: 'es2023', modulePreload: { polyfill: false } },
});
