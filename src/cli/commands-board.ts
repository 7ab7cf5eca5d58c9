/** `board …`: what each takes. */
import { text as readText } from 'node:stream/consumers';
import { type Command, InvalidArgumentError } from 'commander';
import type { AwaitOptions, PostOptions, ReadOptions } from './board.ts';
import { withExamples } from './examples.ts';
import type { Runner } from './runner.ts';

/** Loaded when one of them runs: the tree is built for every command line, also for `serve`. */
const board = () => import('./board.ts');

export function addBoard(program: Command, runner: Runner): void {
  const group = program.command('board').description('the message board that people, agents and scripts share');
  withExamples(group, ['signalbox board read', 'the newest messages']);
  addWriting(group, runner);
  addReading(group, runner);
}

function addWriting(group: Command, { runWithClient, world }: Runner): void {
  const post = group
    .command('post')
    .description('write a message, and print its number')
    .argument('<text>', 'the message, or - to read it from stdin')
    .option('--who <name>', 'who writes (default: your user name)')
    .option('--topic <topic>', 'what it is about')
    .option('--reply-to <num>', 'the message it answers', parseNum)
    .option('--to <name>', 'a conversation by label or id, or somebody who has written here')
    .action((text: string, options: PostOptions, command: Command) =>
      runWithClient(command, async (out, client) =>
        (await board()).postMessage(out, client, text === '-' ? await readText(world.stdin) : text, options),
      ),
    );
  withExamples(
    post,
    ['signalbox board post "The build is green again" --topic build', 'for everybody'],
    ['make test 2>&1 | tail -20 | signalbox board post - --to "Fix the parser"', 'to one conversation, from stdin'],
  );
  const remove = group
    .command('delete')
    .description('take a message off the board')
    .argument('<num>', 'its number', parseNum)
    .action((num: number, _options: unknown, command: Command) =>
      runWithClient(command, async (out, client) => (await board()).deleteMessage(out, client, num)),
    );
  withExamples(remove, ['signalbox board delete 12', 'its number is not used again']);
}

function addReading(group: Command, { runWithClient }: Runner): void {
  const read = group
    .command('read')
    .description('print messages, oldest first')
    .option('-n, --limit <count>', 'at most so many', parseLimit, 20)
    .option('--after <num>', 'only newer ones', parseAfter)
    .option('--topic <topic>', 'only this topic')
    .option('-q, --query <text>', 'those that contain a text')
    .option('--unread', 'what this reader has not read, and mark it read')
    .option('--reader <name>', 'who reads (default: your user name)')
    .action((options: ReadOptions, command: Command) =>
      runWithClient(command, async (out, client) => (await board()).readMessages(out, client, options)),
    );
  withExamples(
    read,
    ['signalbox board read --topic build -n 5', 'the last five about the build'],
    ['signalbox board read --unread', 'what is new for you'],
  );
  const wait = group
    .command('await')
    .description('wait for a message that fits and print it; exits with 1 when none comes')
    .option('--after <num>', 'count older ones too, from here on', parseAfter)
    .option('--topic <topic>', 'only this topic')
    .option('--who <name>', 'only from this writer')
    .option('--reply-to <num>', 'only answers to this message', parseNum)
    .option('--text <text>', 'only those that contain a text')
    .option('--timeout <seconds>', 'how long', parseSeconds, 300)
    .action((options: AwaitOptions, command: Command) =>
      runWithClient(command, async (out, client) => (await board()).awaitMessage(out, client, options)),
    );
  withExamples(wait, ['signalbox board await --reply-to 12 --timeout 600', 'wait for the answer to message 12']);
}

const parseNum = (text: string): number => parseWhole(text, 1, Number.MAX_SAFE_INTEGER);
const parseAfter = (text: string): number => parseWhole(text, 0, Number.MAX_SAFE_INTEGER);
const parseLimit = (text: string): number => parseWhole(text, 1, 500);
/** A day: whoever waits longer wants a rule, not a process. */
const parseSeconds = (text: string): number => parseWhole(text, 0, 86_400);

function parseWhole(text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
  return value;
}
