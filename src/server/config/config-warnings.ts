/** What settings say that is right, and will not do what somebody hopes for. */
import type { Config } from '../../contract/config.ts';
import { isTemporaryPath } from '../../node/places.ts';
import { webhooksWithoutSecret } from './webhook-secrets.ts';

export function warningsOf(config: Config, codexHome: string, env: NodeJS.ProcessEnv): string[] {
  const silent = webhooksWithoutSecret(config, env).map(
    ({ provider, where }) => `the webhook of ${provider} is refused, since its secret is not there: ${where}`,
  );
  if (!isTemporaryPath(codexHome)) return silent;
  return [
    `CODEX_HOME (${codexHome}) is in the temporary directory: Codex cannot run sandboxed terminal commands from there`,
    ...silent,
  ];
}
