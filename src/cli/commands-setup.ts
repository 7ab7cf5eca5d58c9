/** `completion`, `man`, `shell-init`, `service …`: what each takes. */
import { Argument, type Command } from 'commander';
import { readTree } from './command-tree.ts';
import { COMPLETED_SHELLS, type CompletedShell, renderCompletion } from './completion.ts';
import { withExamples } from './examples.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { renderManPage } from './man-page.ts';
import type { Output } from './output.ts';
import type { Runner } from './runner.ts';
import { installService, type ServiceWorld, showService, uninstallService } from './service.ts';
import { renderShellInit } from './shell-init.ts';
import { readVersion } from './version.ts';

export function addSetup(program: Command, runner: Runner): void {
  addCompletion(program, runner);
  addMan(program, runner);
  addShellInit(program, runner);
  addService(program, runner);
}

function addCompletion(program: Command, { run }: Runner): void {
  const completion = program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'which').choices(COMPLETED_SHELLS))
    .action((shell: CompletedShell, _options: unknown, command: Command) =>
      run(command, (out) => tellText(out, { shell }, renderCompletion(shell, readTree(program)))),
    );
  withExamples(
    completion,
    ['source <(signalbox completion bash)', 'complete in this shell; put the line into ~/.bashrc to keep it'],
    ['signalbox completion zsh > ~/.zfunc/_signalbox', 'the same for zsh, in a directory of its fpath'],
    ['signalbox completion fish > ~/.config/fish/completions/signalbox.fish', 'the same for fish'],
  );
}

function addMan(program: Command, { run }: Runner): void {
  const man = program
    .command('man')
    .description('print the man page')
    .action((_options: unknown, command: Command) =>
      run(command, (out) => {
        const text = renderManPage({ tree: readTree(program), version: readVersion(), exitCodes: EXIT_CODES });
        return tellText(out, { page: 'signalbox.1' }, text);
      }),
    );
  withExamples(man, ['signalbox man | man -l -', 'read it where it is not installed']);
}

async function tellText(out: Output, about: Readonly<Record<string, string>>, text: string): Promise<number> {
  if (out.isJson) await out.json({ ...about, text });
  else await out.write(text);
  return 0;
}

function addShellInit(program: Command, { run }: Runner): void {
  const init = program
    .command('shell-init')
    .description('print prompt marks, so that commands of a nested shell are blocks too')
    .addArgument(new Argument('<shell>', 'which').choices(COMPLETED_SHELLS))
    .action((shell: CompletedShell, _options: unknown, command: Command) =>
      run(command, (out) => tellText(out, { shell }, renderShellInit(shell))),
    );
  withExamples(
    init,
    ['eval "$(signalbox shell-init bash)"', 'for ~/.bashrc; zsh has the same line in ~/.zshrc'],
    ['signalbox shell-init fish | source', 'for ~/.config/fish/config.fish'],
  );
}

function addService(program: Command, { run, world }: Runner): void {
  const group = program.command('service').description('run the server as a systemd user service');
  withExamples(group, ['signalbox service install', 'start it now and with every login']);
  const worldOf = (home: string): ServiceWorld => ({ home, env: world.env, command: world.command });
  const install = group
    .command('install')
    .description('write the unit, enable it and start it')
    .option('--no-start', 'enable it only')
    .option('--force', 'also over a unit that was written by hand')
    .action((options: { start: boolean; force?: boolean }, command: Command) =>
      run(command, (out, home) => installService(out, worldOf(home), options)),
    );
  withExamples(
    install,
    ['signalbox service install', 'start it now and with every login'],
    ['signalbox service install --no-start --json', 'write and enable it only; says what is left to do'],
  );
  const uninstall = group
    .command('uninstall')
    .description('stop it and remove the unit')
    .action((_options: unknown, command: Command) => run(command, (out, home) => uninstallService(out, worldOf(home))));
  withExamples(uninstall, ['signalbox service uninstall', 'conversations stay where they are']);
  const status = group
    .command('status')
    .description('say whether it is installed and runs')
    .action((_options: unknown, command: Command) => run(command, (out, home) => showService(out, worldOf(home))));
  withExamples(status, ['signalbox service status', 'exit 0 when it runs, 3 when not']);
}
