/** `serve`, `doctor`, `open`, `status`, `stop`: what each takes. */
import { type Command, Option } from 'commander';
import { closestWord } from '../core/text/closest-word.ts';
import { printableLine } from '../core/text/printable.ts';
import { withExamples } from './examples.ts';
import type { Globals, Runner } from './runner.ts';
import type { SettingsFlags } from './serve.ts';
import { readVersion } from './version.ts';

type ServeOptions = Omit<SettingsFlags, 'home' | 'overrides'> & { readonly config: readonly string[] };

/** Loaded when one of them runs: `serve` needs nothing of it. */
const aboutServer = () => import('./server-commands.ts');

export function addServerCommands(program: Command, runner: Runner): void {
  const { world, run } = runner;
  const isTTY = world.stdout.isTTY === true;
  const serve = addSettings(
    program.command('serve', { isDefault: true }).description('run the server and print a login link'),
  )
    .option('--no-open', 'do not open a browser')
    // `serve` is the default command, so a mistyped command arrives here as its argument.
    .allowExcessArguments()
    .action((options: ServeOptions, command: Command) => {
      refuseUnknownCommand(program, command);
      return run(command, async (out) => {
        // Loaded only here: every other command starts without the server's weight.
        const { serve } = await import('./serve.ts');
        return serve(out, { flags: flagsOf(options, command), env: world.env, version: readVersion(), isTTY });
      });
    });
  withExamples(
    serve,
    ['signalbox serve', 'run the server here and open the page'],
    ['signalbox serve --demo --no-open --json', 'try it without an account; the first line says where it is'],
    ['signalbox serve --port 0 -c server.open=false', 'any free port; a setting of config.toml changed'],
  );
  const doctor = addSettings(program.command('doctor').description('check everything the server needs')).action(
    (options: ServeOptions, command: Command) =>
      run(command, async (out) => {
        const { doctor } = await import('./doctor.ts');
        return doctor(out, { flags: flagsOf(options, command), env: world.env });
      }),
  );
  withExamples(
    doctor,
    ['signalbox doctor', 'say what is missing and what to do about it'],
    ['signalbox doctor --json', 'the same for a script: one document with a stable code for each check'],
  );
  const open = program
    .command('open')
    .description('make a fresh login link')
    .option('--no-open', 'print it, open no browser')
    .action((options: { open: boolean }, command: Command) =>
      run(command, async (out, home) =>
        (await aboutServer()).openLink(out, { home, isWanted: options.open, isTTY, env: world.env }),
      ),
    );
  withExamples(open, ['signalbox open --no-open', 'print a link that works once, for a browser elsewhere']);
  const status = program
    .command('status')
    .description('show what runs')
    .action((_options: unknown, command: Command) =>
      run(command, async (out, home) => (await aboutServer()).showStatus(out, home)),
    );
  withExamples(status, ['signalbox status --json', 'address, process, Codex and what waits for you']);
  const stop = program
    .command('stop')
    .description('stop the server')
    .action((_options: unknown, command: Command) =>
      run(command, async (out, home) => (await aboutServer()).stopServer(out, home)),
    );
  withExamples(stop, ['signalbox stop', 'returns when the process is gone']);
}

function refuseUnknownCommand(program: Command, serve: Command): void {
  const [typed] = serve.args;
  if (typed === undefined) return;
  const word = printableLine(typed, 60);
  if (program.args[0] === serve.name()) serve.error(`error: serve takes no argument, and got ${word}`);
  const meant = closestWord(
    word,
    program.commands.map((command) => command.name()),
  );
  const hint = meant === null ? '' : `; did you mean ${meant}?`;
  program.error(`error: unknown command ${word}${hint}`);
}

/** What both `serve` and `doctor` take. */
function addSettings(command: Command): Command {
  return command
    .option('--port <port>', 'port to listen on, 0 for any (default: 12359)')
    .option('--host <host>', 'address to listen on (default: 127.0.0.1)')
    .option('--codex-bin <path>', 'another Codex than the bundled one')
    .option('--codex-home <dir>', 'where Codex keeps its files (CODEX_HOME)')
    .addOption(new Option('--transport <kind>', 'how to talk to Codex').choices(['unix', 'stdio']))
    .option('--demo', 'let the built-in demo model answer, which is not an AI')
    .option('--debug', 'log more, and to stderr')
    .option('-c, --config <key=value>', 'change any setting of config.toml', collect, []);
}

function flagsOf({ config, ...options }: ServeOptions, command: Command): SettingsFlags {
  const { home } = command.optsWithGlobals<Globals>();
  return { ...options, overrides: config, ...(home !== undefined && { home }) };
}

const collect = (value: string, before: readonly string[]): string[] => [...before, value];
