/** Redis as a queue: a consumer group of a stream, or a channel, which promises less. */
import { z } from 'zod';
import type { EntryOf } from '../contract/adapter.ts';
import { adapterName } from '../contract/adapter.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { type BrokerAddress, CONNECT_MS, MAX_UNANSWERED, type Queue, type Taken } from './queue.ts';

/** Entries of one answer. */
const COUNT = '64';
/** How long one read waits for new entries, and so how late a deferred one may come. */
const BLOCK_MS = '1000';
/** An entry that another consumer of the group has not acknowledged for so long is taken over. */
const CLAIM_IDLE_MS = 60_000;
/** Refused entries that are kept in `<stream>:rejected`. */
const MAX_REJECTED = '1000';
/** Messages of a channel that wait here; Redis does not wait for us, so what comes beyond them is lost. */
const MAX_WAITING = 10_000;

const connectTo = async (entry: EntryOf<'redis'>, address: BrokerAddress) => {
  const { createClient, RESP_TYPES } = await import('@redis/client');
  const { url, user, password, tls } = address;
  const database = Number(url.pathname.slice(1) || '0');
  const common = {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || '6379'),
    connectTimeout: CONNECT_MS,
    // Our own loop reconnects, so that every broker is treated alike.
    reconnectStrategy: false as const,
  };
  const client = createClient({
    RESP: 2,
    name: `signalbox-${adapterName(entry)}`,
    ...(user !== null && { username: user }),
    ...(password !== null && { password }),
    ...(database > 0 && { database }),
    pingInterval: 20_000,
    disableOfflineQueue: true,
    socket:
      tls === null
        ? common
        : {
            ...common,
            tls: true as const,
            ...(tls.ca !== null && { ca: tls.ca }),
            ...(tls.cert !== null && { cert: tls.cert }),
            ...(tls.key !== null && { key: tls.key }),
          },
  });
  // Heard by whoever waits for an answer; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  return { client, typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } };
};
type Connected = Awaited<ReturnType<typeof connectTo>>;

export async function openRedis(entry: EntryOf<'redis'>, address: BrokerAddress): Promise<Queue> {
  const reader = await connectTo(entry, address);
  try {
    const writer = await connectTo(entry, address);
    const version = /redis_version:(\S+)/.exec(await writer.client.info('server').catch(() => ''))?.[1];
    const about = {
      broker: version === undefined ? null : `redis ${version}`,
      provenance: provenanceOf(address),
      async close() {
        for (const { client } of [reader, writer]) if (client.isOpen) client.destroy();
      },
    };
    if (entry.channel !== undefined) return channelQueue(reader, entry.channel, about);
    const stream = entry.stream ?? '';
    await writer.client.xGroupCreate(stream, entry.group, '0', { MKSTREAM: true }).catch((error: unknown) => {
      if (!(error instanceof Error && error.message.startsWith('BUSYGROUP'))) throw error;
    });
    return streamQueue(
      { reader, writer, stream, group: entry.group, consumer: `signalbox-${adapterName(entry)}` },
      about,
    );
  } catch (error) {
    reader.client.destroy();
    throw error;
  }
}

type About = Pick<Queue, 'broker' | 'provenance' | 'close'>;

/** A Redis without users refuses a password, so one that was taken was checked. */
function provenanceOf({ tls, password }: BrokerAddress): Queue['provenance'] {
  if (password !== null) return 'user';
  return tls?.cert != null ? 'mtls' : 'none';
}

interface StreamGroup {
  readonly reader: Connected;
  readonly writer: Connected;
  readonly stream: string;
  readonly group: string;
  readonly consumer: string;
}

type Fields = readonly (readonly [name: string, value: Buffer])[];
interface Entry {
  readonly id: string;
  readonly fields: Fields;
  readonly redelivered: number;
}

function streamQueue(group: StreamGroup, about: About): Queue {
  const { writer, stream } = group;
  const inbox = createInbox<Entry>();
  const acknowledge = async (id: string): Promise<void> => {
    await writer.client.xAck(stream, group.group, id);
  };
  const takenOf = (entry: Entry): Taken => ({
    body: bodyOf(entry.fields),
    subject: stream,
    id: `${stream}-${entry.id}`,
    redelivered: entry.redelivered,
    done: () => acknowledge(entry.id),
    async again(afterMs) {
      // It stays pending in the group, so a crash before then loses nothing.
      inbox.pushLater({ ...entry, redelivered: entry.redelivered + 1 }, afterMs);
    },
    async refuse(reason) {
      const why = ['rejected_id', entry.id, 'rejected_reason', reason];
      const trim = ['MAXLEN', '~', MAX_REJECTED];
      await writer.client
        .sendCommand(['XADD', `${stream}:rejected`, ...trim, '*', ...entry.fields.flat(), ...why])
        // A user that may not write there: our own file of refused messages has it.
        .catch(() => undefined);
      await acknowledge(entry.id);
    },
  });
  return {
    ...about,
    delivery: 'at least once',
    async *take() {
      void readAll(group, inbox).catch((error: unknown) =>
        inbox.fail(error instanceof Error ? error : new Error(String(error))),
      );
      for await (const entry of inbox.items()) yield takenOf(entry);
    },
    async waits() {
      const groups = await writer.client.xInfoGroups(stream);
      const found = groups.find((one) => String(one.name) === group.group);
      return found === undefined ? null : Number(found.lag ?? 0) + Number(found.pending);
    },
    async close() {
      inbox.fail(new Error('closed'));
      await about.close();
    },
  };
}

/** First what was taken before and never acknowledged, then what others left, then what is new. */
async function readAll(group: StreamGroup, inbox: Inbox<Entry>): Promise<never> {
  const { reader, writer, stream, consumer } = group;
  const read = async (after: string, block: readonly string[]): Promise<Reply> => {
    const args = ['XREADGROUP', 'GROUP', group.group, consumer, 'COUNT', COUNT, ...block, 'STREAMS', stream, after];
    // As it comes: the typed call fails at an entry that was deleted while it was pending.
    return Reply.parse(await reader.client.sendCommand(args, { typeMapping: reader.typeMapping }));
  };
  await reader.client.xAutoClaim(stream, group.group, consumer, CLAIM_IDLE_MS, '0', { COUNT: MAX_UNANSWERED });
  for (let after = '0'; ; ) {
    const entries = await read(after, []);
    for (const { id, fields } of entries) {
      await roomIn(inbox);
      // Deleted or trimmed away: nobody can have it any more.
      if (fields === null) await writer.client.xAck(stream, group.group, id);
      else inbox.push({ id, fields, redelivered: 1 });
    }
    const last = entries.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  for (;;) {
    await roomIn(inbox);
    for (const { id, fields } of await read('>', ['BLOCK', BLOCK_MS]))
      if (fields !== null) inbox.push({ id, fields, redelivered: 0 });
  }
}

/** While much of what was taken is not answered, more stays with the broker. */
async function roomIn(inbox: { size(): number }): Promise<void> {
  while (inbox.size() >= MAX_UNANSWERED) await new Promise((done) => setTimeout(done, 20));
}

const Bytes = z.instanceof(Buffer);
/** Streams with their entries; an entry is its id and its fields, name after name and value after value. */
const Reply = z
  .array(z.tuple([Bytes, z.array(z.tuple([Bytes, z.array(Bytes).nullable()]))]))
  .nullable()
  .transform((streams) =>
    (streams?.[0]?.[1] ?? []).map(([id, flat]) => ({ id: id.toString(), fields: fieldsOf(flat) })),
  );
type Reply = z.infer<typeof Reply>;

function fieldsOf(flat: readonly Buffer[] | null): Fields | null {
  if (flat === null) return null;
  return flat.flatMap((name, index) => {
    const value = flat[index + 1];
    return index % 2 === 1 || value === undefined ? [] : [[name.toString(), value] as const];
  });
}

/** The field `event`; an entry without it is the object of its fields, which the map of the adapter may read. */
function bodyOf(fields: Fields): Uint8Array {
  const event = fields.find(([name]) => name === 'event');
  if (event !== undefined) return event[1];
  return Buffer.from(JSON.stringify(Object.fromEntries(fields.map(([name, value]) => [name, value.toString()]))));
}

/** Whatever is published while nobody listens is lost: there is nothing to acknowledge, and nothing to give again. */
function channelQueue({ client }: Connected, channel: string, about: About): Queue {
  const inbox = createInbox<Buffer>();
  const takenOf = (body: Buffer): Taken => ({
    body,
    subject: channel,
    id: null,
    redelivered: 0,
    done: async () => undefined,
    again: async (afterMs) => inbox.pushLater(body, afterMs),
    refuse: async () => undefined,
  });
  client.on('error', (error: Error) => inbox.fail(error));
  client.on('end', () => inbox.fail(new Error('the connection to the broker was closed')));
  return {
    ...about,
    delivery: 'at most once',
    async *take() {
      await client.subscribe(
        channel,
        (body) => {
          if (inbox.size() < MAX_WAITING) inbox.push(body);
        },
        true,
      );
      for await (const body of inbox.items()) yield takenOf(body);
    },
    waits: async () => null,
    async close() {
      inbox.fail(new Error('closed'));
      await about.close();
    },
  };
}
