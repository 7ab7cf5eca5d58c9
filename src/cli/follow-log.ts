/** `shells logs -f`: what a shell writes, as it comes, until it ends. */

import { fail, ok, type Result } from '../contract/result.ts';
import { LogPage, ShellView } from '../contract/shellspec.ts';
import { isRecord } from '../core/text/is-record.ts';
import { parseJson } from '../core/text/parse-json.ts';
import { splitUnfinished } from '../core/text/printable.ts';
import { createSerial } from '../node/serial.ts';
import type { Client } from './client.ts';
import { EXIT_INTERRUPTED } from './exit-codes.ts';
import type { Output } from './output.ts';
import { pickShell } from './shells.ts';
import { openSocket, type Socket } from './websocket.ts';

const SOCKET_PATH = '/fws/logs';
const OVER: readonly ShellView['state'][] = ['stopped', 'exited', 'failed', 'gone'];

export interface LogFollowing {
  readonly socket: Socket;
  readonly shell: ShellView;
  /** Resolves when the shell is over and all it wrote was shown, or the connection is. */
  readonly over: Promise<Result<null>>;
}

export async function followLog(out: Output, client: Client, words: string, lines: number): Promise<number> {
  const last = createLastLines(out);
  const following = await openLog(client, words, lines, (page) => (out.isJson ? out.json(page) : last.show(page.text)));
  if (!following.ok) return out.fail(following.error);
  const interrupted = new Promise<'interrupted'>((done) => process.once('SIGINT', () => done('interrupted')));
  const ending = await Promise.race([following.value.over, interrupted]);
  following.value.socket.close();
  await last.end();
  if (ending === 'interrupted') return EXIT_INTERRUPTED;
  return ending.ok ? 0 : out.fail(ending.error);
}

/** `show` is called in order, one at a time. */
export async function openLog(
  client: Client,
  words: string,
  lines: number,
  show: (page: LogPage) => Promise<void>,
): Promise<Result<LogFollowing>> {
  const picked = await pickShell(client, words);
  if (!picked.ok) return picked;
  const shell = picked.value;
  const first = await client.call('shellLogs', { id: shell.id, lines, max_bytes: 1024 * 1024 });
  if (!first.ok) return first;
  let cursor = first.value.next_offset;
  const showing = createSerial();
  void showing.run(() => show(first.value));
  let settle: (ending: Result<null>) => void = () => {};
  const over = new Promise<Result<null>>((resolve) => {
    settle = resolve;
  });
  const socket = await openSocket(client.server, SOCKET_PATH, {
    onText(text) {
      const frame = parseJson(text);
      if (!isRecord(frame)) return;
      if (frame.type === 'log') {
        const page = LogPage.safeParse(frame).data;
        if (page === undefined) return;
        cursor = page.next_offset;
        void showing.run(() => show(page));
      } else if (frame.type === 'shells') {
        const now = readShell(frame.shells, shell.id);
        // A last character that never came whole is not waited for.
        const isRead = now !== null && cursor >= now.log_bytes - 3;
        if (now === null || (OVER.includes(now.state) && isRead)) void showing.idle().then(() => settle(ok(null)));
      } else if (frame.type === 'refused') settle(fail('internal', String(frame.message)));
    },
    onClose: (code) => settle(fail('not_running', `the server closed the connection (${code})`)),
  });
  if (!socket.ok) return socket;
  socket.value.send({ type: 'follow', shell_id: shell.id, offset: cursor });
  return ok({ socket: socket.value, shell, over });
}

function readShell(shells: unknown, id: string): ShellView | null {
  const all = Array.isArray(shells) ? shells : [];
  return all.flatMap((one) => ShellView.safeParse(one).data ?? []).find((one) => one.id === id) ?? null;
}

/** Half a line break or color at the end of a piece waits for the next one. */
export function createLastLines(out: Output): { show(text: string): Promise<void>; end(): Promise<void> } {
  let held = '';
  return {
    show(text) {
      const split = splitUnfinished(held + text);
      held = split.held;
      return out.write(split.ready);
    },
    end: () => out.write(held),
  };
}
