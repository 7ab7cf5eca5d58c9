/** Another client of the Codex that a box runs: what somebody else does to its threads. For tests only. */
import { join } from 'node:path';
import { systemClock } from '../node/clock.ts';
import { readCodexRecord } from '../server/codex/launch.ts';
import type { TransportEvents } from '../server/codex/transport.ts';
import { connectUnix } from '../server/codex/unix.ts';

export interface RawCodex {
  request(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Resolves when a notification of this name has come, also before. */
  heard(method: string): Promise<void>;
  close(): void;
}

interface Frame {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

export async function openRawCodex(home: string): Promise<RawCodex> {
  const record = readCodexRecord(join(home, 'run'));
  if (record === null) throw new Error('no Codex is running');
  const waiting = new Map<number, (frame: Frame) => void>();
  const heard = new Set<string>();
  const hearing = new Set<() => void>();
  const events: TransportEvents = {
    onLine(line) {
      if (!('text' in line)) return;
      const frame: Frame = JSON.parse(line.text);
      if (frame.method !== undefined) heard.add(frame.method);
      if (frame.method === undefined && frame.id !== undefined) waiting.get(frame.id)?.(frame);
      for (const look of hearing) look();
    },
    onClose: () => undefined,
  };
  const how = { clock: systemClock, signal: new AbortController().signal };
  const connected = await connectUnix(record.socket, events, how);
  if (!connected.ok) throw new Error(connected.error.message);
  const transport = connected.value;
  let last = 0;
  const request = (method: string, params: Record<string, unknown>) =>
    new Promise<Record<string, unknown>>((done, fail) => {
      last += 1;
      waiting.set(last, ({ result, error }) =>
        result === undefined ? fail(new Error(`${method}: ${error?.message}`)) : done(result),
      );
      transport.send(JSON.stringify({ id: last, method, params }));
    });
  await request('initialize', {
    clientInfo: { name: 'other', title: 'Other', version: '1' },
    capabilities: { experimentalApi: true, requestAttestation: false },
  });
  transport.send(JSON.stringify({ method: 'initialized' }));
  return {
    request,
    heard: (method) =>
      new Promise((done) => {
        const look = () => {
          if (!heard.delete(method)) return;
          hearing.delete(look);
          done();
        };
        hearing.add(look);
        look();
      }),
    close: transport.close,
  };
}
