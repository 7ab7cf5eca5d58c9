/** What a backend is to a shell: something that starts a process, or finds it again, and tells when it has ended. */
import type { Readable, Writable } from 'node:stream';
import type { Result } from '../../contract/result.ts';
import type { ShellRecord } from '../../contract/shellspec.ts';
import type { PtySize } from '../../contract/terminal.ts';
import type { ProcessIdentity } from '../../node/process-identity.ts';
import type { ShellLog } from './shell-log.ts';

export interface StartOrder {
  readonly id: string;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: ShellLog;
  /** Where a backend that listens may do so. */
  readonly socket: string;
  /** A part of the server reads stdout itself; only stderr goes to the log. */
  readonly isTalking: boolean;
}

/** Both null: nobody saw it end. */
export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Pipe {
  readonly stdin: Writable;
  readonly stdout: Readable;
}

export interface Alive {
  readonly identity: ProcessIdentity;
  readonly ended: Promise<Ended>;
  /** False when it takes none. */
  write(data: string): boolean;
  /** Of a terminal, for who sits before it. */
  resize?(size: PtySize): void;
  /** For the part of the server that talks to it. */
  readonly pipe: Pipe | null;
  /** Stops watching; the process goes on. */
  letGo(): void;
}

export interface ShellBackend {
  start(order: StartOrder): Promise<Result<Alive>>;
  /** Null: it cannot be taken up again, and what is left of it must go. */
  adopt(record: ShellRecord, log: ShellLog): Promise<Alive | null>;
  /** The server goes, and those of its shells that go with it have ended. */
  close?(): Promise<void>;
}
