/** The page: src/web bundled into dist/web, from where the server hands it out. */
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
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

export default defineConfig({
  root: 'src/web',
  plugins: [react(), routeTable()],
  build: { outDir: '../../dist/web', emptyOutDir: true, target: 'es2023', modulePreload: { polyfill: false } },
});
