/** `adapter …`: what each takes. */
import type { Command } from 'commander';
import { ADAPTER_TYPES, type AdapterType } from '../contract/adapter.ts';
import { withExamples } from './examples.ts';
import type { Runner } from './runner.ts';

/** Loaded when one of them runs: the tree is built for every command line, also for `serve`. */
const adapters = () => import('./adapters.ts');

const BROKERS: Readonly<Record<AdapterType, string>> = {
  nats: 'NATS JetStream',
  redis: 'a Redis stream or channel',
  rabbitmq: 'a RabbitMQ queue',
  mqtt: 'an MQTT 5 topic',
};

export function addAdapters(program: Command, runner: Runner): void {
  const group = program.command('adapter').description('take messages off a queue and tell conversations of them');
  withExamples(group, ['signalbox adapter list', 'those of [[external_events.adapters]], and how they are doing']);
  addLooking(group, runner);
  for (const type of ADAPTER_TYPES) addRunning(group, type, runner);
}

function addLooking(group: Command, { run }: Runner): void {
  const list = group
    .command('list')
    .description('the adapters the server was started with, one a line')
    .action((_options: unknown, command: Command) =>
      run(command, async (out, home) => (await adapters()).listAdapters(out, home)),
    );
  withExamples(list, ['signalbox adapter list --json', 'state, counts and last error of each, for a script']);
  const status = group
    .command('status')
    .description('what one has taken and refused, what waits, and what went wrong last')
    .argument('<adapter>', 'its name')
    .action((name: string, _options: unknown, command: Command) =>
      run(command, async (out, home) => (await adapters()).showAdapter(out, home, name)),
    );
  withExamples(status, ['signalbox adapter status buildfarm', 'all there is to know of one']);
}

function addRunning(group: Command, type: AdapterType, { run, world }: Runner): void {
  const command = group
    .command(type)
    .description(`run the adapter for ${BROKERS[type]}, which the server starts by itself`)
    .requiredOption('--name <adapter>', 'its name in config.toml')
    .action((given: { name: string }, self: Command) =>
      run(self, async (out, home) => (await adapters()).runAdapterCommand(out, home, world.env, { ...given, type })),
    );
  withExamples(command, [`signalbox adapter ${type} --name ${type}`, 'until Ctrl-C, with a line for each change']);
}
