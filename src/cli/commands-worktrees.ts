/** `worktree …`: what each takes. */
import { type Command, Option } from 'commander';
import { FinishMode } from '../contract/worktrees.ts';
import { withExamples } from './examples.ts';
import type { Runner } from './runner.ts';
import type { AddOptions, FinishOptions, RemoveOptions } from './worktrees.ts';

/** Loaded when one of them runs: the tree is built for every command line, also for `serve`. */
const worktrees = () => import('./worktrees.ts');

export function addWorktrees(program: Command, { runWithClient }: Runner): void {
  const group = program.command('worktree').description('several checkouts of one repository, one task in each');
  withExamples(group, ['signalbox worktree list', 'branch and directory of each']);
  const list = group
    .command('list')
    .description('print the work trees of the repository here')
    .action((_options: unknown, command: Command) =>
      runWithClient(command, async (out, client) => (await worktrees()).listWorktrees(out, client)),
    );
  withExamples(list, ['signalbox worktree list --json', 'with commits, branches and conversations']);
  const add = group
    .command('add')
    .description('make one beside the repository, and print its directory; copies what .worktreeinclude names')
    .argument('<branch>', 'its branch, which is made')
    .option('--from <commit>', 'where the branch begins (default: the base branch)')
    .option('--existing', 'the branch is there already')
    .action((branch: string, options: AddOptions, command: Command) =>
      runWithClient(command, async (out, client) => (await worktrees()).addWorktree(out, client, branch, options)),
    );
  withExamples(
    add,
    ['signalbox worktree add codex/fix-parser', 'a new branch from the base branch'],
    ['signalbox worktree add release --existing', 'a branch that is there'],
  );
  const finish = group
    .command('finish')
    .description('bring its branch into the base branch, then remove both unless something would be lost')
    .argument('[directory]', 'in the work tree (default: here)')
    .addOption(new Option('--mode <mode>', 'where both have new commits').choices(FinishMode.options))
    .option('--into <branch>', 'another branch than the base branch')
    .option('--keep', 'keep work tree and branch')
    .option('--lose', 'remove it even if ignored or uncommitted files go with it')
    .option('--dry-run', 'only print what would be done')
    .action((path: string | undefined, options: FinishOptions, command: Command) =>
      runWithClient(command, async (out, client) => (await worktrees()).finishWorktree(out, client, path, options)),
    );
  withExamples(
    finish,
    ['signalbox worktree finish --dry-run', 'what would be brought, and what would be lost'],
    ['signalbox worktree finish ../app-worktrees/codex-fix-parser --mode rebase', 'without a merge commit'],
  );
  const remove = group
    .command('remove')
    .description('remove one without bringing its work anywhere; refused while something would be lost')
    .argument('<directory>', 'in the work tree')
    .option('--with-branch', 'its branch too')
    .option('--lose', 'also what git keeps nowhere else')
    .option('--dry-run', 'only print what would be lost')
    .action((path: string, options: RemoveOptions, command: Command) =>
      runWithClient(command, async (out, client) => (await worktrees()).removeWorktree(out, client, path, options)),
    );
  withExamples(remove, ['signalbox worktree remove ../app-worktrees/codex-fix-parser --with-branch', 'and its branch']);
  const attempts = group
    .command('attempts')
    .description('print the attempts at the task of a conversation: state, changes, last answer')
    .argument('[conversation]', 'one of them (default: the newest one in this directory)')
    .action((words: string | undefined, _options: unknown, command: Command) =>
      runWithClient(command, async (out, client) => (await worktrees()).listAttempts(out, client, words)),
    );
  withExamples(attempts, ['signalbox worktree attempts "Fix the parser" --json', 'all of them, for a script']);
}
