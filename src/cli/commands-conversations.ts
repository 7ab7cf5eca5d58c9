/** `conversations …`: what each takes. */
import { text as readText } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { APPROVAL_MODES, SANDBOXES } from '../contract/conversation.ts';
import type { ReviewTarget } from '../contract/review.ts';
import { FORMATS, type Format } from '../core/export/render-formats.ts';
import type { Client } from './client.ts';
import type { ForkOptions, ListOptions, NewOptions } from './conversations.ts';
import { type Example, withExamples } from './examples.ts';
import type { Output } from './output.ts';
import type { Runner } from './runner.ts';
import type { SendRequest } from './send.ts';

const ID = ['<conversation>', 'an id, the beginning of one, a label, or a title as the list shows it'] as const;

/** Loaded when one of them runs: the tree is built for every command line, also for `serve`. */
const conversations = () => import('./conversations.ts');
const managing = () => import('./manage-conversations.ts');

export function addConversations(program: Command, runner: Runner): void {
  const group = program.command('conversations').description('work with conversations');
  withExamples(group, ['signalbox conversations list', 'what there is, newest first']);
  addReading(group, runner);
  addMaking(group, runner);
  addManaging(group, runner);
  addSend(group, runner);
  addReview(group, runner);
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
  const names = group
    .command('names')
    .description('print the names that commands take, one a line; completions use it')
    .option('--threads', "ids of Codex's threads instead")
    .action((options: { threads?: boolean }, command: Command) =>
      runWithClient(command, async (out, client) => {
        const { listNames } = await import('./list-names.ts');
        return listNames(out, client, options);
      }),
    );
  withExamples(names, ['signalbox conversations names', 'labels and titles; an id where two have the same']);
  const show = group
    .command('show')
    .description('print the end of the transcript')
    .argument(...ID)
    .option('-n, --lines <count>', 'so many entries, of those that say something', parseCount, 20)
    .action((words: string, options: { lines: number }, command: Command) =>
      runWithClient(command, async (out, client) => {
        const { showConversation } = await import('./show-conversation.ts');
        return showConversation(out, client, words, options);
      }),
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
    .option('--worktree <branch>', 'in a new work tree on a new branch, beside the repository')
    .option('--from <commit>', 'with --worktree: where the branch begins (default: the base branch)')
    .action((options: NewOptions, command: Command) =>
      runWithClient(command, async (out, client) => (await conversations()).newConversation(out, client, options)),
    );
  withExamples(
    making,
    ['signalbox conversations new --label "Fix the parser"', 'Codex works in this directory'],
    ['signalbox conversations new --sandbox read-only --approval untrusted', 'it may read, and asks before the rest'],
    ['signalbox conversations new --worktree codex/fix-parser', 'in a checkout of its own'],
  );
  const fork = group
    .command('fork')
    .description('make a new one that shares the history, and print its id')
    .argument(...ID)
    .option('--turn <id>', 'up to this turn (default: all of it)')
    .option('--worktree <branch>', 'in a new work tree on a new branch, with the files as they were after that turn')
    .action((words: string, options: ForkOptions, command: Command) =>
      runWithClient(command, async (out, client) =>
        (await conversations()).forkConversation(out, client, words, options),
      ),
    );
  withExamples(
    fork,
    ['signalbox conversations fork "Fix the parser"', 'try something else, and keep the first'],
    [
      'signalbox conversations fork "Fix the parser" --worktree codex/other',
      'in a checkout of its own, with the files',
    ],
  );
  const importing = group
    .command('import')
    .description('open a thread that Codex has')
    .argument('<thread>', "the thread's id, or the path of its rollout file")
    .action((thread: string, _options: unknown, command: Command) =>
      runWithClient(command, async (out, client) => (await conversations()).importThread(out, client, thread)),
    );
  withExamples(importing, [
    'signalbox conversations import 0199a7c4-5d1e-7f00-8000-0123456789ab',
    'go on here with what was begun in another program',
  ]);
}

type Manage = (out: Output, client: Client, words: string) => Promise<number>;

function addManaging(group: Command, { runWithClient }: Runner): void {
  const add = (name: string, description: string, load: () => Promise<Manage>, ...examples: readonly Example[]) => {
    const command = group
      .command(name)
      .description(description)
      .argument(...ID)
      .action((words: string, _options: unknown, command: Command) =>
        runWithClient(command, async (out, client) => (await load())(out, client, words)),
      );
    withExamples(command, ...examples);
  };
  const rename = group
    .command('rename')
    .description('give one another label')
    .argument(...ID)
    .argument('<label>', 'the new label; "" removes it')
    .action((words: string, label: string, _options: unknown, command: Command) =>
      runWithClient(command, async (out, client) => (await managing()).renameConversation(out, client, words, label)),
    );
  withExamples(rename, ['signalbox conversations rename conv_1a2b "Fix the parser"', 'the page shows it at once']);
  add('stop', 'stop the turn that runs', async () => (await managing()).stopTurn, [
    'signalbox conversations stop "Fix the parser"',
    'the conversation stays, and can be sent a message',
  ]);
  add('archive', 'put one into the archive', async () => (await managing()).archiveConversation, [
    'signalbox conversations archive "Fix the parser"',
    'it stays on disk, and in the archive',
  ]);
  add('delete', 'put one into the trash, for a day', async () => (await managing()).deleteConversation, [
    'signalbox conversations delete "Fix the parser"',
    'prints the command that brings it back',
  ]);
  add('restore', 'take one out of the trash or the archive', async () => (await managing()).restoreConversation, [
    'signalbox conversations restore conv_1a2b3c4d5e6f70819203a4b5c6d7e8f9',
    'after `delete`, by its id',
  ]);
  add(
    'recover',
    'go on in a new thread where Codex cannot read its record of the old one',
    async () => (await managing()).recoverConversation,
    [
      'signalbox conversations recover "Fix the parser"',
      'same conversation, new thread; the model gets a short history',
    ],
  );
}

function addSend(group: Command, { runWithClient, world }: Runner): void {
  const sending = group
    .command('send')
    .description('send a message and print the answer as it comes')
    .argument(...ID)
    .argument('<text>', 'the message, or - to read it from stdin')
    .addOption(new Option('--steer', 'into the turn that runs').conflicts('queue'))
    .option('--queue', 'after the turn that runs')
    .option('--image <file...>', 'pictures that go with it')
    .action((words: string, text: string, options: SendOptions, command: Command) =>
      runWithClient(command, async (out, client, home) => {
        const { pickConversation } = await import('./pick-conversation.ts');
        const id = await pickConversation(client, words);
        if (!id.ok) return out.fail(id.error);
        const { readImages } = await import('./read-image.ts');
        const images = await readImages(options.image ?? []);
        if (!images.ok) return out.fail(images.error);
        const message = text === '-' ? await readText(world.stdin) : text;
        const mode: SendRequest['mode'] = options.steer ? 'steer' : options.queue ? 'queue' : 'send';
        const { send } = await import('./send.ts');
        return send(out, client, { home, conversationId: id.value, text: message, mode, images: images.value });
      }),
    );
  withExamples(
    sending,
    ['signalbox conversations send "Fix the parser" "Run the tests"', 'exit 0 when the turn is done, 1 if it failed'],
    ['git diff | signalbox conversations send review -', 'a long message from stdin'],
    ['signalbox conversations send ui "Why is this cut off?" --image shot.png', 'with a picture'],
  );
  const retry = group
    .command('retry')
    .description('send the last message again, if it was not delivered or its turn failed')
    .argument(...ID)
    .action((words: string, _options: unknown, command: Command) =>
      runWithClient(command, async (out, client, home) => {
        const { pickConversation } = await import('./pick-conversation.ts');
        const id = await pickConversation(client, words);
        if (!id.ok) return out.fail(id.error);
        const { findRetry } = await import('./find-retry.ts');
        const found = await findRetry(client, id.value);
        if (!found.ok) return out.fail(found.error);
        const { send } = await import('./send.ts');
        return send(out, client, { home, conversationId: id.value, mode: 'send', ...found.value });
      }),
    );
  withExamples(retry, [
    'signalbox conversations retry "Fix the parser"',
    'after a turn that failed; prints the answer',
  ]);
}

function addReview(group: Command, { runWithClient }: Runner): void {
  const reviewing = group
    .command('review')
    .description('have Codex review the repository of a conversation, and print what it finds as it comes')
    .argument(...ID)
    .addOption(new Option('--base <branch>', 'the changes since this branch').conflicts(['commit', 'instructions']))
    .addOption(new Option('--commit <commit>', 'one commit, by the beginning of its hash').conflicts('instructions'))
    .option('--instructions <text>', 'what to review, in your own words')
    .action((words: string, options: ReviewOptions, command: Command) =>
      runWithClient(command, async (out, client, home) => {
        const { pickConversation } = await import('./pick-conversation.ts');
        const id = await pickConversation(client, words);
        if (!id.ok) return out.fail(id.error);
        const { review } = await import('./send.ts');
        return review(out, client, { home, conversationId: id.value, target: targetOf(options) });
      }),
    );
  withExamples(
    reviewing,
    ['signalbox conversations review "Fix the parser"', 'what is not committed; exit 0 when the review is done'],
    ['signalbox conversations review "Fix the parser" --base main', 'the changes since main'],
    ['signalbox conversations review "Fix the parser" --commit 1a2b3c4', 'one commit'],
  );
}

interface ReviewOptions {
  readonly base?: string;
  readonly commit?: string;
  readonly instructions?: string;
}

function targetOf({ base, commit, instructions }: ReviewOptions): ReviewTarget {
  if (base !== undefined) return { type: 'baseBranch', branch: base };
  if (commit !== undefined) return { type: 'commit', sha: commit, title: null };
  return instructions === undefined ? { type: 'uncommittedChanges' } : { type: 'custom', instructions };
}

interface SendOptions {
  readonly steer?: boolean;
  readonly queue?: boolean;
  readonly image?: readonly string[];
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 1000) throw new InvalidArgumentError('Expected 1 to 1000.');
  return count;
}
