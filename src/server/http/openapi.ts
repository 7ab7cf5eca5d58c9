/** The OpenAPI document, made from the same table and schemas that serve the requests. Loaded when somebody asks for it. */
import { TOKEN_SCOPES } from '../../contract/access.ts';
import { PendingApproval } from '../../contract/approval.ts';
import { BoardMessage } from '../../contract/board.ts';
import { Entry } from '../../contract/entry.ts';
import { ConversationId } from '../../contract/ids.ts';
import { ERROR_CODES, type ErrorCode } from '../../contract/result.ts';
import type { RouteDef } from '../../contract/route.ts';
import { ROUTES } from '../../contract/routes.ts';
import { OTHER_PATHS, SOCKETS } from '../../contract/sockets.ts';
import { EVENT_OF_ROLE, LiveEvent } from '../../contract/ui-event.ts';

type Json = Record<string, unknown>;
type Schema = NonNullable<RouteDef['body']>;

/** Codes any route may answer, beside its own. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'forbidden',
  'rate_limited',
  'internal',
  'storage_full',
  'storage_failed',
];

export function openApiDocument(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const [id, route] of Object.entries<RouteDef>(ROUTES)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeRoute(id, route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Signalbox',
      version,
      description:
        'A local server between people, scripts and their Codex conversations. Live events: WS /ws/appserver.',
    },
    paths,
    'x-sockets': Object.values(SOCKETS),
    'x-other-paths': Object.values(OTHER_PATHS),
    components: {
      securitySchemes: {
        session: {
          type: 'http',
          scheme: 'Proof',
          description:
            'A browser that opened a login link. Its page signs a challenge (POST /api/session/challenge) with its key and sends the ' +
            'proof it gets (POST /api/session/proof) with each request, on a WebSocket as the protocol signalbox.proof.<proof>.',
        },
        api_token: { type: 'http', scheme: 'bearer', description: SCOPES_SAY },
      },
      schemas: { Failure: FAILURE, ...streamSchemas() },
    },
  };
}

/** What goes over `WS /ws/appserver` and `WS /ws`; a durable event is an entry with its name and place. */
function streamSchemas(): Record<string, Json> {
  const DurableEvent = {
    type: 'object',
    required: ['type', 'conversation_id', 'seq', 'entry'],
    properties: {
      type: { enum: [...new Set(Object.values(EVENT_OF_ROLE))] },
      conversation_id: schemaOf(ConversationId, 'output'),
      seq: { type: 'integer' },
      entry: { $ref: '#/components/schemas/Entry' },
    },
  };
  const made = Object.entries({ Entry, LiveEvent, PendingApproval, BoardMessage });
  return { DurableEvent, ...Object.fromEntries(made.map(([name, schema]) => [name, schemaOf(schema, 'output')])) };
}

const SCOPES_SAY = `api_token of run/server.json, or a token of \`signalbox tokens create\`. Scopes: ${TOKEN_SCOPES.join(', ')}.`;

const FAILURE: Json = {
  type: 'object',
  required: ['ok', 'code', 'message'],
  properties: {
    ok: { const: false },
    code: { enum: Object.keys(ERROR_CODES) },
    message: { type: 'string' },
    details: { type: 'object' },
  },
};

function describeRoute(id: string, route: RouteDef): Json {
  return {
    operationId: id,
    summary: route.summary,
    'x-scope': route.scope,
    security: securityOf(route),
    parameters: [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')],
    ...(route.body !== undefined && {
      requestBody: { content: { 'application/json': { schema: schemaOf(route.body, 'input') } } },
    }),
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: schemaOf(route.output, 'output') } } },
      ...failuresOf(route),
    },
  };
}

function securityOf(route: RouteDef): Json[] {
  switch (route.scope) {
    case 'public':
      return [];
    case 'owner':
      return [{ session: [] }];
    case 'read':
    case 'operate':
    case 'run':
      return [{ session: [] }, { api_token: [route.scope] }];
    default:
      return route.scope satisfies never;
  }
}

/** One entry per status, naming the codes that share it. */
function failuresOf(route: RouteDef): Record<string, Json> {
  const codes = [...new Set([...COMMON_ERRORS, ...route.errors])];
  const statuses = [...new Set(codes.map((code) => ERROR_CODES[code][0]))];
  const answers = statuses.map((status) => {
    const description = codes.filter((code) => ERROR_CODES[code][0] === status).join(', ');
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } };
    return [`${status}`, { description, content }] as const;
  });
  return Object.fromEntries(answers);
}

function parametersOf(schema: RouteDef['params'], place: 'path' | 'query'): Json[] {
  if (schema === undefined) return [];
  const { properties, required } = schemaOf(schema, 'input');
  if (typeof properties !== 'object' || properties === null) return [];
  const isRequired = (name: string) => place === 'path' || (Array.isArray(required) && required.includes(name));
  return Object.entries(properties).map(([name, one]) => ({
    name,
    in: place,
    required: isRequired(name),
    schema: one,
  }));
}

function schemaOf(schema: Schema, io: 'input' | 'output'): Json {
  const { $schema, ...rest } = schema.toJSONSchema({ io, unrepresentable: 'any' });
  return rest;
}
