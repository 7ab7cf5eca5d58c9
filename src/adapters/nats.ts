/** NATS JetStream as a queue: a durable pull consumer, each message acknowledged for itself. */
import type { Consumer, JetStreamManager, JsMsg } from '@nats-io/jetstream';
import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node';
import type { EntryOf } from '../contract/adapter.ts';
import { adapterName } from '../contract/adapter.ts';
import { type BrokerAddress, CONNECT_MS, MAX_UNANSWERED, type Queue, type Taken } from './queue.ts';

/** Asked for at once; the rest waits at the broker. */
const PREFETCH = 64;
/**
 * A message that is not answered by then is given again: longer than a sync takes on a busy disk, and what an adapter that was killed had asked
 * for comes no later. A server that takes longer gets a message twice, and stores it once.
 */
const ACK_WAIT_NS = 10_000_000_000;
/** Longer than a broker that is alive takes to confirm. */
const CONFIRM_MS = 5_000;
const PING_MS = 20_000;

export async function openNats(entry: EntryOf<'nats'>, address: BrokerAddress): Promise<Queue> {
  const { connect, nkeyAuthenticator } = await import('@nats-io/transport-node');
  const { jetstream, jetstreamManager, AckPolicy, DeliverPolicy } = await import('@nats-io/jetstream');
  const seed = address.nkey === null ? null : new TextEncoder().encode(address.nkey);
  const connection = await connect({
    ...optionsOf(address),
    name: `signalbox ${adapterName(entry)}`,
    ...(seed !== null && { authenticator: nkeyAuthenticator(seed) }),
  });
  try {
    const manager = await jetstreamManager(connection, { timeout: CONNECT_MS });
    const durable = entry.durable ?? `signalbox_${adapterName(entry)}`;
    await ensureConsumer(manager, entry, {
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: ACK_WAIT_NS,
      max_ack_pending: MAX_UNANSWERED,
      max_deliver: -1,
      ...(entry.subject !== undefined && { filter_subject: entry.subject }),
    });
    const consumer = await jetstream(connection, { timeout: CONNECT_MS }).consumers.get(entry.stream, durable);
    return queueOf(connection, consumer, address);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function optionsOf({ url, user, password, tls }: BrokerAddress): ConnectionOptions {
  return {
    servers: url.host,
    // Our own loop reconnects, so that every broker is treated alike.
    reconnect: false,
    timeout: CONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
    // `nats://TOKEN@host` is a token, as in the tools of NATS.
    ...(user !== null && (password === null ? { token: user } : { user, pass: password })),
    ...(tls !== null && {
      tls: {
        ...(tls.ca !== null && { ca: tls.ca }),
        ...(tls.cert !== null && { cert: tls.cert }),
        ...(tls.key !== null && { key: tls.key }),
      },
    }),
  };
}

type ConsumerSettings = Parameters<JetStreamManager['consumers']['add']>[1] & { readonly durable_name: string };

/** A consumer that somebody else made is used as it is, but for the subjects, which the entry says. */
async function ensureConsumer(
  { consumers }: JetStreamManager,
  { stream, subject }: EntryOf<'nats'>,
  wanted: ConsumerSettings,
): Promise<void> {
  const known = await consumers.info(stream, wanted.durable_name).catch((error: unknown) => {
    if (error instanceof Error && /consumer not found/i.test(error.message)) return null;
    throw error;
  });
  if (known === null) await consumers.add(stream, wanted);
  else if (subject !== undefined && known.config.filter_subject !== subject)
    await consumers.update(stream, wanted.durable_name, { filter_subject: subject });
}

function queueOf(connection: NatsConnection, consumer: Consumer, address: BrokerAddress): Queue {
  const { info } = connection;
  const provenance = () => {
    if (info?.tls_verify === true && address.tls?.cert != null) return 'mtls';
    if (info?.auth_required !== true) return 'none';
    if (address.nkey !== null) return 'nkey';
    return address.user === null ? 'none' : 'user';
  };
  return {
    broker: info === undefined ? null : `nats-server ${info.version}`,
    provenance: provenance(),
    delivery: 'at least once',
    async *take() {
      const messages = await consumer.consume({ max_messages: PREFETCH, abort_on_missing_resource: true });
      const closed = connection.closed().then((error) => {
        messages.stop(error ?? undefined);
        return error;
      });
      const lost = closed.then((): false => false);
      for await (const message of messages) yield takenOf(connection, message, lost);
      const why = connection.isClosed() ? await closed : undefined;
      throw new Error(`the connection to the broker was closed${why instanceof Error ? `: ${why.message}` : ''}`);
    },
    async waits() {
      const { num_pending, num_ack_pending } = await consumer.info();
      return num_pending + num_ack_pending;
    },
    close: () => connection.close(),
  };
}

function takenOf(connection: NatsConnection, message: JsMsg, lost: Promise<false>): Taken {
  const { stream, streamSequence, deliveryCount } = message.info;
  return {
    body: message.data,
    subject: message.subject,
    // A stream that was made anew counts from one again: the time tells its messages from the old ones.
    id: message.headers?.get('Nats-Msg-Id') || `${stream}-${streamSequence}-${message.timestampNanos}`,
    redelivered: Math.max(0, deliveryCount - 1),
    async done() {
      // The library waits out its limit also where the connection is gone.
      const confirmed = message.ackAck({ timeout: CONFIRM_MS });
      if (!(await Promise.race([confirmed, lost])))
        throw new Error('the broker did not confirm that a message is done');
    },
    async again(afterMs) {
      message.nak(afterMs);
      await connection.flush();
    },
    async refuse() {
      // Without the reason: servers before 2.10 take the plain word only. Our own file of refused messages has it.
      message.term();
      await connection.flush();
    },
  };
}
