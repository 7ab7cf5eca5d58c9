/** Where the shells of one server live: `runtimes/<fingerprint>/<runtime_id>`, found again only by who has the secret. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { chmod, link, lstat, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '../../contract/result.ts';
import { ensurePrivateDir, errorCode } from '../../node/atomic-file.ts';
import { expand, nonEmpty } from '../../node/places.ts';

export interface Runtime {
  readonly id: string;
  readonly dir: string;
  readonly metaDir: string;
  readonly logsDir: string;
  readonly socketsDir: string;
}

export interface RuntimeOptions {
  /** `SIGNALBOX_HOME`: its path is what the fingerprint is made of. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** False: a missing secret is refused instead of made. */
  readonly mayCreateSecret: boolean;
}

const SECRET_BYTES = 32;
/** Longer is not a secret but a wrong file. */
const MAX_SECRET_CHARS = 4096;

export async function openRuntime(options: RuntimeOptions): Promise<Result<Runtime>> {
  const { env } = options;
  const base = expand(nonEmpty(env.FRAMEWORK_SHELLS_BASE_DIR) ?? '~/.cache/framework_shells', env);
  const fingerprint = nonEmpty(env.FRAMEWORK_SHELLS_REPO_FINGERPRINT) ?? fingerprintOf(options.home);
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(fingerprint)) {
    return fail('invalid_request', 'FRAMEWORK_SHELLS_REPO_FINGERPRINT must be 1-64 letters, digits, `_` and `-`');
  }
  const shared = join(base, 'runtimes', fingerprint);
  try {
    await ensurePrivateDir(shared);
    const secret = await findSecret(shared, options);
    if (!secret.ok) return secret;
    const id = createHmac('sha256', secret.value).update(fingerprint).digest('hex').slice(0, 16);
    const dir = join(shared, id);
    const [metaDir, logsDir, socketsDir] = ['meta', 'logs', 'sockets'].map((name) => join(dir, name));
    if (metaDir === undefined || logsDir === undefined || socketsDir === undefined)
      throw new Error('three names, three paths');
    for (const one of [dir, metaDir, logsDir, socketsDir]) await ensurePrivateDir(one);
    return ok({ id, dir, metaDir, logsDir, socketsDir });
  } catch (error) {
    const remedy = 'make it yours alone, or set FRAMEWORK_SHELLS_BASE_DIR to another directory';
    return fail('forbidden', `${shared} cannot be used (${errorCode(error)}): ${remedy}`, { path: shared });
  }
}

const fingerprintOf = (home: string): string => createHash('sha256').update(home).digest('hex').slice(0, 16);

async function findSecret(shared: string, { env, mayCreateSecret }: RuntimeOptions): Promise<Result<string>> {
  const given = nonEmpty(env.FRAMEWORK_SHELLS_SECRET);
  if (given !== undefined) return ok(given);
  const path = join(shared, 'secret');
  const kept = await readSecret(path);
  if (!kept.ok || kept.value !== null) return kept.ok ? ok(kept.value ?? '') : kept;
  if (!mayCreateSecret) {
    const remedy = `set it, or let one be made (shells.create_secret = true), which is then kept in ${path}`;
    return fail('conflict', `FRAMEWORK_SHELLS_SECRET is required: ${remedy}`, { path });
  }
  await createOnce(path);
  const made = await readSecret(path);
  if (!made.ok) return made;
  return made.value === null ? fail('internal', `${path} was written and is not there`) : ok(made.value);
}

/** Null when there is none yet. */
async function readSecret(path: string): Promise<Result<string | null>> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return ok(null);
  const isOurs = process.getuid === undefined || found.uid === process.getuid();
  if (!found.isFile() || !isOurs) return fail('forbidden', `${path} is not a file of yours: remove it`, { path });
  if ((found.mode & 0o077) !== 0) await chmod(path, 0o600);
  const secret = (await readFile(path, 'utf8')).trim();
  if (secret === '' || secret.length > MAX_SECRET_CHARS) {
    return fail('conflict', `${path} holds no secret: remove it, and the shells it knew are found no more`, { path });
  }
  return ok(secret);
}

/** Whole or not at all, and the first of two wins: a secret that changed would lose every running shell. */
async function createOnce(path: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(temporary, `${randomBytes(SECRET_BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(temporary, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}
