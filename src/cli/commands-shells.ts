/** `shells …`: what each takes. */
import { type Command, InvalidArgumentError } from 'commander';
import { withExamples } from './examples.ts';
import type { Runner } from './runner.ts';
import type { DownOptions, ListOptions, LogOptions, UpOptions } from './shells.ts';

const SHELL = ['<shell>', 'an id, the beginning of one, its name in the shellspec, or its title'] as const;

/** Loaded when one of them runs: the tree is built for every command line, also for `serve`. */
const shells = () => import('./shells.ts');

export function addShells(program: Command, runner: Runner): void {
  const group = program.command('shells').description('processes that are started from a shellspec and watched');
  withExamples(
    group,
    ['signalbox shells list', 'what runs, by group'],
    ['signalbox shells up dev.yaml', 'start all of a file'],
  );
  addStarting(group, runner);
  addLooking(group, runner);
  addEnding(group, runner);
}

function addStarting(group: Command, { runWithClient }: Runner): void {
  const up = group
    .command('up')
    .description('start the shells of a shellspec file; those that run are left alone')
    .argument('<file>', 'a shellspec, or one shell of it: dev.yaml#web')
    .option('--cwd <dir>', `what $\{CWD} is (default: here)`)
    .option('--ctx <name=value>', `a value for $\{ctx:NAME}; may be repeated`, collect, [])
    .option('--name <name>', 'run another one of the same shell, under this name')
    .action((file: string, options: UpOptions, command: Command) =>
      runWithClient(command, async (out, client) => (await shells()).upShells(out, client, file, options)),
    );
  withExamples(
    up,
    ['signalbox shells up dev.yaml', 'every shell of the file'],
    ['signalbox shells up dev.yaml#web --ctx PORT=8080', 'one of them, with a value it asks for'],
  );
}

function addLooking(group: Command, { runWithClient, world }: Runner): void {
  const list = group
    .command('list')
    .description('those that run and those that ran, by group')
    .option('--label <labels>', 'only with these: app=web,tier')
    .option('--group <name>', 'only of this group')
    .action((options: ListOptions, command: Command) =>
      runWithClient(command, async (out, client) => (await shells()).listShells(out, client, options)),
    );
  withExamples(
    list,
    ['signalbox shells list', 'state, CPU, memory and command of each'],
    ['signalbox shells list --label app=web --json', 'for a script'],
  );
  const logs = group
    .command('logs')
    .description('print the end of what one has written')
    .argument(...SHELL)
    .option('-n, --lines <count>', 'so many lines', parseLines, 200)
    .option('-f, --follow', 'go on until it ends')
    .option('-s, --search <text>', 'only lines that hold this text')
    .action((words: string, options: LogOptions & { follow?: boolean }, command: Command) =>
      runWithClient(command, async (out, client) => {
        if (options.follow !== true) return (await shells()).showLog(out, client, words, options);
        const { followLog } = await import('./follow-log.ts');
        return followLog(out, client, words, options.lines);
      }),
    );
  withExamples(
    logs,
    ['signalbox shells logs web -f', 'as it comes'],
    ['signalbox shells logs web --search error', 'the lines with a word'],
  );
  const attach = group
    .command('attach')
    .description('see what one writes and type to it; Ctrl-C leaves it running, Ctrl-\\ one with a terminal')
    .argument(...SHELL)
    .action((words: string, _options: unknown, command: Command) =>
      runWithClient(command, async (out, client) => {
        const { attachShell } = await import('./attach-shell.ts');
        return attachShell(out, client, words, world);
      }),
    );
  withExamples(attach, [
    'signalbox shells attach repl',
    'lines go to its stdin; a pty shell and a dtach session are entered as the terminals they are',
  ]);
}

function addEnding(group: Command, { runWithClient }: Runner): void {
  const down = group
    .command('down')
    .description('end shells and everything they started')
    .argument('[shells...]', SHELL[1])
    .option('--label <labels>', 'those with these labels: app=web,tier')
    .option('--all', 'all that are not a part of Signalbox itself')
    .action((words: readonly string[], options: DownOptions, command: Command) =>
      runWithClient(command, async (out, client) => (await shells()).downShells(out, client, words, options)),
    );
  withExamples(down, ['signalbox shells down web', 'asked to end first, forced after its grace time']);
  const purge = group
    .command('purge')
    .description('forget shells that have ended, with their logs')
    .argument('[shells...]', `${SHELL[1]} (default: all that have ended)`)
    .action((words: readonly string[], _options: unknown, command: Command) =>
      runWithClient(command, async (out, client) => (await shells()).purgeShells(out, client, words)),
    );
  withExamples(purge, ['signalbox shells purge', 'all that have ended']);
}

const collect = (value: string, before: readonly string[]): string[] => [...before, value];

function parseLines(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 100_000) throw new InvalidArgumentError('Expected 1 to 100000.');
  return count;
}
