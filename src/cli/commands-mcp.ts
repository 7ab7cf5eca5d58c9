/** `mcp`: what it takes. */
import { type Command, Option } from 'commander';
import { withExamples } from './examples.ts';
import type { Runner } from './runner.ts';

export function addMcp(program: Command, { run, world }: Runner): void {
  const mcp = program
    .command('mcp')
    .description('the MCP tools over stdio, for clients that cannot do HTTP')
    .addOption(
      new Option('--conversation <conversation>', 'the tools of this one: its terminal and the board').conflicts('as'),
    )
    .option('--as <name>', 'an agent of this name, which has the board only')
    .action((options: { conversation?: string; as?: string }, command: Command) =>
      run(command, async (out, home) => {
        const { serveMcp } = await import('./mcp-proxy.ts');
        return serveMcp(out, home, world.stdin, options);
      }),
    );
  withExamples(
    mcp,
    ['signalbox mcp --conversation "Fix the parser"', 'as the command of an MCP client'],
    ['signalbox mcp --as reviewer', 'another agent, which reads and writes on the board'],
  );
}
