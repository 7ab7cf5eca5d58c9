/** Queue adapters: their entries in `config.toml`, the credential the server gives each, and the status each writes. */
import { z } from 'zod';

export const ADAPTER_TYPES = ['nats', 'redis', 'rabbitmq', 'mqtt'] as const;
export type AdapterType = (typeof ADAPTER_TYPES)[number];

/** In file names, names of shells and on the command line. */
const AdapterName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'expected 1-32 lower-case letters, digits, `_`, `-`');
const SOURCE_PATTERN = /^[^\x00-\x1f\x7f]+$/;
/** Names of streams, queues, subjects and topics: brokers allow less, but say themselves what is wrong. */
const BrokerName = z.string().min(1).max(255).regex(SOURCE_PATTERN, 'expected a name without control characters');
const FilePath = z.string().min(1).max(4096);
const VariableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of a variable');

/** A text that begins with `/` is a JSON pointer into the body; any other text is used as it is. */
const Mapped = z.string().min(1).max(512);

const AdapterMap = z.strictObject({
  type: Mapped,
  title: Mapped,
  severity: Mapped.default('info'),
  summary: Mapped.optional(),
  /** Without it the number that the broker gave the message, or a hash of its body where the broker gives none. */
  event_id: Mapped.optional(),
});
export type AdapterMap = z.infer<typeof AdapterMap>;

const common = {
  /** What commands call it; its type where it is the only one of that type. */
  name: AdapterName.optional(),
  enabled: z.boolean().default(true),
  /** Where the broker is: one of the three. A password is never in `url`, since other programs may read this file. */
  url: z.string().min(1).max(2048).optional(),
  url_env: VariableName.optional(),
  url_file: FilePath.optional(),
  /** TLS: whom to trust instead of the system's list, and the certificate that is shown to the broker. */
  ca_file: FilePath.optional(),
  cert_file: FilePath.optional(),
  key_file: FilePath.optional(),
  /** Labels or ids of the conversations or threads it may publish to. */
  threads: z
    .array(z.string().min(1).max(200), { error: 'name the threads it may publish to, by label or id' })
    .min(1, 'name the threads it may publish to, by label or id')
    .max(100),
  /** The source name of its events; without it the subject, stream, topic or routing key of each message. */
  source: z.string().min(1).max(128).regex(SOURCE_PATTERN, 'expected a name without control characters').optional(),
  /** How JSON that is neither our envelope nor a CloudEvent becomes an event; without it such a message is refused. */
  map: AdapterMap.optional(),
};

const PLAIN_ENTRY = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('nats'),
    ...common,
    stream: BrokerName,
    /** Only these subjects of the stream. */
    subject: BrokerName.optional(),
    /** The durable consumer; made where it is missing. */
    durable: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, 'expected letters, digits, `_`, `-`')
      .optional(),
    /** The seed of an nkey. */
    nkey_env: VariableName.optional(),
    nkey_file: FilePath.optional(),
  }),
  z.strictObject({
    type: z.literal('redis'),
    ...common,
    /** One of the two. A channel (pub/sub) delivers at most once: what is published while nobody listens is lost. */
    stream: BrokerName.optional(),
    channel: BrokerName.optional(),
    group: BrokerName.default('signalbox'),
  }),
  z.strictObject({
    type: z.literal('rabbitmq'),
    ...common,
    queue: BrokerName,
    /** Binds the queue to it, with `routing_key`; the queue is made where it is missing. */
    exchange: BrokerName.optional(),
    routing_key: BrokerName.optional(),
  }),
  z.strictObject({
    type: z.literal('mqtt'),
    ...common,
    /** A filter with `+` and `#` too. */
    topic: BrokerName,
    client_id: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, 'expected letters, digits, `_`, `-`')
      .optional(),
  }),
]);
type PlainEntry = z.infer<typeof PLAIN_ENTRY>;

/** What a broker's address begins with: without TLS, with TLS. */
export const ADAPTER_SCHEMES: Readonly<Record<AdapterType, readonly [string, string]>> = {
  nats: ['nats:', 'tls:'],
  redis: ['redis:', 'rediss:'],
  rabbitmq: ['amqp:', 'amqps:'],
  mqtt: ['mqtt:', 'mqtts:'],
};

/** The first thing that is wrong with an entry as a whole, and at which key; null if nothing is. */
function flawOf(entry: PlainEntry): readonly [key: string, message: string] | null {
  const { url, url_env, url_file } = entry;
  const given = [url, url_env, url_file].filter((one) => one !== undefined).length;
  if (given !== 1) return ['url', 'say where the broker is, once: url, url_env or url_file'];
  if (url !== undefined) {
    const flaw = flawOfUrl(url, entry.type);
    if (flaw !== null) return ['url', flaw];
  }
  if ((entry.cert_file === undefined) !== (entry.key_file === undefined))
    return ['cert_file', 'cert_file and key_file belong together'];
  if (entry.type === 'redis' && (entry.stream === undefined) === (entry.channel === undefined))
    return ['stream', 'expected a stream or a channel, one of the two'];
  if (entry.type === 'rabbitmq' && (entry.exchange === undefined) !== (entry.routing_key === undefined))
    return ['exchange', 'exchange and routing_key belong together'];
  if (entry.type === 'nats' && entry.nkey_env !== undefined && entry.nkey_file !== undefined)
    return ['nkey_file', 'expected nkey_env or nkey_file, one of the two'];
  return null;
}

function flawOfUrl(url: string, type: AdapterType): string | null {
  const schemes = ADAPTER_SCHEMES[type];
  const scheme = schemes.find((one) => url.startsWith(`${one}//`));
  if (scheme === undefined)
    return `expected an address that begins with ${schemes.map((one) => `${one}//`).join(' or ')}`;
  // Without a parser: an address with a password must be refused also where the rest of it is wrong.
  const [authority = ''] = url.slice(scheme.length + 2).split(/[/?#]/);
  if (url.includes('@')) return 'no user or password here: put the whole address into url_env or url_file';
  return authority === '' ? 'the name of the host is missing' : null;
}

export const AdapterEntry = PLAIN_ENTRY.superRefine((entry, context) => {
  const flaw = flawOf(entry);
  if (flaw !== null) context.addIssue({ code: 'custom', path: [flaw[0]], message: flaw[1] });
});
export type AdapterEntry = z.infer<typeof AdapterEntry>;
export type EntryOf<Type extends AdapterType> = Extract<AdapterEntry, { type: Type }>;

export const adapterName = (entry: Pick<AdapterEntry, 'name' | 'type'>): string => entry.name ?? entry.type;

/** Each is a process of its own. */
const MAX_ADAPTERS = 20;
export const AdapterEntries = z
  .array(AdapterEntry)
  .max(MAX_ADAPTERS)
  .superRefine((entries, context) => {
    const names = entries.map(adapterName);
    const index = names.findIndex((name, at) => names.indexOf(name) !== at);
    if (index >= 0)
      context.addIssue({
        code: 'custom',
        path: [index, 'name'],
        message: `two adapters are called ${names[index]}: give each a name of its own`,
      });
  });

/** How the broker knew the adapter. none: it asked for nothing. */
export const PROVENANCES = ['nkey', 'user', 'mtls', 'none'] as const;
export const BrokerProvenance = z.enum(PROVENANCES);
export type BrokerProvenance = z.infer<typeof BrokerProvenance>;

/** What an adapter says of its broker with each request; anything else counts as `none`. */
export const BROKER_HEADER = 'x-signalbox-broker';

/** `run/adapters/<name>/credential.json`, mode 0600, written by the server at each start: all that an adapter is told. */
export const AdapterCredential = z.object({
  name: AdapterName,
  /** Takes a batch of events. */
  url: z.string(),
  token: z.string(),
  entry: AdapterEntry,
});
export type AdapterCredential = z.infer<typeof AdapterCredential>;

const Count = z.number().int().nonnegative();

/** `run/adapters/<name>/status.json`, written by the adapter. */
export const AdapterStatus = z.object({
  name: AdapterName,
  type: z.enum(ADAPTER_TYPES),
  pid: Count,
  start_time: z.string().nullable(),
  /** connecting: to the broker, also again after an error. waiting: the server does not answer, and messages stay with the broker. */
  state: z.enum(['connecting', 'running', 'waiting', 'stopped']),
  /** What the broker is, as it says. */
  broker: z.string().nullable(),
  /** What the broker promises of a message that was published. */
  delivery: z.enum(['at least once', 'at most once']),
  provenance: BrokerProvenance,
  /** Stored by the server, new. */
  taken: Count,
  /** Was there before. */
  duplicates: Count,
  /** Set aside with the reason. */
  refused: Count,
  /** Left with the broker, to be taken later. */
  deferred: Count,
  /** Messages that the broker still has for it; null where the broker does not say. */
  waits: Count.nullable(),
  last_error: z
    .object({ at: z.string(), from: z.enum(['broker', 'server', 'message']), code: z.string(), message: z.string() })
    .nullable(),
  last_event_at: z.string().nullable(),
  updated_at: z.string(),
});
export type AdapterStatus = z.infer<typeof AdapterStatus>;
