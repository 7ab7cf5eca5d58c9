/** Producers for each broker, with the client libraries that people use. */
import type { Broker } from './brokers.ts';
import { PASSWORD, USER } from './brokers.ts';

export interface Producer {
  /** Resolves when the broker has confirmed each. */
  publish(bodies: readonly (string | Uint8Array)[]): Promise<void>;
  /** Messages that wait at the broker; null where it does not say. */
  waiting(): Promise<number | null>;
  close(): Promise<void>;
}

const bytesOf = (body: string | Uint8Array): Buffer =>
  typeof body === 'string' ? Buffer.from(body) : Buffer.from(body);
/** Sent at once, so that a producer does not outrun its broker. */
const WINDOW = 200;

async function inWindows<T>(items: readonly T[], send: (item: T) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < items.length; from += WINDOW)
    await Promise.all(items.slice(from, from + WINDOW).map((item) => send(item)));
}

export async function openProducer(broker: Broker): Promise<Producer> {
  switch (broker.type) {
    case 'nats':
      return natsProducer(broker);
    case 'redis':
      return redisProducer(broker);
    case 'mqtt':
      return mqttProducer(broker);
    case 'rabbitmq':
      return rabbitmqProducer(broker);
    default:
      return broker.type satisfies never;
  }
}

async function natsProducer({ host, queue }: Broker): Promise<Producer> {
  const { connect } = await import('@nats-io/transport-node');
  const { jetstream, jetstreamManager } = await import('@nats-io/jetstream');
  const connection = await connect({
    servers: host,
    user: USER,
    pass: PASSWORD,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 50,
  });
  const manager = await jetstreamManager(connection);
  const stream = queue.stream ?? '';
  const known = await manager.streams.info(stream).catch(() => null);
  if (known === null) await manager.streams.add({ name: stream, subjects: [queue.subject ?? ''] });
  const producer = jetstream(connection);
  return {
    publish: (bodies) => inWindows(bodies, (body) => producer.publish('ci.linux', bytesOf(body), { retries: 10 })),
    async waiting() {
      let sum = 0;
      for await (const { num_pending } of manager.consumers.list(stream)) sum += num_pending;
      return sum;
    },
    close: () => connection.close(),
  };
}

async function redisProducer({ url, queue }: Broker): Promise<Producer> {
  const { createClient } = await import('@redis/client');
  const client = createClient({ url, socket: { reconnectStrategy: 50 } });
  client.on('error', () => undefined);
  await client.connect();
  const stream = queue.stream ?? '';
  return {
    async publish(bodies) {
      // A broker that was just started again: what is sent before the client is back is refused.
      while (!client.isReady) await new Promise((done) => client.once('ready', done));
      await inWindows(bodies, (body) => client.xAdd(stream, '*', { event: bytesOf(body) }));
    },
    async waiting() {
      const groups = await client.xInfoGroups(stream);
      return Number(groups[0]?.lag ?? 0);
    },
    async close() {
      client.destroy();
    },
  };
}

/** Its client does not reconnect; a channel is opened anew where the last one has ended. */
async function rabbitmqProducer({ url, queue }: Broker): Promise<Producer> {
  const { connect } = await import('amqplib');
  const open = async () => {
    const connection = await connect(url);
    connection.on('error', () => undefined);
    const channel = await connection.createConfirmChannel();
    let isOpen = true;
    channel.on('error', () => undefined);
    channel.on('close', () => {
      isOpen = false;
    });
    return { connection, channel, isOpen: () => isOpen };
  };
  let current = await open();
  const send = (body: string | Uint8Array) =>
    new Promise<void>((done, fail) => {
      current.channel.publish(queue.exchange ?? '', 'ci.linux', bytesOf(body), { persistent: true }, (error) =>
        error == null ? done() : fail(error),
      );
    });
  return {
    async publish(bodies) {
      if (!current.isOpen()) current = await open();
      await inWindows(bodies, send);
    },
    waiting: async () => (await current.channel.checkQueue(queue.queue ?? '')).messageCount,
    close: () => current.connection.close().catch(() => undefined),
  };
}

async function mqttProducer({ host }: Broker): Promise<Producer> {
  const { connectAsync } = await import('mqtt');
  const client = await connectAsync(`mqtt://${host}`, {
    username: USER,
    password: PASSWORD,
    protocolVersion: 5,
    reconnectPeriod: 50,
  });
  client.on('error', () => undefined);
  return {
    publish: (bodies) => inWindows(bodies, (body) => client.publishAsync('ci/linux', bytesOf(body), { qos: 1 })),
    waiting: async () => null,
    close: () => client.endAsync(true),
  };
}
