/** What a handler receives: path, query and body of a request, checked against the schemas of its route. */
import { fail, ok, type Result } from '../../contract/result.ts';
import type { RouteDef } from '../../contract/route.ts';

export interface GivenInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Undefined when there was none. */
  readonly body: unknown;
}

type Place = 'path' | 'query' | 'body';

export function decodeInput(route: RouteDef, given: GivenInput): Result<object> {
  const query = decodeQuery(given.query);
  if (!query.ok) return query;
  const params = decodePart(route.params, given.params, 'path');
  if (!params.ok) return params;
  const asked = decodePart(route.query, query.value, 'query');
  if (!asked.ok) return asked;
  const body = decodePart(route.body, given.body === undefined ? {} : given.body, 'body');
  if (!body.ok) return body;
  return ok({ ...body.value, ...asked.value, ...params.value });
}

/** The first thing wrong, naming the field: `text: expected string, received number`. */
export function renderIssue(error: {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}): { readonly field: string; readonly message: string } {
  const [issue] = error.issues;
  const field = (issue?.path ?? []).map(String).join('.');
  const message = (issue?.message ?? 'not as expected').replace(/^Invalid input: /, '');
  return { field, message: field === '' ? message : `${field}: ${message}` };
}

function decodeQuery(query: URLSearchParams): Result<Record<string, string>> {
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of query) {
    if (name in values) return fail('invalid_request', `query: ${name} is given twice`, { in: 'query', field: name });
    values[name] = value;
  }
  return ok(values);
}

/** Keys nobody asked for are a mistake worth telling: a misspelled setting must not look as if it had been taken. */
function decodePart(schema: RouteDef['body'], given: unknown, place: Place): Result<object> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return fail('invalid_request', `the ${place} must be a JSON object`, { in: place });
  }
  const known = knownKeys(schema);
  const unknown = Object.keys(given).find((key) => known !== null && !known.includes(key));
  if (unknown !== undefined) {
    const field = unknown.slice(0, 100);
    return fail('invalid_request', `${place}: there is no ${JSON.stringify(field)} here`, { in: place, field });
  }
  if (schema === undefined) return ok({});
  const parsed = schema.safeParse({ ...given });
  if (!parsed.success) {
    const { field, message } = renderIssue(parsed.error);
    return fail('invalid_request', `${place}: ${message}`, { in: place, field });
  }
  return ok(typeof parsed.data === 'object' && parsed.data !== null ? parsed.data : {});
}

/** Null when the schema does not list its keys. */
function knownKeys(schema: RouteDef['body']): readonly string[] | null {
  if (schema === undefined) return [];
  return 'shape' in schema && typeof schema.shape === 'object' ? Object.keys(schema.shape ?? {}) : null;
}
