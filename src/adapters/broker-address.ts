/** Reads where the broker of an entry is and what it is shown: from the entry, a variable or a file. */
import { readFile } from 'node:fs/promises';
import { ADAPTER_SCHEMES, type AdapterEntry } from '../contract/adapter.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { errorCode } from '../node/atomic-file.ts';
import { expand } from '../node/places.ts';
import type { BrokerAddress } from './queue.ts';

type Env = NodeJS.ProcessEnv;

export async function readBrokerAddress(entry: AdapterEntry, env: Env): Promise<Result<BrokerAddress>> {
  const text = await readValue('url', entry, env);
  if (!text.ok) return text;
  const url = parseUrl(text.value ?? '', entry);
  if (!url.ok) return url;
  const nkey = entry.type === 'nats' ? await readValue('nkey', { ...entry, nkey: undefined }, env) : ok(null);
  if (!nkey.ok) return nkey;
  const [ca, cert, key] = [
    await fileOf('ca_file', entry.ca_file, env),
    await fileOf('cert_file', entry.cert_file, env),
    await fileOf('key_file', entry.key_file, env),
  ];
  if (!ca.ok) return ca;
  if (!cert.ok) return cert;
  if (!key.ok) return key;
  const files = { ca: ca.value, cert: cert.value, key: key.value };
  const isTls =
    url.value.protocol === ADAPTER_SCHEMES[entry.type][1] || Object.values(files).some((one) => one !== null);
  return ok({
    url: url.value,
    user: url.value.username === '' ? null : decodeURIComponent(url.value.username),
    password: url.value.password === '' ? null : decodeURIComponent(url.value.password),
    tls: isTls ? files : null,
    nkey: nkey.value,
  });
}

/** `<name>`, `<name>_env` or `<name>_file` of an entry; null if it has none of them. */
async function readValue(
  name: string,
  entry: Readonly<Record<string, unknown>>,
  env: Env,
): Promise<Result<string | null>> {
  const plain = entry[name];
  const variable = entry[`${name}_env`];
  const path = entry[`${name}_file`];
  if (typeof plain === 'string') return ok(plain);
  if (typeof variable === 'string') {
    const value = env[variable]?.trim();
    if (value !== undefined && value !== '') return ok(value);
    return fail('invalid_request', `${name}_env: the variable ${variable} is not set: start the server where it is`);
  }
  return fileOf(`${name}_file`, typeof path === 'string' ? path : undefined, env);
}

async function fileOf(key: string, path: string | undefined, env: Env): Promise<Result<string | null>> {
  if (path === undefined) return ok(null);
  try {
    const text = (await readFile(expand(path, env), 'utf8')).trim();
    return text === '' ? fail('invalid_request', `${key}: ${path} is empty`) : ok(text);
  } catch (error) {
    return fail('invalid_request', `${key}: ${path} cannot be read: ${errorCode(error)}`);
  }
}

/** The message never holds the address, which may hold a password. */
function parseUrl(text: string, { type }: AdapterEntry): Result<URL> {
  const schemes = ADAPTER_SCHEMES[type];
  const expected = `the address of the broker begins with ${schemes.map((one) => `${one}//`).join(' or ')}`;
  if (!schemes.some((one) => text.startsWith(`${one}//`))) return fail('invalid_request', expected);
  try {
    const url = new URL(text);
    decodeURIComponent(url.username + url.password);
    return url.hostname === '' ? fail('invalid_request', `${expected} and has a host`) : ok(url);
  } catch {
    return fail(
      'invalid_request',
      'the address of the broker is no URL: special characters in a password are %-encoded',
    );
  }
}

/** Words of a client library without what they may repeat of an address. */
export function withoutSecrets(message: string, { password, nkey, url }: BrokerAddress): string {
  const secrets = [password, nkey, url.password].filter((one): one is string => one !== null && one.length > 2);
  return secrets.reduce((text, secret) => text.replaceAll(secret, '***'), message);
}
