/** Which commands there are. `main.ts` runs it; what a command takes is in its `commands-….ts`, what it does in its own file. */
import { Command, CommanderError } from 'commander';
import { exitCodeOf } from '../contract/result.ts';
import { printableJson } from '../core/text/printable.ts';
import { addAccess } from './commands-access.ts';
import { addAdapters } from './commands-adapters.ts';
import { addBoard } from './commands-board.ts';
import { addChanges } from './commands-changes.ts';
import { addConversations } from './commands-conversations.ts';
import { addEvents } from './commands-events.ts';
import { addMcp } from './commands-mcp.ts';
import { addRunning } from './commands-running.ts';
import { addSchedules } from './commands-schedules.ts';
import { addServerCommands } from './commands-server.ts';
import { addSetup } from './commands-setup.ts';
import { addShells } from './commands-shells.ts';
import { addShip } from './commands-ship.ts';
import { addTrust } from './commands-trust.ts';
import { addWorktrees } from './commands-worktrees.ts';
import { withExamples } from './examples.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { createRunner, type Runner, type World } from './runner.ts';
import { readVersion } from './version.ts';

/** Runs one command line and answers its exit code. */
export async function runProgram(args: readonly string[], world: World): Promise<number> {
  const runner = createRunner(world);
  const program = buildProgram(runner);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return runner.exitCode();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    // What is wrong with the command line was said on stderr; a script looks for it where it looks for the answer.
    if (args.includes('--json')) {
      const message = error.message.replace(/^error: /, '');
      world.stdout.write(`${printableJson({ ok: false, code: 'invalid_request', message })}\n`);
    }
    return exitCodeOf('invalid_request');
  }
}

/** The whole tree of commands, also for those who only read it: completions and the man page. */
export function buildProgram(runner: Runner): Command {
  const { stdout, stderr } = runner.world;
  const program = new Command('signalbox')
    .description('The Codex agent server. Without a command: serve.')
    .version(readVersion())
    .option('--json', 'print JSON')
    .option('--no-color', 'print no colors')
    .option('--home <dir>', 'where the server keeps its files (SIGNALBOX_HOME)')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
    })
    .exitOverride();
  const exitCodes = EXIT_CODES.map(([code, meaning]) => `  ${String(code).padEnd(4)} ${meaning}`);
  withExamples(
    program,
    ['signalbox', 'run the server and open the page'],
    ['signalbox conversations send "Fix the parser" "Run the tests"', 'talk to Codex from a shell'],
  ).addHelpText('after', `\nExit codes:\n${exitCodes.join('\n')}`);

  addServerCommands(program, runner);
  addConversations(program, runner);
  addRunning(program, runner);
  addChanges(program, runner);
  addShip(program, runner);
  addWorktrees(program, runner);
  addSchedules(program, runner);
  addShells(program, runner);
  addAccess(program, runner);
  addSetup(program, runner);
  addBoard(program, runner);
  addMcp(program, runner);
  addEvents(program, runner);
  addAdapters(program, runner);
  addTrust(program, runner);
  pointToHelp(program, 'signalbox');
  return program;
}

/** Whoever used a command wrongly is sent to the help of that command. */
function pointToHelp(command: Command, name: string): void {
  command.showHelpAfterError(`(see \`${name} --help\`)`);
  for (const child of command.commands) pointToHelp(child, `${name} ${child.name()}`);
}
