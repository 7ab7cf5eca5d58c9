/** Runs the person's own command when Codex waits for an answer and when a turn has ended. Nothing waits for the command. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { ConversationMeta } from '../../contract/conversation.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Notification } from '../../contract/notification.ts';
import type { Lifecycle } from '../../core/conversations/lifecycle.ts';
import { notificationOf } from '../../core/conversations/notification.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';

export interface NotifyOptions {
  /** The program and its arguments, started as they are: no shell reads them. Absent: nothing is run. */
  readonly command: readonly string[] | undefined;
  readonly lifecycle: { subscribe(listener: (id: ConversationId, event: Lifecycle) => void): () => void };
  readonly metaOf: (id: ConversationId) => ConversationMeta | null;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Enough to show a message on a desktop or to call a service; a command that needs longer starts something of its own. */
const LIMIT_MS = 10_000;
/** Several conversations may end at the same moment; more processes would only compete for the machine. */
const MAX_RUNNING = 4;
/** Far more than a person reads; with a command that always hangs it is four minutes of notifications. */
const MAX_WAITING = 100;
/** What a program needs to find its files, its display and its language. Tokens and keys are in none of these. */
const PASSED_ON =
  /^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|DBUS_SESSION_BUS_ADDRESS|XDG_RUNTIME_DIR)$/;

type FailureKind = 'not started' | 'exit code' | 'time limit' | 'too many waiting';

/** Returns how to stop: nothing is run any more, and what runs is killed. */
export function startNotify({ command, lifecycle, metaOf, env, clock, log }: NotifyOptions): () => void {
  const [program, ...args] = command ?? [];
  if (program === undefined) return () => undefined;
  const waiting: Notification[] = [];
  const running = new Set<ChildProcess>();
  const logged = new Set<FailureKind>();
  const ownEnv = Object.fromEntries(Object.entries(env).filter(([name]) => PASSED_ON.test(name)));

  /** Once per kind: a command that is broken fails at every event. */
  const warn = (kind: FailureKind, detail: unknown) => {
    if (logged.has(kind)) return;
    logged.add(kind);
    log.warn(
      { program, kind, detail },
      'the command of notify.command failed; more failures of this kind are not logged',
    );
  };

  const run = (notification: Notification) => {
    const child = spawn(program, args, { cwd: '/', env: ownEnv, detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    running.add(child);
    const limit = clock.setTimer(LIMIT_MS, () => {
      warn('time limit', `${LIMIT_MS} ms`);
      killGroup(child);
    });
    const over = () => {
      limit.cancel();
      if (running.delete(child)) runNext();
    };
    child.once('error', (error) => {
      warn('not started', error.message);
      over();
    });
    child.once('exit', (code) => {
      if (code !== null && code !== 0) warn('exit code', code);
      over();
    });
    // A command need not read its input.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(`${JSON.stringify(notification)}\n`);
  };

  const runNext = () => {
    const next = running.size < MAX_RUNNING ? waiting.shift() : undefined;
    if (next !== undefined) run(next);
  };

  const unsubscribe = lifecycle.subscribe((id, event) => {
    const notification = notificationOf(id, event, metaOf(id));
    if (notification === null) return;
    if (waiting.length >= MAX_WAITING) {
      waiting.shift();
      warn('too many waiting', `${MAX_WAITING} events`);
    }
    waiting.push(notification);
    runNext();
  });

  return () => {
    unsubscribe();
    waiting.length = 0;
    for (const child of running) killGroup(child);
  };
}

/** The command leads a process group of its own, so that what it started ends with it. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended by itself.
  }
}
