/** Which commands there are and what each takes. `main.ts` runs it; what a command does is in its own file. */
import { readFileSync } from 'node:fs';
import { text as readText } from 'node:stream/consumers';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { APPROVAL_MODES, SANDBOXES } from '../contract/conversation.ts';
import { nonEmpty, signalboxHome } from '../node/places.ts';
import { type Client, connect } from './client.ts';
import * as conversations from './conversations.ts';
import { exportConversation } from './export.ts';
import { createOutput, type Output, type Sink } from './output.ts';
import { pickConversation } from './pick-conversation.ts';
import { FORMATS, type Format } from './render-transcript.ts';
import { type SendRequest, send } from './send.ts';
import type { SettingsFlags } from './serve.ts';
import { openLink, showStatus, stopServer } from './server-commands.ts';

/** Where the program runs; a test gives its own. */
export interface World {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: Sink & NodeJS.EventEmitter;
  readonly stderr: Sink;
}

interface Globals {
  readonly json?: boolean;
  readonly color: boolean;
  readonly home?: string;
}

type ServeOptions = Omit<SettingsFlags, 'home' | 'overrides'> & { readonly config: readonly string[] };

const EXIT_USAGE = 2;

/** Runs one command line and answers its exit code. */
export async function runProgram(args: readonly string[], world: World): Promise<number> {
  let exitCode = 0;

  const finish = async (command: Command, perform: (out: Output, home: string) => Promise<number>): Promise<void> => {
    const globals = command.optsWithGlobals<Globals>();
    const { env, stdout, stderr } = world;
    const out = createOutput({ isJson: globals.json === true, color: globals.color, env, stdout, stderr });
    exitCode = await perform(out, signalboxHome(nonEmpty(globals.home), env));
  };
  const withClient = (command: Command, perform: (out: Output, client: Client, home: string) => Promise<number>) =>
    finish(command, async (out, home) => {
      const client = connect(home);
      return client.ok ? perform(out, client.value, home) : out.fail(client.error);
    });

  const program = new Command('signalbox')
    .description('The Codex agent server. Without a command: serve.')
    .version(readVersion())
    .option('--json', 'print JSON')
    .option('--no-color', 'print no colors')
    .option('--home <dir>', 'where the server keeps its files (SIGNALBOX_HOME)')
    .configureOutput({
      writeOut: (text) => void world.stdout.write(text),
      writeErr: (text) => void world.stderr.write(text),
    })
    .showHelpAfterError('(`signalbox --help` lists the commands)')
    .addHelpText('after', EXIT_CODES)
    .exitOverride();

  addSettings(program.command('serve', { isDefault: true }).description('run the server and print a login link'))
    .option('--no-open', 'do not open a browser')
    .action((options: ServeOptions, command: Command) =>
      finish(command, async (out) => {
        // Loaded only here: every other command starts without the server's weight.
        const { serve } = await import('./serve.ts');
        const flags = flagsOf(options, command);
        return serve(out, { flags, env: world.env, version: readVersion(), isTTY: world.stdout.isTTY === true });
      }),
    );
  addSettings(program.command('doctor').description('check everything the server needs')).action(
    (options: ServeOptions, command: Command) =>
      finish(command, async (out) => {
        const { doctor } = await import('./doctor.ts');
        return doctor(out, { flags: flagsOf(options, command), env: world.env });
      }),
  );
  program
    .command('open')
    .description('make a fresh login link')
    .option('--no-open', 'print it, open no browser')
    .action((options: { open: boolean }, command: Command) =>
      finish(command, (out, home) =>
        openLink(out, { home, isWanted: options.open, isTTY: world.stdout.isTTY === true, env: world.env }),
      ),
    );
  program
    .command('status')
    .description('show what runs')
    .action((_options: unknown, command: Command) => finish(command, showStatus));
  program
    .command('stop')
    .description('stop the server')
    .action((_options: unknown, command: Command) => finish(command, stopServer));

  addConversations(program.command('conversations').description('work with conversations'), withClient, world);

  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    throw error;
  }
}

type WithClient = (
  command: Command,
  perform: (out: Output, client: Client, home: string) => Promise<number>,
) => Promise<void>;

function addConversations(group: Command, withClient: WithClient, world: World): void {
  const ID = ['<conversation>', 'an id, the beginning of one, or a label'] as const;
  group
    .command('list')
    .description('newest first')
    .option('--archived', 'those in the archive instead')
    .option('-q, --query <text>', 'those that contain a text')
    .option('-n, --limit <count>', 'at most so many', parseCount, 50)
    .action((options: conversations.ListOptions, command: Command) =>
      withClient(command, (out, client) => conversations.listConversations(out, client, options)),
    );
  group
    .command('new')
    .description('make one, and print its id')
    .option('--cwd <dir>', 'where Codex works (default: here)')
    .option('--label <text>')
    .option('--model <name>')
    .option('--effort <level>')
    .addOption(new Option('--approval <mode>').choices(APPROVAL_MODES))
    .addOption(new Option('--sandbox <mode>').choices(SANDBOXES))
    .action((options: conversations.NewOptions, command: Command) =>
      withClient(command, (out, client) => conversations.newConversation(out, client, options)),
    );
  group
    .command('show')
    .description('print the end of the transcript')
    .argument(...ID)
    .option('-n, --lines <count>', 'so many entries', parseCount, 20)
    .action((words: string, options: { lines: number }, command: Command) =>
      withClient(command, (out, client) => conversations.showConversation(out, client, words, options)),
    );
  group
    .command('send')
    .description('send a message and print the answer as it comes')
    .argument(...ID)
    .argument('<text>', 'the message, or - to read it from stdin')
    .addOption(new Option('--steer', 'into the turn that runs').conflicts('queue'))
    .option('--queue', 'after the turn that runs')
    .action((words: string, text: string, options: { steer?: boolean; queue?: boolean }, command: Command) =>
      withClient(command, async (out, client, home) => {
        const id = await pickConversation(client, words);
        if (!id.ok) return out.fail(id.error);
        const message = text === '-' ? await readText(world.stdin) : text;
        const mode: SendRequest['mode'] = options.steer ? 'steer' : options.queue ? 'queue' : 'send';
        return send(out, client, { home, conversationId: id.value, text: message, mode });
      }),
    );
  group
    .command('export')
    .description('print the whole transcript')
    .argument(...ID)
    .addOption(new Option('--format <format>').choices(FORMATS).default('md'))
    .action((words: string, options: { format: Format }, command: Command) =>
      withClient(command, (out, client) => exportConversation(out, client, words, options.format)),
    );
  group
    .command('archive')
    .description('put one into the archive')
    .argument(...ID)
    .action((words: string, _options: unknown, command: Command) =>
      withClient(command, (out, client) => conversations.archiveConversation(out, client, words)),
    );
  group
    .command('import')
    .description('open a thread that Codex has')
    .argument('<thread>', "the thread's id")
    .action((thread: string, _options: unknown, command: Command) =>
      withClient(command, (out, client) => conversations.importThread(out, client, thread)),
    );
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

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 1000) throw new InvalidArgumentError('Expected 1 to 1000.');
  return count;
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return String(version);
}

const EXIT_CODES = `
Exit codes: 0 ok, 1 failure, 2 usage, 3 not running, 4 unauthorized, 5 unknown conversation or thread,
8 rate limited, 75 another server holds this home, 130 interrupted.`;
