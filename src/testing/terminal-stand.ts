/** One terminal with a real shell on a real PTY, without a server. For tests only. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlockRecord } from '../contract/pty-host.ts';
import { cleanOutput } from '../core/terminal/clean-output.ts';
import { systemClock } from '../node/clock.ts';
import { endTerminal } from '../ptyhost/sweep.ts';
import { openTerminal } from '../ptyhost/terminal.ts';
import { makeDir } from './box.ts';
import { createWaits } from './waits.ts';

export interface StandOptions {
  readonly command: readonly string[];
  readonly isShell?: boolean;
  /** Start-up files, below the HOME of the shell. */
  readonly home?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly cols?: number;
  readonly limits?: { readonly head: number; readonly tail: number };
  /** An open stand's folder, for a second shell in it. */
  readonly dir?: string;
}

export type TerminalStand = Awaited<ReturnType<typeof openStand>>;

export async function openStand(options: StandOptions) {
  const dir = options.dir ?? (await makeDir('term'));
  const home = join(dir, 'user');
  const cwd = join(dir, 'work');
  await Promise.all([home, cwd].map((path) => mkdir(path, { recursive: true })));
  for (const [name, text] of Object.entries(options.home ?? {})) {
    await mkdir(join(home, name, '..'), { recursive: true });
    await writeFile(join(home, name), text);
  }
  const blocks = new Map<string, BlockRecord>();
  const begun: BlockRecord[] = [];
  const ended: BlockRecord[] = [];
  let prompts = 0;
  let exit: { code: number | null; signal: string | null } | null = null;
  const waits = createWaits();

  const terminal = openTerminal(
    {
      do: 'open',
      key: 'stand',
      dir: join(dir, 'agent_pty'),
      run_dir: join(dir, 'run'),
      cwd,
      command: [...options.command],
      is_shell: options.isShell ?? true,
      env: { HOME: home, PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', USER: 'tester', ...options.env },
      cols: options.cols ?? 80,
      rows: 24,
      output_head_bytes: options.limits?.head ?? 256 * 1024,
      output_tail_bytes: options.limits?.tail ?? 1024 * 1024,
    },
    {
      clock: systemClock,
      onBlock(kind, record) {
        blocks.set(record.block_id, record);
        if (kind === 'begin') begun.push(record);
        if (kind === 'end') ended.push(record);
        waits.wake();
      },
      onState(facts) {
        if (facts.at_prompt) prompts += 1;
        waits.wake();
      },
      onOutdated: () => undefined,
      onExit(code, signal) {
        exit = { code, signal };
        waits.wake();
      },
    },
  );

  let bytes = Buffer.alloc(0);
  const viewer = terminal.attach(terminal.facts().cursor, {
    send: () => undefined,
    write(offset, chunk) {
      bytes = Buffer.concat([bytes, chunk]);
      viewer.ack(offset + chunk.length);
      waits.wake();
    },
  });

  const until = async (what: string, isTrue: () => boolean): Promise<void> => {
    const seen = () => `${what} did not come; the terminal shows ${JSON.stringify(bytes.toString().slice(-600))}`;
    await waits.until(() => isTrue() || undefined, seen);
  };

  return {
    dir,
    home,
    cwd,
    terminal,
    begun,
    ended,
    blocks,
    until,
    bytes: () => bytes,
    exit: () => exit,
    prompts: () => prompts,
    /** Types, and waits for the next prompt. */
    async run(typed: string): Promise<BlockRecord[]> {
      const before = { prompts, ended: ended.length };
      terminal.input(typed, 'user');
      await until(
        `a prompt after ${JSON.stringify(typed.slice(0, 80))}`,
        () => prompts > before.prompts || exit !== null,
      );
      return ended.slice(before.ended);
    },
    type: (data: string) => terminal.input(data, 'user'),
    async output(record: BlockRecord): Promise<string> {
      const raw = await readFile(join(dir, 'agent_pty', 'blocks', `${record.block_id}.out`), 'utf8');
      return cleanOutput(raw);
    },
    async close() {
      if (exit === null) {
        await endTerminal(terminal.shellId, terminal.pid, systemClock);
        await until('the end of the shell', () => exit !== null);
      }
      await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
