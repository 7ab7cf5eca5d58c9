/** The token of an `Authorization: Bearer …` header. */

/** The longest token that any part of the server takes, an MCP token with a long name; more is not worth comparing. */
const MAX_TOKEN_CHARS = 1_024;
const BEARER = new RegExp(`^Bearer (\\S{1,${MAX_TOKEN_CHARS}})$`, 'i');

/** Null if the header is absent or of another kind. */
export function bearerToken(authorization: string | null | undefined): string | null {
  return BEARER.exec(authorization ?? '')?.[1] ?? null;
}
