/** One typed call of the REST table. Expected failures are values; the caller decides how to say them. */
import type { Failure, FailureBody, Result } from '../../contract/result.ts';
import type { RouteCall, RouteId, RouteOutput } from '../../contract/routes.ts';
import type { PageSession } from './session.ts';

export interface RouteRow {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
}

type RouteTable = Readonly<Record<RouteId, RouteRow>>;

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string | null;
}

export type Call = <Id extends RouteId>(id: Id, input: RouteCall<Id>) => Promise<Result<RouteOutput<Id>>>;

/** Fields named in the path go there, those of the query string there, the rest into the body. */
export function requestOf(row: RouteRow, input: Readonly<Record<string, unknown>>): HttpRequest {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest.get(name));
    rest.delete(name);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const name of row.query) {
    if (rest.has(name)) query.set(name, String(rest.get(name)));
    rest.delete(name);
  }
  const search = query.size === 0 ? '' : `?${query}`;
  const body = row.method === 'GET' ? null : JSON.stringify(Object.fromEntries(rest));
  return { method: row.method, url: path + search, body };
}

export interface CallPorts {
  readonly table: RouteTable;
  /** Proves the session with each request. */
  readonly fetch: PageSession['fetch'];
  readonly onSignedOut: () => void;
}

const UNREACHABLE: Failure = { code: 'not_running', message: 'The server cannot be reached.' };

export function createCall(ports: CallPorts): Call {
  return async (id, input) => {
    const { method, url, body } = requestOf(ports.table[id], { ...input });
    try {
      const response = await ports.fetch(url, {
        method,
        headers: body === null ? {} : { 'content-type': 'application/json' },
        body,
      });
      if (response.status === 401) ports.onSignedOut();
      if (response.ok) return { ok: true, value: await response.json() };
      return { ok: false, error: await readFailure(response) };
    } catch {
      return { ok: false, error: UNREACHABLE };
    }
  };
}

async function readFailure(response: Response): Promise<Failure> {
  try {
    const body: FailureBody = await response.json();
    return { code: body.code, message: body.message, ...(body.details !== undefined && { details: body.details }) };
  } catch {
    return { code: 'internal', message: `The server answered ${response.status}.` };
  }
}
