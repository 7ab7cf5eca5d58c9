/** The credentials of queue adapters: a file for each entry of the configuration, written at each start, and whose token a request shows. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { type AdapterCredential, type AdapterEntry, adapterName } from '../../contract/adapter.ts';
import type { ExternalEventsConfig } from '../../contract/external-event.ts';
import { writeFileAtomic } from '../../node/atomic-file.ts';
import { adapterCredentialPath, adapterDir, adaptersDir } from '../../node/places.ts';

export interface AdapterGrant {
  readonly name: string;
  readonly entry: AdapterEntry;
}

export interface AdapterTokens {
  /** The adapter whose token this is; null if it is nobody's. */
  find(token: string): AdapterGrant | null;
  /** Entries that are turned on. */
  readonly grants: readonly AdapterGrant[];
}

export async function openAdapterTokens(options: {
  readonly config: ExternalEventsConfig;
  readonly home: string;
  /** Where the server takes events. */
  readonly httpUrl: string;
}): Promise<AdapterTokens> {
  const { config, home } = options;
  const entries = config.enabled ? config.adapters.filter((one) => one.enabled) : [];
  const grants = entries.map((entry) => ({ name: adapterName(entry), entry, token: newAdapterToken() }));
  await removeOthers(home, new Set(grants.map(({ name }) => name)));
  for (const { name, entry, token } of grants) {
    await mkdir(adapterDir(home, name), { recursive: true, mode: 0o700 });
    const credential: AdapterCredential = { name, url: `${options.httpUrl}/v1/events:batch`, token, entry };
    await writeFileAtomic(adapterCredentialPath(home, name), `${JSON.stringify(credential)}\n`);
  }
  const hashed = grants.map((grant) => ({ grant, hash: hashOf(grant.token) }));
  return {
    grants,
    find(token) {
      const hash = hashOf(token);
      let found: AdapterGrant | null = null;
      // All of them, so that the time taken tells nothing.
      for (const one of hashed) if (timingSafeEqual(hash, one.hash)) found = one.grant;
      return found;
    },
  };
}

/** What an entry has left that is not in the configuration any more. */
async function removeOthers(home: string, names: ReadonlySet<string>): Promise<void> {
  const found = await readdir(adaptersDir(home)).catch(() => []);
  const stale = found.filter((name) => !names.has(name));
  for (const name of stale) await rm(adapterDir(home, name), { recursive: true, force: true });
}

/** Begins like every token for events, so that it is looked for in the same places. 256 random bits. */
const newAdapterToken = (): string => `codex_evt_tok_adapter_${randomBytes(32).toString('base64url')}`;

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
