/** `ps`: what it takes. */
import type { Command } from 'commander';
import { withExamples } from './examples.ts';
import type { Runner } from './runner.ts';
import type { PsOptions } from './running.ts';

export function addRunning(program: Command, { runWithClient }: Runner): void {
  const ps = program
    .command('ps')
    .description('what runs for a conversation, or for all: commands of Codex, what they left running, the terminal')
    .argument('[conversation]', 'an id, the beginning of one, or a label')
    .option('--end', 'end all of it: SIGTERM, then SIGKILL; needs a conversation')
    .action((words: string | undefined, options: PsOptions, command: Command) =>
      runWithClient(command, async (out, client) => {
        const { listRunning } = await import('./running.ts');
        return listRunning(out, client, words, options);
      }),
    );
  withExamples(
    ps,
    ['signalbox ps', 'everything that runs, by conversation'],
    ['signalbox ps "Fix the parser" --end', 'end what runs for one; exit 1 if something could not be ended'],
  );
}
