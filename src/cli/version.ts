/** Which version this is, as package.json says. */
import { readFileSync } from 'node:fs';

/** Two levels up from `src/cli` and from `dist/bin` alike. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return String(version);
}
