/** `trust …`: what each takes. */
import type { Command } from 'commander';
import { withExamples } from './examples.ts';
import type { Runner } from './runner.ts';

/** Loaded when one of them runs: the tree is built for every command line, also for `serve`. */
const trust = () => import('./trust.ts');

export function addTrust(program: Command, { runWithClient }: Runner): void {
  const group = program
    .command('trust')
    .description("which projects' .codex folders Codex may load, and what they would do");
  withExamples(group, ['signalbox trust list', 'what was decided']);
  const list = group
    .command('list')
    .description('print what was decided about project configurations, the newest first')
    .action((_options: unknown, command: Command) =>
      runWithClient(command, async (out, client) => (await trust()).listDecisions(out, client)),
    );
  withExamples(list, ['signalbox trust list', 'every directory with its decision']);
  const show = group
    .command('show')
    .description('print what the project configuration of a directory would run or change')
    .argument('[dir]', 'the directory (default: this one)')
    .action((dir: string | undefined, _options: unknown, command: Command) =>
      runWithClient(command, async (out, client) => (await trust()).showProject(out, client, dir)),
    );
  withExamples(show, ['signalbox trust show ~/src/parser', 'before you open a conversation there']);
  const add = group
    .command('add')
    .description('say how to trust a directory: only a person at the page can')
    .argument('[dir]', 'the directory (default: this one)')
    .action((dir: string | undefined, _options: unknown, command: Command) =>
      runWithClient(command, async (out, client) => (await trust()).explainAdd(out, client, dir)),
    );
  withExamples(add, ['signalbox trust add ~/src/parser', 'prints what to do; changes nothing, and exits with 4']);
  const revoke = group
    .command('revoke')
    .description('forget a decision: the configuration is off, and asked about again')
    .argument('[dir]', 'the directory (default: this one)')
    .action((dir: string | undefined, _options: unknown, command: Command) =>
      runWithClient(command, async (out, client) => (await trust()).revokeDecision(out, client, dir)),
    );
  withExamples(revoke, ['signalbox trust revoke ~/src/parser', 'from the next message on']);
}
