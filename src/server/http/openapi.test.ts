/** The OpenAPI document and the table say the same. */
import { expect, test } from 'vitest';
import { ERROR_CODES } from '../../contract/result.ts';
import type { RouteDef } from '../../contract/route.ts';
import { ROUTES } from '../../contract/routes.ts';
import { EVENT_OF_ROLE } from '../../contract/ui-event.ts';
import { openApiDocument } from './openapi.ts';

const document = JSON.parse(JSON.stringify(openApiDocument('1.2.3')));

test('[HT19] every route is in it, with its credentials, its input and its failures', () => {
  for (const [id, route] of Object.entries<RouteDef>(ROUTES)) {
    const operation = document.paths[route.path]?.[route.method.toLowerCase()];
    expect(operation?.operationId).toBe(id);
    const schemes = operation.security.map((one: object) => Object.keys(one)[0]);
    expect(schemes).toEqual(
      {
        public: [],
        owner: ['session'],
        read: ['session', 'api_token'],
        operate: ['session', 'api_token'],
        run: ['session', 'api_token'],
      }[route.scope],
    );
    const inPath = operation.parameters.filter((one: { in: string }) => one.in === 'path');
    expect(inPath.map(({ name }: { name: string }) => `{${name}}`)).toEqual(route.path.match(/\{\w+\}/g) ?? []);
    expect(inPath.every(({ required }: { required: boolean }) => required)).toBe(true);
    expect('requestBody' in operation).toBe(route.body !== undefined);
    for (const code of route.errors) expect(operation.responses[ERROR_CODES[code][0]].description).toContain(code);
  }
  const operations = Object.values<object>(document.paths).flatMap((path) => Object.keys(path));
  expect(operations).toHaveLength(Object.keys(ROUTES).length);
});

test('[HT19] a query parameter keeps its limits and its default', () => {
  const { parameters } = document.paths['/api/appserver/transcript/range'].get;
  expect(parameters.find(({ name }: { name: string }) => name === 'limit')).toMatchObject({
    in: 'query',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 1000, default: 50 },
  });
});

test('[DC4] it has the schemas of what goes over the stream', () => {
  const { schemas } = document.components;
  const constants = (schema: { oneOf: { properties: Record<string, { const: string }> }[] }, field: string) =>
    schema.oneOf.map(({ properties }) => properties[field]?.const);
  const roles = constants(schemas.Entry, 'role');
  expect(roles).toEqual(expect.arrayContaining(['user', 'assistant', 'command', 'diff', 'board']));
  const events: readonly string[] = schemas.DurableEvent.properties.type.enum;
  const eventOf = new Map<string | undefined, string>(Object.entries(EVENT_OF_ROLE));
  expect(roles.filter((role) => !events.includes(eventOf.get(role) ?? ''))).toEqual([]);
  expect(constants(schemas.LiveEvent, 'type')).toContain('assistant_delta');
  expect(schemas.PendingApproval.properties).toHaveProperty('approval_id');
  expect(schemas.BoardMessage.required).toContain('num');
});
