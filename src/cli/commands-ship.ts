/** `commit`, `branch`, `switch`, `pull`, `push`, `pr`: what each takes. */
import { type Command, Option } from 'commander';
import { withExamples } from './examples.ts';
import type { Runner } from './runner.ts';
import type { CommitOptions, PullOptions, PushOptions, RequestOptions, ShipFlags } from './ship.ts';

/** Loaded when one of them runs: the tree is built for every command line, also for `serve`. */
const ship = () => import('./ship.ts');
const CONVERSATION = 'an id, the beginning of one, or a label (default: the newest in this directory)';

type Words = string | undefined;

export function addShip(program: Command, { runWithClient }: Runner): void {
  const trust = () =>
    new Option(
      '--trust-programs <code>',
      'let hooks and settings of the repository run; the code is printed with their names',
    );
  const commit = program
    .command('commit')
    .description(
      'commit in the repository of a conversation, with its hooks; without a message one is made from the changed files',
    )
    .argument('[conversation]', CONVERSATION)
    .option('-m, --message <text>', 'the message')
    .option('--all', 'every tracked change, not only what is staged')
    .option('--path <path...>', 'these files, also new ones, from the top of the repository')
    .option('--amend', 'replace the newest commit')
    .addOption(trust())
    .action((words: Words, options: CommitOptions, command: Command) =>
      runWithClient(command, async (out, client, home) => (await ship()).commit({ out, client, home, words }, options)),
    );
  withExamples(
    commit,
    ['signalbox commit --all', 'everything that Codex changed, with a plain message'],
    ['signalbox commit -m "Fix the parser" --path src/parser.ts', 'one file'],
  );
  const branch = program
    .command('branch')
    .description('make a branch and switch to it; changes that are not committed come along')
    .argument('<name>', 'its name')
    .argument('[conversation]', CONVERSATION)
    .option('--from <commit>', 'where it begins (default: here)')
    .addOption(trust())
    .action((name: string, words: Words, options: ShipFlags & { readonly from?: string }, command: Command) =>
      runWithClient(command, async (out, client, home) =>
        (await ship()).createBranch({ out, client, home, words }, name, options),
      ),
    );
  withExamples(branch, ['signalbox branch codex/fix-parser', 'from the newest commit here']);
  const change = program
    .command('switch')
    .description('switch to another branch; the files are kept first')
    .argument('<branch>', 'a branch here, or one of a remote, such as refs/remotes/origin/NAME')
    .argument('[conversation]', CONVERSATION)
    .option('--overwrite', 'replace changes that are not committed')
    .addOption(trust())
    .action((name: string, words: Words, options: ShipFlags & { readonly overwrite?: boolean }, command: Command) =>
      runWithClient(command, async (out, client, home) =>
        (await ship()).switchBranch({ out, client, home, words }, name, options),
      ),
    );
  withExamples(change, ['signalbox switch main', 'refused where changes would be overwritten']);
  const pull = program
    .command('pull')
    .description('bring in the upstream branch; with conflicts everything stays as it was')
    .argument('[conversation]', CONVERSATION)
    .addOption(new Option('--mode <mode>', 'where both have new commits').choices(['ff', 'merge', 'rebase']))
    .addOption(trust())
    .action((words: Words, options: PullOptions, command: Command) =>
      runWithClient(command, async (out, client, home) => (await ship()).pull({ out, client, home, words }, options)),
    );
  withExamples(pull, ['signalbox pull --mode rebase', 'your commits on top of theirs']);
  const push = program
    .command('push')
    .description('push the branch under its own name, and set its upstream')
    .argument('[conversation]', CONVERSATION)
    .option('--remote <name>', 'another remote than the usual one')
    .option('--force-with-lease', 'replace commits of the remote that you have seen')
    .addOption(trust())
    .action((words: Words, options: PushOptions, command: Command) =>
      runWithClient(command, async (out, client, home) => (await ship()).push({ out, client, home, words }, options)),
    );
  withExamples(push, ['signalbox push', 'the branch that is checked out']);
  const request = program
    .command('pr')
    .description('open a pull request with gh or glab; title and text come from the commits and the plan')
    .argument('[conversation]', CONVERSATION)
    .option('--title <text>', 'another title')
    .option('--body <text>', 'another text')
    .option('--base <branch>', 'another branch than the base branch')
    .option('--draft', 'not ready for review yet')
    .option('--show', 'only print title, text and the page of the host')
    .addOption(trust())
    .action((words: Words, options: RequestOptions, command: Command) =>
      runWithClient(command, async (out, client, home) =>
        (await ship()).pullRequest({ out, client, home, words }, options),
      ),
    );
  withExamples(
    request,
    ['signalbox pr --show', 'what it would say, and where it can be opened by hand'],
    ['signalbox pr --draft', 'open it'],
  );
}
