/** `adapter list|status`: what the adapters wrote of themselves; and the process of one, which `main.ts` of the adapters runs. */
import { readdir } from 'node:fs/promises';
import type { AdapterCredential, AdapterStatus, AdapterType } from '../contract/adapter.ts';
import { AdapterCredential as Credential, AdapterStatus as Status } from '../contract/adapter.ts';
import { adapterCredentialPath, adapterRejectedPath, adapterStatusPath, adaptersDir } from '../node/places.ts';
import { isSameProcess } from '../node/process-identity.ts';
import { readJson } from '../node/read-json.ts';
import { type Output, styled } from './output.ts';

export interface AdapterRow {
  readonly name: string;
  readonly type: AdapterType;
  readonly state: AdapterStatus['state'];
  readonly threads: readonly string[];
  readonly source: string | null;
  readonly rejected_file: string;
  /** Null: it never ran. */
  readonly status: AdapterStatus | null;
}

const STATES = { running: 'green', connecting: 'yellow', waiting: 'yellow', stopped: 'red' } as const;
const NAME_WIDTH = 16;

export async function readAdapters(home: string): Promise<AdapterRow[]> {
  const names = await readdir(adaptersDir(home)).catch(() => []);
  const rows = await Promise.all(names.sort().map((name) => readAdapter(home, name)));
  return rows.filter((row) => row !== null);
}

async function readAdapter(home: string, name: string): Promise<AdapterRow | null> {
  const credential = await readJson<AdapterCredential>(adapterCredentialPath(home, name), Credential);
  if (credential === null) return null;
  const status = await readJson<AdapterStatus>(adapterStatusPath(home, name), Status);
  const { entry } = credential;
  return {
    name,
    type: entry.type,
    state: status !== null && isAlive(status) ? status.state : 'stopped',
    threads: entry.threads,
    source: entry.source ?? null,
    rejected_file: adapterRejectedPath(home, name),
    status,
  };
}

const isAlive = ({ pid, start_time }: AdapterStatus): boolean =>
  start_time !== null && isSameProcess({ pid, start_time });

export async function listAdapters(out: Output, home: string): Promise<number> {
  const rows = await readAdapters(home);
  if (out.isJson) {
    await out.json({ adapters: rows });
    return 0;
  }
  for (const row of rows) {
    const { status } = row;
    const counts = status === null ? '' : `${status.taken} taken, ${status.refused} refused${waitsOf(status)}`;
    await out.print(
      row.name.padEnd(NAME_WIDTH),
      ' ',
      row.type.padEnd(9),
      styled(STATES[row.state], row.state.padEnd(11)),
      counts,
    );
  }
  if (rows.length === 0)
    out.say('no adapters: add [[external_events.adapters]] to config.toml and start the server again');
  return 0;
}

const waitsOf = ({ waits }: AdapterStatus): string => (waits === null ? '' : `, ${waits} waiting`);

export async function showAdapter(out: Output, home: string, name: string): Promise<number> {
  const row = (await readAdapters(home)).find((one) => one.name === name);
  if (row === undefined)
    return out.fail({
      code: 'not_found',
      message: `the server was started without an adapter ${name}: \`signalbox adapter list\` names those there are`,
    });
  if (out.isJson) {
    await out.json(row);
    return 0;
  }
  for (const [label, value] of linesOf(row)) await out.print(styled('dim', label.padEnd(NAME_WIDTH)), value);
  return 0;
}

function linesOf({ name, type, state, threads, source, status, rejected_file }: AdapterRow): [string, string][] {
  const lines: [string, string][] = [
    ['adapter', `${name} (${type})`],
    ['state', state],
    ['threads', threads.join(', ')],
    ['source', source ?? 'the subject of each message'],
  ];
  if (status === null) return lines;
  const { broker, delivery, provenance, taken, duplicates, refused, deferred, waits, last_error } = status;
  lines.push(
    ['broker', `${broker ?? 'unknown'}; ${delivery}`],
    ['known to it by', provenance],
    ['process', String(status.pid)],
    ['taken', `${taken}, and ${duplicates} that were there before`],
    ['refused', refused === 0 ? '0' : `${refused}: ${rejected_file}`],
    ['put off', String(deferred)],
    ['waiting', waits === null ? 'the broker does not say' : String(waits)],
  );
  if (status.last_event_at !== null) lines.push(['last event', status.last_event_at]);
  if (last_error !== null) lines.push(['last error', `${last_error.at} ${last_error.from}: ${last_error.message}`]);
  return lines;
}

export async function runAdapterCommand(
  out: Output,
  home: string,
  env: NodeJS.ProcessEnv,
  given: { readonly name: string; readonly type: AdapterType },
): Promise<number> {
  const { runAdapter } = await import('../adapters/main.ts');
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  const ended = await runAdapter({ ...given, home, env, stop: stopping.signal, say: (line) => out.say(line) });
  return ended.ok ? 0 : out.fail(ended.error);
}
