/** `events …` and `run`: what each takes. */
import { text as readText } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { SEVERITIES } from '../contract/external-event.ts';
import type { ShowOptions } from './events.ts';
import { withExamples } from './examples.ts';
import type { RunOptions } from './run-command.ts';
import type { Runner } from './runner.ts';
import type { SendOptions } from './send-events.ts';
import { namedThread, withThread } from './thread-option.ts';

/** One more is asked for, to know what was before. */
const MAX_LAST = 999;

/** Loaded when one of them runs: the tree is built for every command line, also for `serve`. */
const events = () => import('./events.ts');

export function addEvents(program: Command, runner: Runner): void {
  const group = program
    .command('events')
    .description('tell a conversation what happens outside, and see what was told');
  withExamples(group, ['signalbox events list', 'threads that can be reached now']);
  addSend(group, runner);
  addReading(group, runner);
  addRun(program, runner);
}

function addSend(group: Command, { world, runWithClient }: Runner): void {
  const send = withThread(group.command('send'))
    .description('send an event by its parts, or whole ones')
    .argument(
      '[event]',
      'the whole event as JSON, or - to read it from stdin, or several of them, as an array or one a line: then only --thread and --event-id count',
    )
    .option('--type <type>', 'dot-separated, e.g. build.completed')
    .addOption(new Option('--severity <severity>', 'how bad').choices(SEVERITIES).default('info'))
    .option('--title <text>', 'in a few words')
    .option('--summary <text>', 'in some more')
    .option('--payload-json <json>', 'more, as JSON')
    .option('--source <name>', 'who says it', 'cli')
    .option('--event-id <id>', 'the same id is the same event')
    .option('--run-id <id>', 'the run it is about')
    .option('--correlation-id <id>', 'ties events together')
    .option('--url <url>', 'where more is to be read')
    .action((whole: string | undefined, given: Omit<SendOptions, 'thread'>, command: Command) => {
      const options = namedThread(command, world.env, given);
      for (const name of ['type', 'title'] as const)
        if (whole === undefined && options[name] === undefined)
          command.error(`error: --${name} is needed, or the whole event as JSON`);
      return runWithClient(command, async (out, client) => {
        const text = whole === '-' ? await readText(world.stdin) : whole;
        const { sendEvent, sendWholeEvents } = await import('./send-events.ts');
        return text === undefined ? sendEvent(out, client, options) : sendWholeEvents(out, client, text, options);
      });
    });
  withExamples(
    send,
    [
      'signalbox events send --thread "$ID" --type build.completed --title CI --summary "all green"',
      'the next message to Codex carries it',
    ],
    [
      'signalbox events send --thread "$ID" --type agent.message --title "docs agent" --payload-json \'{"from_repo":"cli"}\' --json',
      'with data, for a script',
    ],
    ['signalbox events send - --thread "$ID" < event.json', 'a whole event, with artifacts and suggested actions'],
    ['signalbox events send - --thread "$ID" < events.jsonl', 'several; the exit code is that of the first refusal'],
  );
}

function addReading(group: Command, { world, run, runWithClient }: Runner): void {
  const show = withThread(group.command('show'))
    .description('print the newest events of a thread, or one whole')
    .argument('[number]', 'of the event that is printed whole', parseNumber)
    .option('--last <count>', 'so many', parseCount, 20)
    .option('--unread', 'only those nobody has read')
    .addOption(new Option('--min-severity <severity>', 'only those as bad as this or worse').choices(SEVERITIES))
    .option('--source <name>', 'only those of this source')
    .option('--search <words>', 'only those with all of these words')
    .option('--rejected', 'what came by file and was no event, and why')
    .action((seq: number | undefined, given: ShowOptions & { rejected?: boolean }, command: Command) => {
      const options = namedThread(command, world.env, given);
      return runWithClient(command, async (out, client) => {
        const { showEvent, showEvents, showRejected } = await events();
        if (given.rejected === true) return showRejected(out, client, options);
        return seq === undefined ? showEvents(out, client, options) : showEvent(out, client, options.thread, seq);
      });
    });
  withExamples(
    show,
    ['signalbox events show --thread "$ID" --last 5', 'number, time, severity, type, title, source, state'],
    ['signalbox events show 12 --thread "$ID"', 'all of number 12: payload, artifacts, suggested actions'],
    ['signalbox events show --thread "$ID" --min-severity error --search windows', 'what is sought among many'],
    ['signalbox events show --thread "$ID" --rejected', 'lines of the inbox that were no events, and why'],
  );
  const list = group
    .command('list')
    .description('threads that can be reached now, and where')
    .action((_options: unknown, command: Command) =>
      runWithClient(command, async (out, client) => (await events()).listEventThreads(out, client)),
    );
  withExamples(list, ['signalbox events list --json', 'with the paths of their discovery files']);
  const tail = withThread(group.command('tail'))
    .description('print events of a thread as they come')
    .option('--last <count>', 'begin with so many that came before', parseLast, 0)
    .action((given: { last: number }, command: Command) => {
      const options = namedThread(command, world.env, given);
      return runWithClient(command, async (out, client, home) => {
        const { tailEvents } = await import('./tail-events.ts');
        return tailEvents(out, home, client, options);
      });
    });
  withExamples(tail, [
    'signalbox events tail --thread "$ID" --json',
    'one JSON line each, until Ctrl-C; waits for a server that is started again',
  ]);
  const ack = withThread(group.command('ack'))
    .description('mark events read, or unread again')
    .argument('[event]', 'its id or number; without one, all of them')
    .option('--unread', 'unread again; by its number')
    .action((event: string | undefined, given: { unread?: boolean }, command: Command) => {
      const options = namedThread(command, world.env, given);
      if (given.unread === true && !/^\d{1,15}$/.test(event ?? ''))
        command.error('error: --unread takes the number of an event, which `signalbox events show` prints first');
      return runWithClient(command, async (out, client) => {
        const { ackEvents, unreadEvent } = await events();
        if (given.unread === true) return unreadEvent(out, client, options.thread, Number(event));
        return ackEvents(out, client, { ...options, ...(event !== undefined && { event }) });
      });
    });
  withExamples(
    ack,
    ['signalbox events ack --thread "$ID" evt_42', 'that one'],
    ['signalbox events ack --thread "$ID"', 'all'],
    ['signalbox events ack --thread "$ID" 12 --unread', 'number 12 is unread again'],
  );
  const path = withThread(group.command('inbox-path'))
    .description('print the file that producers may append events to')
    .action((given: object, command: Command) => {
      const options = namedThread(command, world.env, given);
      return run(command, async (out, home) => (await events()).printInboxPath(out, home, world.env, options));
    });
  withExamples(path, ['cat events.jsonl >> "$(signalbox events inbox-path --thread "$ID")"', 'one event per line']);
}

function addRun(program: Command, { world, run }: Runner): void {
  const command = withThread(program.command('run'))
    .description('run a command and tell a thread that it began and how it ended')
    .option('--source <name>', 'who says it', 'run')
    .option('--title <text>', 'what to call it (default: the command)')
    .argument('<command...>', 'after --, as it is')
    .action((argv: string[], given: Omit<RunOptions, 'thread'>, self: Command) => {
      const options = namedThread(self, world.env, given);
      return run(self, async (out, home) => {
        const { runCommand } = await import('./run-command.ts');
        return runCommand(out, home, argv, options);
      });
    });
  withExamples(command, [
    'signalbox run --thread "$ID" -- cargo test -p foo',
    'output and exit code are those of the command',
  ]);
}

function parseLast(text: string): number {
  return text === '0' ? 0 : Math.min(parseCount(text), MAX_LAST);
}

/** A thread counts on over all its events, those that are gone as well. */
function parseNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Expected the number of an event.');
  return Number(text);
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 1000) throw new InvalidArgumentError('Expected 1 to 1000.');
  return count;
}
