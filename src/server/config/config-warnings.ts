/** What settings say that is right, and will not do what somebody hopes for. */
import type { Config } from '../../contract/config.ts';
import { webhooksWithoutSecret } from './webhook-secrets.ts';

export function warningsOf(config: Config, env: NodeJS.ProcessEnv): string[] {
  return webhooksWithoutSecret(config, env).map(
    ({ provider, where }) => `the webhook of ${provider} is refused, since its secret is not there: ${where}`,
  );
}
