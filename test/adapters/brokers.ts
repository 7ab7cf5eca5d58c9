/** The real brokers of the contract suite: started on loopback in folders of their own, without rights, and ended by the tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect as connectTcp, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { AdapterType } from '../../src/contract/adapter.ts';

export const USER = 'adapter';
export const PASSWORD = 'pass-word-7';
/** Of `nobody`, where the tests run as root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const START_MS = 60_000;

export interface Broker {
  readonly type: AdapterType;
  /** With user and password. */
  readonly url: string;
  readonly host: string;
  /** What it was started with is in here. */
  readonly dir: string;
  /** Where the queue is, as an entry says it. */
  readonly queue: Readonly<Record<string, string>>;
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  close(): Promise<void>;
}

interface Recipe {
  readonly type: AdapterType;
  readonly scheme: string;
  readonly queue: Readonly<Record<string, string>>;
  /** Writes what it needs into the folder; answers how it is started. */
  prepare(dir: string, port: number): Promise<Start>;
}

interface Start {
  readonly command: readonly [command: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** A process that has to be there before it, and ends after it. */
  readonly companion?: readonly [command: string, ...args: string[]];
}

/** Null: it is there. */
export function reasonMissing(type: AdapterType): string | null {
  const command = { nats: 'nats-server', redis: 'redis-server', rabbitmq: 'rabbitmq-server', mqtt: 'mosquitto' }[type];
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.some((folder) => isExecutable(join(folder, command)))
    ? null
    : `${command} is not installed: apt-get install ${type === 'mqtt' ? 'mosquitto' : command}`;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function write(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
  if (isRoot) await chown(path, NOBODY, NOBODY);
}

const nats: Recipe = {
  type: 'nats',
  scheme: 'nats',
  queue: { stream: 'CI', subject: 'ci.>' },
  async prepare(dir, port) {
    const { nkeys } = await import('@nats-io/transport-node');
    const pair = nkeys.createUser();
    await write(join(dir, 'nkey.seed'), new TextDecoder().decode(pair.getSeed()));
    const config = join(dir, 'nats.conf');
    await write(
      config,
      `listen: "127.0.0.1:${port}"
jetstream { store_dir: "${dir}/store" }
authorization { users: [ { user: "${USER}", password: "${PASSWORD}" }, { nkey: "${pair.getPublicKey()}" } ] }
`,
    );
    return { command: ['nats-server', '-c', config] };
  },
};

const redis: Recipe = {
  type: 'redis',
  scheme: 'redis',
  queue: { stream: 'ci' },
  async prepare(dir, port) {
    const config = join(dir, 'redis.conf');
    await write(
      config,
      `bind 127.0.0.1
port ${port}
dir ${dir}
appendonly yes
appendfsync always
save ""
user default off
user ${USER} on >${PASSWORD} ~* &* +@all
`,
    );
    return { command: ['redis-server', config] };
  },
};

const mqtt: Recipe = {
  type: 'mqtt',
  scheme: 'mqtt',
  queue: { topic: 'ci/#' },
  async prepare(dir, port) {
    const config = join(dir, 'mosquitto.conf');
    const passwords = join(dir, 'passwords');
    await write(passwords, `${USER}:${PASSWORD}\n`);
    await runToEnd('mosquitto_passwd', ['-U', passwords]);
    await write(passwords, await readFile(passwords, 'utf8'));
    await write(
      config,
      `listener ${port} 127.0.0.1
allow_anonymous false
password_file ${passwords}
persistence true
persistence_location ${dir}/
max_queued_messages 0
max_packet_size 1000000
`,
    );
    return { command: ['mosquitto', '-c', config] };
  },
};

const rabbitmq: Recipe = {
  type: 'rabbitmq',
  scheme: 'amqp',
  queue: { queue: 'ci', exchange: 'amq.topic', routing_key: 'ci.#' },
  async prepare(dir, port) {
    await write(
      join(dir, 'rabbitmq.conf'),
      `listeners.tcp.1 = 127.0.0.1:${port}
default_user = ${USER}
default_pass = ${PASSWORD}
log.console = true
log.file = false
`,
    );
    await write(join(dir, 'plugins'), '[].\n');
    const env = {
      RABBITMQ_NODENAME: `signalbox-${port}@localhost`,
      RABBITMQ_CONFIG_FILE: join(dir, 'rabbitmq'),
      RABBITMQ_CONF_ENV_FILE: '/dev/null',
      RABBITMQ_MNESIA_BASE: join(dir, 'mnesia'),
      RABBITMQ_LOG_BASE: join(dir, 'log'),
      RABBITMQ_LOGS: '-',
      RABBITMQ_ENABLED_PLUGINS_FILE: join(dir, 'plugins'),
      RABBITMQ_GENERATED_CONFIG_DIR: join(dir, 'generated'),
      RABBITMQ_PID_FILE: join(dir, 'pid'),
      RABBITMQ_DIST_PORT: String(await freePort()),
      ERL_EPMD_PORT: String(await freePort()),
      ERL_EPMD_ADDRESS: '127.0.0.1',
    };
    // Erlang would start a daemon of its own, which outlives the tests.
    return { command: ['/usr/lib/rabbitmq/bin/rabbitmq-server'], env, companion: ['epmd'] };
  },
};

const RECIPES: Readonly<Partial<Record<AdapterType, Recipe>>> = { nats, redis, rabbitmq, mqtt };
export const BROKERS = Object.keys(RECIPES).filter((type): type is AdapterType => type in RECIPES);

export async function startBroker(type: AdapterType): Promise<Broker> {
  const recipe = RECIPES[type];
  if (recipe === undefined) throw new Error(`there is no recipe for ${type}`);
  const dir = await mkdtemp(join(tmpdir(), `signalbox-${type}-`));
  await chmod(dir, 0o700);
  if (isRoot) await chown(dir, NOBODY, NOBODY);
  const port = await freePort();
  const plan = await recipe.prepare(dir, port);
  let child: ChildProcess | null = null;
  const output: string[] = [];
  const run = ([command, ...args]: Start['command']) =>
    spawn(command, args, {
      cwd: dir,
      env: { PATH: `${process.env.PATH ?? ''}${delimiter}/usr/sbin`, HOME: dir, LANG: 'C.UTF-8', ...plan.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    });
  const companion = plan.companion === undefined ? null : run(plan.companion);
  companion?.on('error', (error) => output.push(error.message));
  const start = async (): Promise<void> => {
    const started = run(plan.command);
    child = started;
    for (const stream of [started.stdout, started.stderr]) stream.on('data', (chunk) => output.push(String(chunk)));
    started.on('error', (error) => output.push(error.message));
    await untilListening(port, started, () => output.join('').slice(-2_000));
  };
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((done) => running.once('exit', done));
    running.kill(signal);
    await ended;
  };
  await start();
  return {
    type,
    dir,
    url: `${recipe.scheme}://${USER}:${PASSWORD}@127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    queue: recipe.queue,
    start,
    stop,
    async close() {
      // In good order: RabbitMQ has helpers of its own, which it ends.
      await stop('SIGTERM');
      companion?.kill('SIGKILL');
      await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function runToEnd(command: string, args: readonly string[]): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: 'ignore' });
    child.once('error', fail);
    child.once('exit', (code) => (code === 0 ? done() : fail(new Error(`${command} ended with ${code}`))));
  });
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null ? done(address.port) : fail(new Error('no port')),
      );
    });
  });
}

async function untilListening(port: number, child: ChildProcess, said: () => string): Promise<void> {
  for (const until = Date.now() + START_MS; Date.now() < until; ) {
    if (await isListening(port)) return;
    if (child.exitCode !== null) break;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error(`the broker does not listen on ${port}:\n${said()}`);
}

function isListening(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connectTcp({ port, host: '127.0.0.1' });
    const end = (is: boolean) => {
      socket.destroy();
      done(is);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
