/** What a row of the REST table is, and the schemas that several rows share. */
import { z } from 'zod';
import type { AgentAccess, Scope } from './access.ts';
import { ConversationId } from './ids.ts';
import type { ErrorCode } from './result.ts';

export interface RouteDef {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Parameters in braces; each has a schema in `params`. */
  readonly path: string;
  readonly scope: Scope;
  /** Without it a command of an agent is refused, whatever token it shows. */
  readonly agents?: AgentAccess;
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly output: z.ZodType;
  /** Codes beyond those every route may answer (invalid_request, unauthorized, forbidden, rate_limited, internal). */
  readonly errors: readonly ErrorCode[];
  readonly maxBodyBytes?: number;
  /** raw: it knows credentials and content types of its own, so its handler gets the headers and the bytes. */
  readonly intake?: 'raw';
}

/** Where the routes of the conversations live. */
export const base = '/api/appserver';

export const Ok = z.object({ ok: z.literal(true) });
export const conversationParam = z.object({ id: ConversationId });
export const booleanQuery = z.enum(['true', 'false']).transform((word) => word === 'true');
export const integerQuery = z.coerce.number().int();
