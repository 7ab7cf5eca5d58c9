/** `conversations …`: what each takes. */
import { text as readText } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { APPROVAL_MODES, SANDBOXES } from '../contract/conversation.ts';
import type { ListOptions, NewOptions } from './conversations.ts';
import { withExamples } from './examples.ts';
import { FORMATS, type Format } from './formats.ts';
import type { Runner } from './runner.ts';
import type { SendRequest } from './send.ts';

const ID = ['<conversation>', 'an id, the beginning of one, or a label'] as const;

/** Loaded when one of them runs: the tree is built for every command line, also for `serve`. */
const conversations = () => import('./conversations.ts');

export function addConversations(program: Command, runner: Runner): void {
  const group = program.command('conversations').description('work with conversations');
  withExamples(group, ['signalbox conversations list', 'what there is, newest first']);
  addReading(group, runner);
  addMaking(group, runner);
  addSend(group, runner);
}

function addReading(group: Command, { runWithClient }: Runner): void {
  const list = group
    .command('list')
    .description('newest first')
    .option('--archived', 'those in the archive instead')
    .option('-q, --query <text>', 'those that contain a text')
    .option('-n, --limit <count>', 'at most so many', parseCount, 50)
    .action((options: ListOptions, command: Command) =>
      runWithClient(command, async (out, client) => (await conversations()).listConversations(out, client, options)),
    );
  withExamples(
    list,
    ['signalbox conversations list', 'id, state, time, title and directory of each'],
    ['signalbox conversations list --archived --query parser --json', 'search the archive, for a script'],
  );
  const show = group
    .command('show')
    .description('print the end of the transcript')
    .argument(...ID)
    .option('-n, --lines <count>', 'so many entries', parseCount, 20)
    .action((words: string, options: { lines: number }, command: Command) =>
      runWithClient(command, async (out, client) =>
        (await conversations()).showConversation(out, client, words, options),
      ),
    );
  withExamples(show, ['signalbox conversations show "Fix the parser" -n 5', 'the last five entries, found by label']);
  const exporting = group
    .command('export')
    .description('print the whole transcript')
    .argument(...ID)
    .addOption(new Option('--format <format>', 'how (default: md, with --json json)').choices(FORMATS))
    .action((words: string, options: { format?: Format }, command: Command) =>
      runWithClient(command, async (out, client) => {
        const { exportConversation } = await import('./export.ts');
        return exportConversation(out, client, words, options.format);
      }),
    );
  withExamples(
    exporting,
    ['signalbox conversations export "Fix the parser" > talk.md', 'Markdown'],
    ['signalbox conversations export conv_1a2b --format html > talk.html', 'one page that loads and runs nothing'],
  );
}

function addMaking(group: Command, { runWithClient }: Runner): void {
  const making = group
    .command('new')
    .description('make one, and print its id')
    .option('--cwd <dir>', 'where Codex works (default: here)')
    .option('--label <text>', 'what it is called')
    .option('--model <name>', 'which model answers')
    .option('--effort <level>', 'how long the model thinks')
    .addOption(new Option('--approval <mode>', 'when Codex asks').choices(APPROVAL_MODES))
    .addOption(new Option('--sandbox <mode>', 'what commands may touch').choices(SANDBOXES))
    .action((options: NewOptions, command: Command) =>
      runWithClient(command, async (out, client) => (await conversations()).newConversation(out, client, options)),
    );
  withExamples(
    making,
    ['signalbox conversations new --label "Fix the parser"', 'Codex works in this directory'],
    ['signalbox conversations new --sandbox read-only --approval untrusted', 'it may read, and asks before the rest'],
  );
  const archive = group
    .command('archive')
    .description('put one into the archive')
    .argument(...ID)
    .action((words: string, _options: unknown, command: Command) =>
      runWithClient(command, async (out, client) => (await conversations()).archiveConversation(out, client, words)),
    );
  withExamples(archive, ['signalbox conversations archive "Fix the parser"', 'it stays on disk, and in the archive']);
  const importing = group
    .command('import')
    .description('open a thread that Codex has')
    .argument('<thread>', "the thread's id")
    .action((thread: string, _options: unknown, command: Command) =>
      runWithClient(command, async (out, client) => (await conversations()).importThread(out, client, thread)),
    );
  withExamples(importing, [
    'signalbox conversations import 0199a7c4-5d1e-7f00-8000-0123456789ab',
    'go on here with what was begun in another program',
  ]);
}

function addSend(group: Command, { runWithClient, world }: Runner): void {
  const sending = group
    .command('send')
    .description('send a message and print the answer as it comes')
    .argument(...ID)
    .argument('<text>', 'the message, or - to read it from stdin')
    .addOption(new Option('--steer', 'into the turn that runs').conflicts('queue'))
    .option('--queue', 'after the turn that runs')
    .action((words: string, text: string, options: { steer?: boolean; queue?: boolean }, command: Command) =>
      runWithClient(command, async (out, client, home) => {
        const { pickConversation } = await import('./pick-conversation.ts');
        const id = await pickConversation(client, words);
        if (!id.ok) return out.fail(id.error);
        const message = text === '-' ? await readText(world.stdin) : text;
        const mode: SendRequest['mode'] = options.steer ? 'steer' : options.queue ? 'queue' : 'send';
        const { send } = await import('./send.ts');
        return send(out, client, { home, conversationId: id.value, text: message, mode });
      }),
    );
  withExamples(
    sending,
    ['signalbox conversations send "Fix the parser" "Run the tests"', 'exit 0 when the turn is done, 1 if it failed'],
    ['git diff | signalbox conversations send review -', 'a long message from stdin'],
  );
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 1000) throw new InvalidArgumentError('Expected 1 to 1000.');
  return count;
}
