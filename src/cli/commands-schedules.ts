/** `schedules …`: what each takes. */
import { type Command, Option } from 'commander';
import { withExamples } from './examples.ts';
import type { Runner } from './runner.ts';
import type { AddOptions } from './schedules.ts';

/** Loaded when one of them runs: the tree is built for every command line, also for `serve`. */
const schedules = () => import('./schedules.ts');
const SCHEDULE = 'its name, its id, or the beginning of one';

export function addSchedules(program: Command, { runWithClient }: Runner): void {
  const group = program.command('schedules').description('messages that are sent to Codex at a time');
  withExamples(group, ['signalbox schedules list', 'what is sent next']);
  const list = group
    .command('list')
    .description('print every schedule with its next time and its last run')
    .action((_options: unknown, command: Command) =>
      runWithClient(command, async (out, client) => (await schedules()).listSchedules(out, client)),
    );
  withExamples(list, ['signalbox schedules list --json', 'with the newest 50 runs of each']);
  const add = group
    .command('add')
    .description('send a message at a time, once or again and again')
    .argument('<when>', 'such as "tomorrow at 8:00", "every weekday at 9:00", "in 20 minutes", or a cron expression')
    .argument('<message>', 'what to say to Codex')
    .option('--conversation <conversation>', 'where (default: a new conversation for each run, in this directory)')
    .option('--dir <dir>', 'the directory of the new conversations (default: here)')
    .option('--name <name>', 'what to call it (default: the beginning of the message)')
    .option('--zone <zone>', 'time zone, such as Europe/Berlin (default: that of this machine)')
    .addOption(
      new Option('--missed <what>', 'what becomes of times at which the server could not act').choices([
        'skip',
        'once',
      ]),
    )
    .addOption(new Option('--busy <what>', 'what a run does while a turn runs').choices(['queue', 'skip']))
    .option('--max-runs <count>', 'end after so many runs')
    .option('--keep-going', 'do not pause when a run or its turn fails')
    .action((when: string, message: string, options: AddOptions, command: Command) =>
      runWithClient(command, async (out, client, home) =>
        (await schedules()).addSchedule({ out, client, home }, { when, message, options }),
      ),
    );
  withExamples(
    add,
    [
      'signalbox schedules add "every weekday at 9:00" "What changed since yesterday?"',
      'in a new conversation each time',
    ],
    ['signalbox schedules add "in 2 hours" "Go on" --conversation "Fix the parser"', 'once, in a conversation'],
  );
  const acts = [
    ['run', 'send its message now, beside its times'],
    ['pause', 'send nothing until it is resumed'],
    ['resume', 'go on; what was due meanwhile is not sent'],
    ['remove', 'forget it; messages that wait in a queue stay there'],
  ] as const;
  for (const [act, description] of acts) {
    const one = group
      .command(act)
      .description(description)
      .argument('<schedule>', SCHEDULE)
      .action((words: string, _options: unknown, command: Command) =>
        runWithClient(command, async (out, client, home) =>
          (await schedules()).actOnSchedule({ out, client, home }, act, words),
        ),
      );
    withExamples(one, [`signalbox schedules ${act} "Morning report"`, description]);
  }
}
