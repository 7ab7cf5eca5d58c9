/** Every route of the table, asked with a token of each scope over real HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TOKEN_SCOPES } from '../../src/contract/access.ts';
import type { RouteDef } from '../../src/contract/route.ts';
import { ROUTES } from '../../src/contract/routes.ts';
import { API_TOKEN, type HttpStand, openSocket, startHttpStand } from '../../src/testing/http-stand.ts';

const headers = { Authorization: `Bearer ${API_TOKEN}`, 'Content-Type': 'application/json' };

describe.each(TOKEN_SCOPES)('a token with the scope %s', (scope) => {
  let stand: HttpStand;
  beforeAll(async () => {
    stand = await startHttpStand(undefined, [scope]);
  });
  afterAll(() => stand.stop());

  test('[AT1] is refused at every route of another scope, with the scope that is missing', async () => {
    for (const [id, route] of Object.entries<RouteDef>(ROUTES)) {
      const path = route.path.replaceAll(/\{\w+\}/g, 'x');
      const body = route.method === 'GET' || route.method === 'DELETE' ? {} : { body: '{}' };
      const answer = await fetch(`${stand.url}${path}`, { method: route.method, headers, ...body });
      const isOpen = route.scope === 'public' || route.scope === scope;
      expect([id, answer.status === 403]).toEqual([id, !isOpen]);
      const { details } = isOpen ? { details: undefined } : JSON.parse(await answer.text());
      if (!isOpen && route.scope !== 'owner') expect(details).toEqual({ missing_scope: route.scope, scopes: [scope] });
    }
    const isOther = ({ id }: { readonly id: keyof typeof ROUTES }) => ![scope, 'public'].includes(ROUTES[id].scope);
    expect(stand.calls.filter(isOther)).toEqual([]);
  });

  test('[AT1] [HT20] [HT24] opens a socket and the metrics with the scope read only', async () => {
    const metrics = await fetch(`${stand.url}/metrics`, { headers });
    expect(metrics.status).toBe(scope === 'read' ? 200 : 403);
    for (const path of ['/ws/appserver', '/ws/echo/x']) {
      const opened = openSocket(stand.port, { Authorization: headers.Authorization }, path);
      if (scope === 'read') (await opened).ws.close();
      else await expect(opened).rejects.toThrow('403');
    }
  });
});
