/** The doctor's rows for queue adapters: whether each has its credential, runs, and what its broker promises. */
import { existsSync } from 'node:fs';
import { type AdapterEntry, adapterName } from '../contract/adapter.ts';
import type { Config } from '../contract/config.ts';
import { expand } from '../node/places.ts';
import { type AdapterRow, readAdapters } from './adapters.ts';
import type { Check } from './doctor-checks.ts';

/** Older ones have holes that are known; on loopback nobody but the own user reaches them. */
const SAFE_NATS = [2, 12, 7] as const;

export async function checkAdapters(config: Config, home: string, env: NodeJS.ProcessEnv): Promise<readonly Check[]> {
  const { adapters, enabled } = config.external_events;
  const entries = enabled ? adapters.filter((entry) => entry.enabled) : [];
  if (entries.length === 0) return [{ code: 'adapters', status: 'ok', message: 'none are asked for' }];
  const rows = await readAdapters(home);
  return entries.map((entry) =>
    checkAdapter(
      entry,
      rows.find(({ name }) => name === adapterName(entry)),
      env,
    ),
  );
}

function checkAdapter(entry: AdapterEntry, row: AdapterRow | undefined, env: NodeJS.ProcessEnv): Check {
  const name = adapterName(entry);
  const warn = (message: string, fix: string): Check => ({
    code: 'adapters',
    status: 'warn',
    message: `${name}: ${message}`,
    fix,
  });
  const missing = missingOf(entry, env);
  if (missing !== null) return warn(missing, 'the server and its adapters are started where it is');
  if (row === undefined) return warn('the server does not know it yet', 'start the server again');
  const { status } = row;
  if (status === null || row.state === 'stopped')
    return warn('it does not run', 'start the server; `signalbox shells logs adapter` tells why it ended');
  if (row.state !== 'running')
    return warn(status.last_error?.message ?? `it is ${row.state}`, `signalbox adapter status ${name}`);
  if (isOldNats(status.broker) && !isLoopback(entry))
    return warn(`${status.broker} has holes that are known`, `use nats-server ${SAFE_NATS.join('.')} or newer`);
  if (status.refused > 0)
    return warn(
      `${status.refused} messages were no events`,
      `signalbox adapter status ${name} names the file that has them`,
    );
  const about = `${status.broker ?? row.type}, ${status.delivery}, ${status.taken} taken`;
  return { code: 'adapters', status: 'ok', message: `${name}: ${about}${syncNote(entry)}` };
}

/** JetStream answers a producer before its file is synced: what a power cut takes then, nobody can give again. */
const syncNote = ({ type }: AdapterEntry): string =>
  type === 'nats' ? '; JetStream itself syncs every two minutes, unless sync_interval says otherwise' : '';

function missingOf(entry: AdapterEntry, env: NodeJS.ProcessEnv): string | null {
  const nkey = entry.type === 'nats' ? [entry.nkey_env, entry.nkey_file] : [];
  const variable = [entry.url_env, nkey[0]].find((one) => one !== undefined && (env[one] ?? '') === '');
  if (variable !== undefined) return `the variable ${variable} is not set here`;
  const files = [entry.url_file, nkey[1], entry.ca_file, entry.cert_file, entry.key_file];
  const file = files.find((one) => one !== undefined && !existsSync(expand(one, env)));
  return file === undefined ? null : `${file} is not there`;
}

function isOldNats(broker: string | null): boolean {
  const version = /^nats-server (\d+)\.(\d+)\.(\d+)/
    .exec(broker ?? '')
    ?.slice(1)
    .map(Number);
  if (version === undefined) return false;
  const differs = SAFE_NATS.findIndex((part, index) => part !== version[index]);
  return differs >= 0 && (version[differs] ?? 0) < (SAFE_NATS[differs] ?? 0);
}

/** An address from a variable or a file is not looked into. */
const isLoopback = ({ url }: AdapterEntry): boolean =>
  /^[a-z]+:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|\/|$)/.test(url ?? '');
