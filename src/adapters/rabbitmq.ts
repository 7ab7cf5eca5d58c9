/** RabbitMQ as a queue: a durable queue, each message acknowledged for itself, refused ones to its dead-letter exchange. */
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import type { EntryOf } from '../contract/adapter.ts';
import { adapterName } from '../contract/adapter.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { type BrokerAddress, CONNECT_MS, type Queue, type Taken } from './queue.ts';

/** What the broker may send unacknowledged; the rest waits there. */
const PREFETCH = 64;
const HEARTBEAT_S = 20;

export async function openRabbitmq(entry: EntryOf<'rabbitmq'>, address: BrokerAddress): Promise<Queue> {
  const { connect } = await import('amqplib');
  const { url, user, password, tls } = address;
  const connection = await connect(
    {
      protocol: tls === null ? 'amqp' : 'amqps',
      hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(url.port || (tls === null ? '5672' : '5671')),
      // The account that RabbitMQ takes from this machine only.
      username: user ?? 'guest',
      password: password ?? 'guest',
      vhost: url.pathname.length > 1 ? decodeURIComponent(url.pathname.slice(1)) : '/',
      heartbeat: HEARTBEAT_S,
    },
    {
      timeout: CONNECT_MS,
      clientProperties: { connection_name: `signalbox ${adapterName(entry)}` },
      ...(tls?.ca != null && { ca: [tls.ca] }),
      ...(tls?.cert != null && { cert: tls.cert }),
      ...(tls?.key != null && { key: tls.key }),
    },
  );
  const inbox = createInbox<Received>();
  const failed = (error?: Error): void => inbox.fail(error ?? new Error('the connection to the broker was closed'));
  connection.on('error', failed);
  connection.on('close', failed);
  try {
    await ensureQueue(connection, entry);
    const channel = await connection.createChannel();
    channel.on('error', failed);
    channel.on('close', () => failed());
    await channel.prefetch(PREFETCH);
    return queueOf({ connection, channel, inbox, queue: entry.queue, provenance: user === null ? 'none' : 'user' });
  } catch (error) {
    await connection.close().catch(() => undefined);
    throw error;
  }
}

/** A queue that is there is used as it is, whatever its arguments; a failed look closes the channel that looked. */
async function ensureQueue(connection: ChannelModel, entry: EntryOf<'rabbitmq'>): Promise<void> {
  const inOwnChannel = async (perform: (channel: Channel) => Promise<unknown>): Promise<void> => {
    const channel = await connection.createChannel();
    channel.on('error', () => undefined);
    await perform(channel);
    await channel.close();
  };
  await inOwnChannel((channel) => channel.checkQueue(entry.queue)).catch((error: unknown) => {
    if (!(error instanceof Error && error.message.includes('NOT_FOUND'))) throw error;
    return inOwnChannel((channel) => channel.assertQueue(entry.queue, { durable: true }));
  });
  const { exchange, routing_key } = entry;
  if (exchange !== undefined && routing_key !== undefined)
    await inOwnChannel((channel) => channel.bindQueue(entry.queue, exchange, routing_key));
}

interface Received {
  readonly message: ConsumeMessage;
  readonly redelivered: number;
}

interface Parts {
  readonly connection: ChannelModel;
  readonly channel: Channel;
  readonly inbox: Inbox<Received>;
  readonly queue: string;
  readonly provenance: Queue['provenance'];
}

function queueOf({ connection, channel, inbox, queue, provenance }: Parts): Queue {
  const takenOf = (one: Received): Taken => {
    const { content, fields, properties } = one.message;
    return {
      body: content,
      subject: fields.routingKey,
      id: typeof properties.messageId === 'string' && properties.messageId !== '' ? properties.messageId : null,
      redelivered: one.redelivered,
      done: async () => channel.ack(one.message),
      // It stays unacknowledged, so a crash before then gives it back to the queue.
      again: async (afterMs) => inbox.pushLater({ ...one, redelivered: one.redelivered + 1 }, afterMs),
      refuse: async () => channel.nack(one.message, false, false),
    };
  };
  const { product, version } = { product: 'rabbitmq', version: versionOf(connection) };
  return {
    broker: version === null ? null : `${product} ${version}`,
    provenance,
    delivery: 'at least once',
    async *take() {
      await channel.consume(queue, (message) => {
        // The queue was deleted.
        if (message === null) inbox.fail(new Error(`the queue ${queue} was deleted`));
        else inbox.push({ message, redelivered: message.fields.redelivered ? 1 : 0 });
      });
      for await (const one of inbox.items()) yield takenOf(one);
    },
    waits: async () => (await channel.checkQueue(queue)).messageCount,
    async close() {
      inbox.fail(new Error('closed'));
      await connection.close().catch(() => undefined);
    },
  };
}

function versionOf({ connection }: ChannelModel): string | null {
  const { version } = connection.serverProperties;
  return typeof version === 'string' ? version : null;
}
