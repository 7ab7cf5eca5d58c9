/** The secrets webhooks are signed with: where the configuration says they are, and those that are not there. */
import { readFileSync } from 'node:fs';
import type { Config } from '../../contract/config.ts';
import type { ExternalEventsConfig, Webhook } from '../../contract/external-event.ts';
import { expand } from '../../node/places.ts';

/** The secrets of a provider, the current one first; none when it is not configured. */
export function secretsOf(config: ExternalEventsConfig, provider: Webhook, env: NodeJS.ProcessEnv): string[] {
  const source = config.sources.findLast((one) => one.type === 'webhook' && one.provider === provider);
  if (source?.type !== 'webhook' || !source.enabled) return [];
  const { secret, secret_env, secret_file, old_secret } = source;
  const current = secret ?? (secret_env === undefined ? undefined : env[secret_env]) ?? readSecret(secret_file, env);
  return [current, old_secret].filter((one) => one !== undefined && one !== '').map(String);
}

function readSecret(path: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(expand(path, env), 'utf8').trim();
  } catch {
    return undefined;
  }
}

export function webhooksWithoutSecret(config: Config, env: NodeJS.ProcessEnv) {
  return config.external_events.sources.flatMap((source) => {
    if (source.type !== 'webhook' || !source.enabled) return [];
    const { provider, secret_env, secret_file } = source;
    if (secretsOf(config.external_events, provider, env).length > 0) return [];
    if (secret_env !== undefined) return [{ provider, where: `the variable ${secret_env} is not set` }];
    const where = secret_file === undefined ? 'set secret_env, secret_file or secret' : `${secret_file} cannot be read`;
    return [{ provider, where }];
  });
}
