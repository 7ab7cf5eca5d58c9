/** The shared terminals over a real pty host, with every frame between the two recorded. For tests only. */
import { spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import type { ConversationId } from '../contract/ids.ts';
import { type HostMessage, HostRecord } from '../contract/pty-host.ts';
import { ok } from '../contract/result.ts';
import type { PtyServerFrame } from '../contract/terminal.ts';
import { systemClock } from '../node/clock.ts';
import { createFrameReader, type Frame, JSON_FRAME, jsonFrame } from '../node/frames.ts';
import { createLogger } from '../node/logger.ts';
import { newSecret, parseSecret } from '../node/mutual-proof.ts';
import { terminate } from '../node/process-identity.ts';
import { readJson } from '../node/read-json.ts';
import { createTerminals } from '../server/terminal/create-terminals.ts';
import { makeDir } from './box.ts';
import { createWaits } from './waits.ts';

const HOST = resolve(import.meta.dirname, '../../dist/bin/pty-host.js');
export const ID: ConversationId = 'conv_00000000000000000000000000000001';

export type TerminalsStand = Awaited<ReturnType<typeof openTerminals>>;

export interface TapOptions {
  /** Changes what the host sends as JSON; null drops it. What the server sends cannot be changed. */
  readonly rewrite?: (message: Record<string, unknown>) => Record<string, unknown> | null;
  /** A build of the pty host from before it asked for a proof. */
  readonly host?: string;
}

export async function openTerminals(options: TapOptions = {}) {
  const dir = await makeDir('tap');
  const [home, cwd, runDir] = [join(dir, 'user'), join(dir, 'work'), join(dir, 'run')];
  await Promise.all([home, cwd, runDir].map((path) => mkdir(path, { recursive: true, mode: 0o700 })));
  const hostSocket = join(runDir, 'host.sock');
  const secret = newSecret();
  const keyPath = join(runDir, 'pty-host.key');
  await writeFile(keyPath, secret, { mode: 0o600 });
  await startHost(options.host ?? HOST, [hostSocket, join(runDir, 'pty-host.json'), keyPath]);
  const record = await readJson(join(runDir, 'pty-host.json'), HostRecord);
  if (record === null) throw new Error('the pty host wrote no record');
  const tap = await openTap(join(runDir, 'tap.sock'), hostSocket, options.rewrite);
  const tapped = { ...record, socket: tap.path, secret: options.host === undefined ? parseSecret(secret) : null };

  const terminals = createTerminals({
    launcher: { ensure: async () => ok(tapped), find: () => tapped },
    runDir,
    folderOf: () => dir,
    cwdOf: async () => ok(cwd),
    transcript: { append: async () => undefined, recent: async () => [] },
    onOutput: () => undefined,
    shell: '/bin/bash',
    outputHeadBytes: 256 * 1024,
    outputTailBytes: 1024 * 1024,
    env: { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' },
    home: dir,
    clock: systemClock,
    log: createLogger({ level: 'silent' }),
  });

  return {
    terminals,
    hostSocket,
    secret,
    requests: tap.requests,
    answers: tap.answers,
    events: tap.events,
    wake: tap.waits.wake,
    until: (what: string, isTrue: () => boolean) =>
      tap.waits.until(
        () => isTrue() || undefined,
        () => `${what} did not come; seen ${JSON.stringify(tap.seen())}`,
      ),
    /** Frames that were seen before are not counted any more. */
    forget: tap.forget,
    /** A viewer that acknowledges what it gets. */
    async attach(cursor: number | null = null) {
      const frames: PtyServerFrame[] = [];
      let text = '';
      let isOver = false;
      const attached = await terminals.attach(ID, cursor, {
        send(frame) {
          frames.push(frame);
          tap.waits.wake();
        },
        write(offset, bytes) {
          text += bytes.toString('utf8');
          ack(offset + bytes.length);
          tap.waits.wake();
        },
        end() {
          isOver = true;
          tap.waits.wake();
        },
      });
      if (!attached.ok) throw new Error(attached.error.message);
      function ack(upTo: number): void {
        if (attached?.ok) attached.value.ack(upTo);
      }
      return { ...attached.value, frames, text: () => text, isOver: () => isOver };
    },
    async close() {
      await terminals.close(ID);
      await terminals.stop();
      tap.close();
      await terminate(record.pid, { start_time: record.start_time, graceMs: 5_000 });
      await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function startHost(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((done, fail) => {
    child.stdout.once('data', () => done());
    child.once('exit', () => fail(new Error('the pty host ended at its start')));
  });
}

async function openTap(path: string, hostSocket: string, rewrite: TapOptions['rewrite']) {
  const waits = createWaits();
  let toHost: Record<string, unknown>[] = [];
  let fromHost: Record<string, unknown>[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const host = connect(hostSocket);
    for (const [one, other] of [
      [client, host],
      [host, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => one.destroy());
      one.once('close', () => other.destroy());
    }
    client.on('data', (chunk) => host.write(chunk));
    client.on(
      'data',
      createFrameReader((frame) => toHost.push(readFrame(frame))),
    );
    host.on(
      'data',
      createFrameReader((frame) => {
        const message = readFrame(frame);
        const sent = frame.kind === JSON_FRAME && rewrite !== undefined ? rewrite(message) : message;
        if (sent === null) return;
        fromHost.push(sent);
        client.write(frame.kind === JSON_FRAME ? jsonFrame(sent) : wholeFrame(frame));
        waits.wake();
      }),
    );
  });
  await new Promise<void>((done) => server.listen(path, done));
  const requests = () => toHost.filter(({ id }) => id !== 0).map((request) => String(request.do));
  return {
    path,
    waits,
    /** What the server waited for an answer to. */
    requests,
    /** The numbers of the requests that were answered. */
    answers: () => fromHost.filter(({ type }) => type === 'answer' || type === 'refused').map(({ re }) => re),
    events: (type: HostMessage['type']) => fromHost.filter((message) => message.type === type),
    seen: () => ({ requests: requests(), fromHost: fromHost.map(({ type }) => type) }),
    forget() {
      toHost = [];
      fromHost = [];
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function readFrame(frame: Frame): Record<string, unknown> {
  return frame.kind === JSON_FRAME ? JSON.parse(frame.body.toString('utf8')) : { type: 'bytes' };
}

function wholeFrame({ kind, body }: Frame): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(body.length, 0);
  head.writeUInt8(kind, 4);
  return Buffer.concat([head, body]);
}
