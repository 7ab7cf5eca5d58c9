/** Finds the server of a home, and makes sure that it is the one that wrote the record before anybody sends it the token. */
import { lstatSync, readFileSync } from 'node:fs';
import { fail, ok, type Result } from '../contract/result.ts';
import { ServerRecord } from '../contract/run-files.ts';
import { nonEmpty, serverRecordPath } from '../node/places.ts';
import { isSameProcess } from '../node/process-identity.ts';

/** Checked: its process is alive and no other one with the same number. */
export interface FoundServer extends ServerRecord {
  readonly start_time: string;
}

/**
 * While that process lives it holds its port, so what answers there is the server. After it has died anybody may listen on
 * the port: then nothing is sent.
 */
export function findServer(home: string): Result<FoundServer> {
  const read = readRecord(home);
  if (!read.ok) return read;
  const { start_time } = read.value;
  if (start_time === null || !isSameProcess({ pid: read.value.pid, start_time })) return notRunning(home);
  if (!isLoopback(read.value.url))
    return fail('forbidden', `${serverRecordPath(home)} names a server on another machine: not used`);
  // A token with fewer scopes than the one of the file: for scripts, and for who wants to be careful.
  const token = nonEmpty(process.env.SIGNALBOX_TOKEN) ?? read.value.api_token;
  return ok({ ...read.value, api_token: token, start_time });
}

/** The record as it is, whether or not its server still runs. */
function readRecord(home: string): Result<ServerRecord> {
  const path = serverRecordPath(home);
  try {
    const found = lstatSync(path);
    const isOurs = process.getuid === undefined || found.uid === process.getuid();
    if (!found.isFile() || !isOurs || (found.mode & 0o022) !== 0)
      return fail('forbidden', `${path} is not a file that only you can change: not used`, { path });
    const record = ServerRecord.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return record.success ? ok(record.data) : notRunning(home);
  } catch {
    return notRunning(home);
  }
}

const notRunning = (home: string): Result<never> =>
  fail('not_running', `no server runs in ${home}: start one with \`signalbox serve\``, { home });

function isLoopback(url: string): boolean {
  try {
    const { protocol, hostname } = new URL(url);
    return protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  } catch {
    return false;
  }
}
