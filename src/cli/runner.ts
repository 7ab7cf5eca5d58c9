/** How a command is run: what it is given of the world, where it says things, and the exit code it leaves. */
import type { Command } from 'commander';
import { nonEmpty, signalboxHome } from '../node/places.ts';
import type { Client } from './client.ts';
import { createOutput, type Output, type Sink } from './output.ts';

/** Where the program runs; a test gives its own. */
export interface World {
  /** The file that was started, as a service would start it again. */
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: Sink & NodeJS.EventEmitter;
  readonly stderr: Sink;
}

/** What every command takes. */
export interface Globals {
  readonly json?: boolean;
  readonly color: boolean;
  readonly home?: string;
}

export interface Runner {
  readonly world: World;
  run(command: Command, perform: (out: Output, home: string) => Promise<number>): Promise<void>;
  /** The same for a command that talks to a running server; without one it ends with 3. */
  runWithClient(
    command: Command,
    perform: (out: Output, client: Client, home: string) => Promise<number>,
  ): Promise<void>;
  exitCode(): number;
}

export function createRunner(world: World): Runner {
  let exitCode = 0;
  const run: Runner['run'] = async (command, perform) => {
    const globals = command.optsWithGlobals<Globals>();
    const { env, stdout, stderr } = world;
    const out = createOutput({ isJson: globals.json === true, color: globals.color, env, stdout, stderr });
    exitCode = await perform(out, signalboxHome(nonEmpty(globals.home), env));
  };
  return {
    world,
    run,
    runWithClient: (command, perform) =>
      run(command, async (out, home) => {
        const { connect } = await import('./client.ts');
        const client = connect(home);
        return client.ok ? perform(out, client.value, home) : out.fail(client.error);
      }),
    exitCode: () => exitCode,
  };
}
