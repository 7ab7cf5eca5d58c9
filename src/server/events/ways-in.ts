/** Opens every way into one thread that this server keeps (socket, inbox file, drop folder) and says where they are in the discovery file. */
import { lstat, rm } from 'node:fs/promises';
import type { DiscoveryFile, ExternalEventsConfig } from '../../contract/external-event.ts';
import { retentionOf } from '../../core/events/ledger-state.ts';
import type { Capabilities } from '../../core/events/plan-delivery.ts';
import { ensurePrivateDir, writeFileAtomic } from '../../node/atomic-file.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { fitSocketPath } from '../../node/socket-path.ts';
import { type Desk, newEventToken } from './desk.ts';
import { openDropFolder } from './drop-folder.ts';
import { type Inbox, openInbox } from './inbox.ts';
import type { FindSender } from './principal.ts';
import { openEventSocket } from './socket.ts';
import type { ThreadFiles } from './thread-files.ts';

export interface WaysIn {
  readonly token: string;
  /** What lay in files when they were opened has been read. */
  readonly ready: Promise<unknown>;
  /** Closes them and takes the discovery file away. */
  close(): Promise<void>;
}

export interface WaysInOptions {
  readonly desk: Desk;
  readonly files: ThreadFiles;
  readonly config: ExternalEventsConfig;
  readonly httpUrl: string;
  readonly capabilities: Capabilities;
  readonly givesWay: () => boolean;
  readonly findSender: FindSender;
  readonly clock: Clock;
  readonly log: Logger;
}

type FileWaysOptions = Pick<WaysInOptions, 'desk' | 'files' | 'config' | 'clock' | 'log'>;

export async function openWaysIn(options: WaysInOptions): Promise<WaysIn> {
  const { desk, files, config, clock, log } = options;
  const token = newEventToken();
  const isOn = (type: string) => isEnabled(config, type);
  let ready: Promise<unknown> = Promise.resolve();
  const undo: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const step of undo.reverse()) await step();
  };
  try {
    // The socket after the files, since it is closed before them: a line of a file may wait for a full disk.
    const opened = await openFileWays(options);
    undo.push(opened.stop);
    ready = opened.ready;
    const path = await fitSocketPath(files.socket);
    if (isOn('uds')) {
      const socket = await openEventSocket({
        path,
        token,
        desk,
        onDuplicate: config.on_duplicate,
        givesWay: options.givesWay,
        findSender: options.findSender,
        log,
      });
      undo.push(socket.stop);
    }
    const { canSteer, canInject } = options.capabilities;
    const discovery: DiscoveryFile = {
      thread_id: desk.threadId,
      created_unix_ms: clock.now(),
      pid: process.pid,
      ...(isOn('uds') && { ipc: { type: 'uds', path } }),
      ...(isOn('http') && {
        http: { url: `${options.httpUrl}/v1/events`, batch_url: `${options.httpUrl}/v1/events:batch` },
      }),
      ...(isOn('file') && { inbox: { path: files.inbox } }),
      ...(isOn('drop') && { drop: { path: files.drop } }),
      token,
      capabilities: {
        notify: true,
        queue_for_next_turn: true,
        append_to_thread: canInject,
        auto_turn: true,
        turn_steer: canSteer,
      },
    };
    // Last: whoever finds it can use what it names.
    await writeFileAtomic(files.discovery, `${JSON.stringify(discovery, null, 2)}\n`);
    undo.push(() => rm(files.discovery, { force: true }));
  } catch (error) {
    await close();
    throw error;
  }
  return { token, ready, close };
}

/** What lies in its files is taken, and nothing that comes later. */
export async function readFileWays(options: FileWaysOptions): Promise<void> {
  const { ready, stop } = await openFileWays(options);
  await ready;
  await stop();
}

async function openFileWays(options: FileWaysOptions): Promise<Inbox> {
  const { desk, files, config, clock, log } = options;
  const opened: Inbox[] = [];
  if (isEnabled(config, 'file'))
    opened.push(
      await openInbox({
        path: files.inbox,
        cursorPath: files.cursor,
        desk,
        maxAgeMs: retentionOf(config).maxAgeMs,
        clock,
        log,
      }),
    );
  if (isEnabled(config, 'drop')) {
    // A link is left alone: what it points to is not ours to change, and it is not read either.
    const found = await lstat(files.drop).catch(() => null);
    if (!found?.isSymbolicLink()) await ensurePrivateDir(files.drop);
    opened.push(openDropFolder({ path: files.drop, desk, clock, log }));
  }
  return {
    ready: Promise.all(opened.map((one) => one.ready)).then(() => undefined),
    stop: async () => void (await Promise.all(opened.map((one) => one.stop()))),
  };
}

function isEnabled(config: ExternalEventsConfig, type: string): boolean {
  return config.sources.findLast((one) => one.type === type)?.enabled ?? true;
}
