/** `changes`, `undo` and `checkpoint …`: what each takes. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ChangesOptions, RestoreOptions, UndoOptions } from './changes.ts';
import { withExamples } from './examples.ts';
import type { Runner } from './runner.ts';

/** Loaded when one of them runs: the tree is built for every command line, also for `serve`. */
const changes = () => import('./changes.ts');
const CONVERSATION = 'an id, the beginning of one, or a label (default: the newest in this directory)';
const NUMBER = 'the number of a checkpoint, as `checkpoint list` prints it (default: the last turn)';

export function addChanges(program: Command, runner: Runner): void {
  const { runWithClient } = runner;
  const show = program
    .command('changes')
    .description('what the last turn of a conversation changed, and the status of its repository')
    .argument('[conversation]', CONVERSATION)
    .option('--turn <number>', NUMBER, parseNumber)
    .option('--diff', 'print the difference too')
    .action((words: string | undefined, options: ChangesOptions, command: Command) =>
      runWithClient(command, async (out, client) => (await changes()).showChanges(out, client, words, options)),
    );
  withExamples(
    show,
    ['signalbox changes', 'what Codex just changed here'],
    ['signalbox changes "Fix the parser" --turn 3 --diff', 'one turn, line by line'],
  );
  const undo = program
    .command('undo')
    .description('give the files that a turn changed their earlier content; undo again to take that back')
    .argument('[conversation]', CONVERSATION)
    .option('--turn <number>', NUMBER, parseNumber)
    .addOption(
      new Option('--changed-since <choice>', 'what becomes of files that were changed since').choices([
        'keep',
        'older',
        'both',
      ]),
    )
    .option('--dry-run', 'only print what would be done')
    .action((words: string | undefined, options: UndoOptions, command: Command) =>
      runWithClient(command, async (out, client, home) =>
        (await changes()).undoTurn(out, client, home, words, options),
      ),
    );
  withExamples(
    undo,
    ['signalbox undo --dry-run', 'which files the last turn would give back'],
    ['signalbox undo "Fix the parser" --turn 3 --changed-since keep', 'but not those that you changed since'],
  );
  addCheckpoint(program, runner);
}

function addCheckpoint(program: Command, { runWithClient }: Runner): void {
  const group = program.command('checkpoint').description('the files as they were before and after each turn');
  withExamples(group, ['signalbox checkpoint list', 'the turns whose files are kept']);
  const list = group
    .command('list')
    .description('print the checkpoints of a conversation, the oldest first')
    .argument('[conversation]', CONVERSATION)
    .action((words: string | undefined, _options: unknown, command: Command) =>
      runWithClient(command, async (out, client) => (await changes()).listCheckpoints(out, client, words)),
    );
  withExamples(list, ['signalbox checkpoint list --json', 'with commits and trees']);
  const show = group
    .command('show')
    .description('print the files that a checkpoint changed')
    .argument('<number>', 'as `checkpoint list` prints it', parseNumber)
    .argument('[conversation]', CONVERSATION)
    .action((number: number, words: string | undefined, _options: unknown, command: Command) =>
      runWithClient(command, async (out, client) =>
        (await changes()).showChanges(out, client, words, { turn: number }),
      ),
    );
  withExamples(show, ['signalbox checkpoint show 3', 'the files of the third one']);
  const restore = group
    .command('restore')
    .description('give all files the content they had before a checkpoint; undo takes it back')
    .argument('<number>', 'as `checkpoint list` prints it', parseNumber)
    .argument('[conversation]', CONVERSATION)
    .option('--after', 'the content after the turn instead')
    .option('--dry-run', 'only print what would be done')
    .action((number: number, words: string | undefined, options: RestoreOptions, command: Command) =>
      runWithClient(command, async (out, client, home) =>
        (await changes()).restoreCheckpoint(out, client, home, number, words, options),
      ),
    );
  withExamples(restore, ['signalbox checkpoint restore 3', 'everything as it was before the third turn']);
}

function parseNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('expected a number from 1 on');
  return Number(text);
}
