/** Routes about access itself: the tokens of programs, and the password of the second confirmation. */
import { z } from 'zod';
import { AccessToken, Confirm, MIN_PASSWORD_CHARS, TokenId, TokenScope } from './access.ts';
import { ConversationId } from './ids.ts';
import { Ok, type RouteDef } from './route.ts';

/** A year: longer-lived tokens are forgotten ones. */
const MAX_EXPIRY_DAYS = 366;
const Password = z.string().min(MIN_PASSWORD_CHARS).max(1024);

export const ACCESS_ROUTES = {
  listTokens: {
    method: 'GET',
    path: '/api/tokens',
    scope: 'read',
    summary: 'The tokens there are, without their secrets',
    output: z.object({ tokens: z.array(AccessToken) }),
    errors: [],
  },
  createToken: {
    method: 'POST',
    path: '/api/tokens',
    scope: 'operate',
    summary:
      'Makes a token, and answers its text this once. A token makes none with scopes it lacks, and only for a person at a terminal',
    body: z.object({
      label: z.string().trim().max(80).default(''),
      scopes: z.array(TokenScope).min(1),
      expires_in_days: z.number().positive().max(MAX_EXPIRY_DAYS).optional(),
      conversation_id: ConversationId.optional(),
      confirm: Confirm.optional(),
    }),
    output: z.object({ token: AccessToken, secret: z.string() }),
    errors: ['confirmation_required', 'unknown_conversation', 'conflict', 'storage_full'],
  },
  revokeToken: {
    method: 'DELETE',
    path: '/api/tokens/{token_id}',
    scope: 'operate',
    summary: 'Ends a token at once, with its open sockets. A token may end itself and those with no scope it lacks',
    params: z.object({ token_id: TokenId }),
    output: Ok,
    errors: ['not_found', 'storage_full'],
  },
  readPassword: {
    method: 'GET',
    path: '/api/password',
    scope: 'owner',
    summary: 'Whether the second confirmation asks for a password',
    output: z.object({ is_set: z.boolean() }),
    errors: [],
  },
  writePassword: {
    method: 'PUT',
    path: '/api/password',
    scope: 'owner',
    summary: 'Sets, changes or (null) removes the password of the second confirmation',
    body: z.object({ current: z.string().max(1024).optional(), password: Password.nullable() }),
    output: z.object({ is_set: z.boolean() }),
    errors: ['storage_full'],
  },
} as const satisfies Record<string, RouteDef>;
