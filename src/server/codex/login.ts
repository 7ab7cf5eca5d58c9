/** Whether Codex can reach a model by itself: a login, a key, or a provider of the user's own. Without one the demo model answers. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';

export function hasModelAccess(codexHome: string, env: NodeJS.ProcessEnv): boolean {
  return hasLogin(codexHome) || Boolean(env.OPENAI_API_KEY || env.CODEX_API_KEY) || hasOwnProvider(codexHome);
}

export function hasLogin(codexHome: string): boolean {
  return readText(authPath(codexHome)).trim().length > 2;
}

/** Another text after every login and logout; says nothing of what is in the file. */
export function loginMark(codexHome: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(authPath(codexHome));
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return 'none';
  }
}

const authPath = (codexHome: string): string => join(codexHome, 'auth.json');

/** The built-in provider is `openai`, which needs a login. */
function hasOwnProvider(codexHome: string): boolean {
  try {
    const provider = parse(readText(join(codexHome, 'config.toml'))).model_provider;
    return typeof provider === 'string' && provider !== 'openai';
  } catch {
    // A file we cannot read Codex will complain about in its own words.
    return false;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
