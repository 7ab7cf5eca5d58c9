/** What the contract suite shares: one server with an adapter for each broker, and what is in the ledgers. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, vi } from 'vitest';
import { AdapterStatus } from '../../src/contract/adapter.ts';
import { LedgerLine } from '../../src/contract/external-event.ts';
import { type Box, openBox } from '../../src/testing/box.ts';
import { BROKERS, type Broker, reasonMissing, startBroker } from './brokers.ts';
import { openProducer, type Producer } from './producers.ts';

export interface Line {
  readonly broker: Broker;
  readonly producer: Producer;
  readonly conversation: string;
}

export interface Stand {
  readonly box: Box;
  readonly lines: ReadonlyMap<string, Line>;
  /** Runs a command line in the environment of the server. */
  cli(...args: readonly string[]): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
  close(): Promise<void>;
}

const CLI = resolve(import.meta.dirname, '../../dist/bin/signalbox.js');

export const THERE = BROKERS.filter((type) => reasonMissing(type) === null);

export async function openStand(): Promise<Stand> {
  const dir = await mkdtemp(join(tmpdir(), 'signalbox-adapters-'));
  await chmod(dir, 0o700);
  const brokers = await Promise.all(THERE.map(startBroker));
  const producers = await Promise.all(brokers.map(openProducer));
  const entries = await Promise.all(brokers.map((broker) => entryOf(dir, broker)));
  // Events of a crash are many and quick; the pace of a source has tests of its own.
  const box = await openBox({ isDemo: true, config: entries.join('\n') });
  const lines = new Map<string, Line>();
  for (const [index, broker] of brokers.entries()) {
    const producer = producers[index];
    const conversation = await box.create({ label: labelOf(broker) });
    if (producer !== undefined) lines.set(broker.type, { broker, producer, conversation });
  }
  const stand: Stand = {
    box,
    lines,
    cli: (...args) =>
      new Promise((done) => {
        const env = {
          ...process.env,
          HOME: box.dir,
          XDG_CONFIG_HOME: join(box.dir, 'config'),
          CODEX_HOME: box.codexHome,
        };
        execFile(process.execPath, [CLI, ...args, '--home', box.home], { env }, (error, stdout, stderr) =>
          done({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
        );
      }),
    async close() {
      await box.close();
      for (const { producer } of lines.values()) await producer.close();
      for (const { broker } of lines.values()) await broker.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
  try {
    for (const line of lines.values()) await untilStatus(stand, line, { state: 'running' });
  } catch (error) {
    // Nobody else would end the brokers.
    await stand.close();
    throw error;
  }
  return stand;
}

const labelOf = ({ type }: Broker): string => `from ${type}`;

async function entryOf(dir: string, { type, url, queue }: Broker): Promise<string> {
  const file = join(dir, `${type}.url`);
  await writeFile(file, `${url}\n`, { mode: 0o600 });
  const keys = Object.entries(queue).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return `[[external_events.adapters]]
type = "${type}"
url_file = ${JSON.stringify(file)}
threads = ["from ${type}"]
${keys.join('\n')}
`;
}

let count = 0;
export function eventFor(
  line: Line,
  change: Record<string, unknown> = {},
): { readonly id: string; readonly body: string } {
  count += 1;
  const id = String(change.event_id ?? `q-${process.pid}-${count}`);
  const body = {
    schema_version: 1,
    event_id: id,
    time_unix_ms: 1_730_831_111_000,
    type: 'build.status',
    source: { name: 'liar' },
    routing: { thread_id: labelOf(line.broker) },
    title: `Build ${count}`,
    ...change,
  };
  return { id, body: JSON.stringify(body) };
}

/** The events in a thread's ledger, in order, each as often as it is there. */
export async function ledgerOf({ box }: Stand, { conversation }: Line) {
  const path = join(box.codexHome, 'sessions', conversation, 'external_events.log.jsonl');
  const text = await readFile(path, 'utf8').catch(() => '');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  return whole
    .filter((line) => line.includes('"kind":"event"'))
    .map((line) => LedgerLine.parse(JSON.parse(line)))
    .flatMap((line) => (line.kind === 'event' ? [line.event] : []));
}

/** Waits until these are in the ledger, and answers how often each of them is. */
export async function untilStored(stand: Stand, line: Line, ids: readonly string[], timeout = 25_000) {
  const wanted = new Set(ids);
  const stored = async () =>
    (await ledgerOf(stand, line)).map(({ event_id }) => event_id).filter((id) => wanted.has(id));
  await expect.poll(async () => new Set(await stored()).size, { timeout, interval: 50 }).toBe(wanted.size);
  return stored();
}

export async function statusOf({ box }: Stand, { broker }: Line): Promise<AdapterStatus> {
  const path = join(box.home, 'run', 'adapters', broker.type, 'status.json');
  return AdapterStatus.parse(JSON.parse(await readFile(path, 'utf8')));
}

export function untilStatus(stand: Stand, line: Line, wanted: Partial<AdapterStatus>, timeout = 20_000): Promise<void> {
  return vi.waitFor(async () => expect(await statusOf(stand, line)).toMatchObject(wanted), { timeout, interval: 50 });
}
