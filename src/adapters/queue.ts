/** The port to a message broker. Every broker answers the same way; test/adapters proves it against the real ones. */
import type { AdapterStatus, BrokerProvenance } from '../contract/adapter.ts';

/** One message that was taken off the queue and is not answered yet. */
export interface Taken {
  readonly body: Uint8Array;
  /** NATS subject, Redis stream or channel, RabbitMQ routing key, MQTT topic. */
  readonly subject: string;
  /** The same for each delivery of the message; null where the broker gives none. */
  readonly id: string | null;
  /** How often it was delivered before, as far as the broker tells. */
  readonly redelivered: number;
  /** The server has it on disk: the broker may forget it. Resolves when the broker knows. */
  done(): Promise<void>;
  /** Not now: it is given again after this time, or after the next start. */
  again(afterMs: number): Promise<void>;
  /** Never: the broker sets it aside where it can, and does not give it again. */
  refuse(reason: string): Promise<void>;
}

/** An open connection. It never reconnects by itself: `take` throws when it is lost, and a new queue is opened. */
export interface Queue {
  /** What the broker is, as it says. */
  readonly broker: string | null;
  readonly provenance: BrokerProvenance;
  readonly delivery: AdapterStatus['delivery'];
  take(): AsyncIterable<Taken>;
  /** Messages that the broker still has for us; null where it does not say. */
  waits(): Promise<number | null>;
  close(): Promise<void>;
}

/** Where a broker is and what it is shown, read from the entry and from what it names. */
export interface BrokerAddress {
  readonly url: URL;
  readonly user: string | null;
  readonly password: string | null;
  /** Null: no TLS. */
  readonly tls: TlsFiles | null;
  /** The seed of an nkey. */
  readonly nkey: string | null;
}

interface TlsFiles {
  readonly ca: string | null;
  readonly cert: string | null;
  readonly key: string | null;
}

/** Taken and not answered; each may have 64 KiB. More would only wait here instead of at the broker. */
export const MAX_UNANSWERED = 256;
/** Longer is not waited for a broker that does not answer. */
export const CONNECT_MS = 5_000;
