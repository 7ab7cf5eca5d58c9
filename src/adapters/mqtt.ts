/** MQTT 5 as a queue: a session that outlives the connection, QoS 1, and PUBACK only when the server has the event on disk. */
import type { IClientOptions, IPublishPacket, MqttClient } from 'mqtt';
import type { EntryOf } from '../contract/adapter.ts';
import { adapterName } from '../contract/adapter.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { type BrokerAddress, CONNECT_MS, type Queue, type Taken } from './queue.ts';

/** What the broker may send unacknowledged; the rest waits there. */
const RECEIVE_MAXIMUM = 64;
/** The session never ends by itself: an adapter that was off for weeks gets what waited. */
const NEVER = 0xffff_ffff;
const KEEPALIVE_S = 20;
/** From here on a reason in an answer is a refusal. */
const FIRST_FAILURE = 0x80;

interface Received {
  readonly topic: string;
  readonly packet: IPublishPacket;
  readonly redelivered: number;
}

export async function openMqtt(entry: EntryOf<'mqtt'>, address: BrokerAddress, homeId: string): Promise<Queue> {
  const { connect } = await import('mqtt');
  const inbox = createInbox<Received>();
  const client = connect(optionsOf(entry, address, homeId));
  acknowledgeLater(client);
  // Before the connection stands: a broker that kept our session sends at once.
  client.on('message', (topic, _body, packet) => inbox.push({ topic, packet, redelivered: packet.dup ? 1 : 0 }));
  try {
    await connected(client);
    await subscribe(client, entry.topic);
  } catch (error) {
    client.end(true);
    throw error;
  }
  client.on('error', (error) => inbox.fail(error));
  client.on('close', () => inbox.fail(new Error('the connection to the broker was closed')));
  return queueOf(client, inbox, address);
}

function optionsOf(
  entry: EntryOf<'mqtt'>,
  { url, user, password, tls }: BrokerAddress,
  homeId: string,
): IClientOptions {
  return {
    protocol: tls === null ? 'mqtt' : 'mqtts',
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || (tls === null ? '1883' : '8883')),
    protocolVersion: 5,
    // Two with one id throw each other out, so it names the home too.
    clientId: entry.client_id ?? `signalbox-${adapterName(entry)}-${homeId}`,
    clean: false,
    // Our own loop reconnects, so that every broker is treated alike.
    reconnectPeriod: 0,
    connectTimeout: CONNECT_MS,
    keepalive: KEEPALIVE_S,
    properties: { sessionExpiryInterval: NEVER, receiveMaximum: RECEIVE_MAXIMUM },
    ...(user !== null && { username: user }),
    ...(password !== null && { password }),
    ...(tls?.ca != null && { ca: tls.ca }),
    ...(tls?.cert != null && { cert: tls.cert }),
    ...(tls?.key != null && { key: tls.key }),
  };
}

/** The library acknowledges when this callback says so, and leaves a message unacknowledged that it reports an error for. */
function acknowledgeLater(client: MqttClient): void {
  client.handleMessage = (packet, done) => {
    if (packet.qos === 0) done();
    else done(new Error('acknowledged later'));
  };
}

function connected(client: MqttClient): Promise<void> {
  return new Promise((done, fail) => {
    client.once('connect', () => done());
    client.once('error', fail);
    client.once('close', () => fail(new Error('the broker closed the connection')));
  });
}

async function subscribe(client: MqttClient, topic: string): Promise<void> {
  const granted = await client.subscribeAsync(topic, { qos: 1 });
  const refused = granted.find(({ qos }) => Number(qos) >= FIRST_FAILURE);
  if (refused !== undefined) throw new Error(`not authorized to subscribe to ${topic}`);
}

function queueOf(client: MqttClient, inbox: Inbox<Received>, { user, tls }: BrokerAddress): Queue {
  /** PUBACK with success, as it stands on the wire. The library has no call for one that comes later. */
  const acknowledge = ({ qos, messageId }: IPublishPacket): Promise<void> => {
    if (qos === 0 || messageId === undefined) return Promise.resolve();
    if (!client.connected) return Promise.reject(new Error('the connection to the broker was closed'));
    return new Promise((done, fail) => {
      const bytes = Buffer.from([0x40, 2, messageId >> 8, messageId & 0xff]);
      client.stream.write(bytes, (error) => (error == null ? done() : fail(error)));
    });
  };
  const takenOf = (one: Received): Taken => ({
    body: typeof one.packet.payload === 'string' ? Buffer.from(one.packet.payload) : one.packet.payload,
    subject: one.topic,
    id: null,
    redelivered: one.redelivered,
    done: () => acknowledge(one.packet),
    // Without a PUBACK the broker keeps it, and sends it again when the session goes on.
    again: async (afterMs) => inbox.pushLater({ ...one, redelivered: one.redelivered + 1 }, afterMs),
    refuse: () => acknowledge(one.packet),
  });
  return {
    broker: null,
    provenance: user !== null ? 'user' : tls?.cert != null ? 'mtls' : 'none',
    delivery: 'at least once',
    async *take() {
      for await (const one of inbox.items()) yield takenOf(one);
    },
    waits: async () => null,
    async close() {
      inbox.fail(new Error('closed'));
      // Forced: the broker keeps the session, and what was not acknowledged comes again.
      await client.endAsync(true);
    },
  };
}
