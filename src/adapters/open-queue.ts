/** Opens the queue of an entry: only the client library that it needs is loaded. */
import type { AdapterEntry } from '../contract/adapter.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { errorCode } from '../node/atomic-file.ts';
import { readBrokerAddress, withoutSecrets } from './broker-address.ts';
import type { BrokerAddress, Queue } from './queue.ts';

/** What brokers say of a wrong user, password, key or right. */
const CREDENTIAL =
  /authoriz|authenticat|WRONGPASS|NOAUTH|NOPERM|AUTH failed|AUTH <password>|ACCESS[_-]REFUSED|bad user ?name|permission|certificate|nkey/i;

export async function openQueue(entry: AdapterEntry, env: NodeJS.ProcessEnv, homeId: string): Promise<Result<Queue>> {
  const address = await readBrokerAddress(entry, env);
  if (!address.ok) return address;
  try {
    return ok(await openOf(entry, address.value, homeId));
  } catch (error) {
    return describeBrokerError(error, address.value);
  }
}

async function openOf(entry: AdapterEntry, address: BrokerAddress, homeId: string): Promise<Queue> {
  switch (entry.type) {
    case 'nats':
      return (await import('./nats.ts')).openNats(entry, address);
    case 'redis':
      return (await import('./redis.ts')).openRedis(entry, address);
    case 'rabbitmq':
      return (await import('./rabbitmq.ts')).openRabbitmq(entry, address);
    case 'mqtt':
      return (await import('./mqtt.ts')).openMqtt(entry, address, homeId);
    default:
      return entry satisfies never;
  }
}

/** What a client library throws, as a person needs it. */
export function describeBrokerError(error: unknown, address: BrokerAddress | null): Result<never> {
  const code = errorCode(error);
  if (code === 'ERR_MODULE_NOT_FOUND')
    return fail(
      'internal',
      'the client library of this broker is not there: install Signalbox again (npm install -g signalbox)',
    );
  const words = textOf(error);
  const message = address === null ? words : withoutSecrets(words, address);
  if (CREDENTIAL.test(message))
    return fail(
      'unauthorized',
      `the broker refuses the credential: ${message}. Correct url_env, url_file or the key it names`,
    );
  const where = address === null ? 'the broker' : `the broker at ${address.url.host}`;
  return fail('not_running', `${where} cannot be reached: ${message}`);
}

/** Some errors have their words in a cause, or in the first of several. */
function textOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return textOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error && error.cause.message !== error.message ? `: ${error.cause.message}` : '';
  const text = `${error.message}${cause}`.trim();
  return text === '' ? errorCode(error) || error.name : text;
}
