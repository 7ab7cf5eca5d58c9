/** A message to Codex → the line that is sent, and the line as people may see it. */

/** A lone surrogate makes Codex drop the whole line without a word. */
export function renderLine(message: unknown): string {
  return JSON.stringify(message, (_key, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value));
}

/** The one request that carries a secret. */
const LOGIN_START = '{"method":"account/login/start"';

/** For debug mode. Recognized by its beginning, which `renderLine` makes of a request that names its method first. */
export function withoutSecret(line: string): string {
  return line.startsWith(LOGIN_START) ? `${LOGIN_START},"params":"[redacted]"}` : line;
}
