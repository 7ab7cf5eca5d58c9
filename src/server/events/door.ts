/** The HTTP ways in: who sends, in which of the known shapes, and the answer each code has. */

import { createHash } from 'node:crypto';
import { BROKER_HEADER } from '../../contract/adapter.ts';
import {
  type EventAck,
  type ExternalEventsConfig,
  MAX_BATCH_EVENTS,
  MAX_EVENT_BYTES,
  WEBHOOKS,
  type Webhook,
} from '../../contract/external-event.ts';
import { ERROR_CODES, type Failure, httpStatusOf } from '../../contract/result.ts';
import { confineEvent, trustOfAdapter } from '../../core/adapters/confine-event.ts';
import { cloudEventOfHeaders } from '../../core/events/cloud-event.ts';
import { eventOfWebhook } from '../../core/events/webhook-event.ts';
import { bearerToken } from '../../core/text/bearer.ts';
import { isRecord } from '../../core/text/is-record.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { secretsOf } from '../config/webhook-secrets.ts';
import type { AdapterGrant, AdapterTokens } from './adapters.ts';
import { refusalOf } from './desk.ts';
import type { Events } from './events.ts';
import type { EventAgent, Principal } from './principal.ts';
import { NO_SIGNATURE, verifyWebhook } from './verify-webhook.ts';

/** A request as it came: its handler knows credentials and content types of its own. */
export interface DoorRequest {
  readonly params: Readonly<Record<string, string>>;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Present if a command of an agent shows an event token. */
  readonly agent?: EventAgent | undefined;
}

export interface DoorAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Who the server's own credentials say it is; null for nobody it knows. */
type KnownPrincipal = Extract<Principal, { kind: 'session' | 'api_token' | 'event_token' | 'agent' }> | null;

export interface Door {
  publish(request: DoorRequest, caller: KnownPrincipal): Promise<DoorAnswer>;
  publishBatch(request: DoorRequest, caller: KnownPrincipal): Promise<DoorAnswer>;
  webhook(request: DoorRequest): Promise<DoorAnswer>;
}

export function createDoor(options: {
  readonly events: Pick<Events, 'publish' | 'publishText'> & { readonly desks: Pick<Events['desks'], 'threadOfToken'> };
  readonly adapters: Pick<AdapterTokens, 'find'>;
  /** A label or id → the address of its events; null if no conversation, or more than one, has it. */
  readonly findAddress: (labelOrId: string) => string | null;
  readonly config: ExternalEventsConfig;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly log: Logger;
}): Door {
  const { events, config, clock } = options;
  const refusals = createRefusals(clock, options.log);
  const isHttpOn = config.enabled && (config.sources.findLast((one) => one.type === 'http')?.enabled ?? true);

  const principalOf = ({ headers, agent }: DoorRequest, caller: KnownPrincipal): Principal | Failure => {
    if (!config.enabled) return TURNED_OFF;
    if (!isHttpOn) return { code: 'not_found', message: 'config.toml turns off the source http: use another way in' };
    if (caller !== null) return withOrigin(caller, headers);
    const token = bearerToken(headers.authorization);
    const threadId = token === null ? null : events.desks.threadOfToken(token);
    return threadId === null ? UNAUTHORIZED : withOrigin({ kind: 'event_token', threadId, agent }, headers);
  };

  /** Null for any request but that of a queue adapter. */
  const adapterOf = ({ headers }: DoorRequest, caller: KnownPrincipal): AdapterGrant | null => {
    const token = caller === null ? bearerToken(headers.authorization) : null;
    return token === null ? null : options.adapters.find(token);
  };

  const publishOfAdapter = async (request: DoorRequest, { name, entry }: AdapterGrant): Promise<DoorAnswer> => {
    if (!config.enabled) return refuse(TURNED_OFF);
    // Its token is in a file that a command of an agent might read.
    if (request.agent !== undefined) return refuse(NOT_FOR_AGENTS);
    const all = parseJson(request.body);
    if (!Array.isArray(all) || all.length > MAX_BATCH_EVENTS) return refuse(NOT_A_BATCH);
    const principal: Principal = {
      kind: 'adapter',
      name,
      trust: trustOfAdapter(entry, request.headers[BROKER_HEADER]),
    };
    const addresses = new Map<string, string | null>();
    const findAddress = (named: string): string | null => {
      const known = addresses.get(named);
      const address = known === undefined ? options.findAddress(named) : known;
      addresses.set(named, address);
      return address;
    };
    const confined = all.map((one) => confineEvent(one, entry, findAddress));
    return answerAll(
      await Promise.all(
        confined.map((one) => (one.ok ? events.publish(one.value, principal, 'http') : refusalOf(one.error))),
      ),
    );
  };

  const publishAll = async (all: readonly unknown[], principal: Principal): Promise<DoorAnswer> =>
    answerAll(await Promise.all(all.map((one) => events.publish(one, principal, 'http'))));

  const answerAll = (results: readonly EventAck[]): DoorAnswer => {
    const refused = results.filter((one) => !one.ok);
    const isAllRefused = refused.length === results.length && results.length > 0;
    const status = isAllRefused && refused[0] !== undefined ? statusOf(refused[0]) : 202;
    return { status, body: { ok: refused.length === 0, results } };
  };

  return {
    async publish(request, caller) {
      const principal = principalOf(request, caller);
      if ('code' in principal) return refuse(principal);
      const type = request.headers['content-type'] ?? '';
      if (request.headers['ce-id'] !== undefined || request.headers['ce-specversion'] !== undefined) {
        if (Buffer.byteLength(request.body) > MAX_EVENT_BYTES) return refuse(TOO_LARGE);
        return answer(await events.publish(cloudEventOfHeaders(request.headers, request.body), principal, 'http'));
      }
      if (!JSON_TYPES.test(type)) return refuse(NOT_JSON);
      if (BATCH_TYPE.test(type)) return this.publishBatch(request, caller);
      return answer(await events.publishText(request.body, principal, 'http'));
    },
    async publishBatch(request, caller) {
      const adapter = adapterOf(request, caller);
      if (adapter !== null) return publishOfAdapter(request, adapter);
      const principal = principalOf(request, caller);
      if ('code' in principal) return refuse(principal);
      if (!JSON_TYPES.test(request.headers['content-type'] ?? '')) return refuse(NOT_JSON);
      const all = parseJson(request.body);
      if (!Array.isArray(all)) return refuse({ code: 'invalid_event', message: 'a batch is a JSON array of events' });
      if (all.length > MAX_BATCH_EVENTS)
        return refuse({ code: 'too_large', message: `a batch has at most ${MAX_BATCH_EVENTS} events` });
      return publishAll(all, principal);
    },
    async webhook({ params, headers, body }) {
      const provider = WEBHOOKS.find((one): one is Webhook => one === params.provider);
      const secrets = provider === undefined || !config.enabled ? [] : secretsOf(config, provider, options.env);
      // Not configured looks like not there: a stranger learns nothing. Whoever reads the log does.
      const proof = provider === undefined ? null : verifyWebhook(provider, secrets, headers, body, clock.now());
      if (provider === undefined || proof === null) {
        refusals.note(provider, secrets.length > 0);
        return refuse(NO_SIGNATURE);
      }
      const parsed = parseJson(body);
      if (!isRecord(parsed)) return refuse({ code: 'invalid_event', message: 'the body is not a JSON object' });
      const digest = createHash('sha256').update(body).digest('hex').slice(0, 32);
      const event = eventOfWebhook({ provider, headers, body: parsed, now: clock.now(), digest });
      const principal: Principal = { kind: 'webhook', proof };
      const thread = params.thread_id ?? '';
      return answer(await events.publish(event, principal, 'webhook', { thread, onDuplicate: 'drop' }));
    },
  };
}

/** What an adapter says of where it took its events from; the words of people and of agents count for nothing here. */
const ORIGIN_HEADER = 'x-signalbox-origin';

function withOrigin(principal: Principal, headers: DoorRequest['headers']): Principal | Failure {
  const origin = headers[ORIGIN_HEADER];
  if (origin === undefined) return principal;
  if (origin !== 'queue') return { code: 'invalid_event', message: `${ORIGIN_HEADER}: the one word it takes is queue` };
  const isAgent = principal.kind === 'event_token' && principal.agent !== undefined;
  const isAdapter = principal.kind === 'api_token' || principal.kind === 'event_token';
  return isAdapter && !isAgent ? { ...principal, via: 'queue' } : principal;
}

const JSON_TYPES = /^application\/(?:json|cloudevents\+json|cloudevents-batch\+json)\s*(?:;|$)/i;
const BATCH_TYPE = /^application\/cloudevents-batch\+json/i;

/** A sender that repeats itself is told of once a minute. */
const TELL_AGAIN_MS = 60_000;

function createRefusals(clock: Clock, log: Logger) {
  const told = new Map<string, number>();
  return {
    note(provider: Webhook | undefined, hasSecret: boolean): void {
      const why = hasSecret
        ? 'its signature is missing, wrong or too old'
        : provider === undefined
          ? `nobody of that name is known: ${WEBHOOKS.join(', ')} are`
          : 'no secret of [[external_events.sources]] is set for it';
      const key = `${provider} ${why}`;
      const last = told.get(key);
      if (last !== undefined && clock.monotonicMs() - last < TELL_AGAIN_MS) return;
      told.set(key, clock.monotonicMs());
      log.warn({ provider: provider ?? null, why }, 'a webhook was refused');
    },
  };
}

const TURNED_OFF: Failure = { code: 'turned_off', message: 'config.toml turns events off: external_events.enabled' };
const NOT_FOR_AGENTS: Failure = {
  code: 'forbidden',
  message: 'a command of an agent showed the token of a queue adapter: it is for the adapter alone',
};
const NOT_A_BATCH: Failure = {
  code: 'invalid_event',
  message: `an adapter sends an array of at most ${MAX_BATCH_EVENTS} events`,
};
const UNAUTHORIZED: Failure = {
  code: 'unauthorized',
  message: 'send the token of external_events.json, or the API token of run/server.json, as a Bearer token',
};
const NOT_JSON: Failure = {
  code: 'unsupported_media_type',
  message: 'the Content-Type must be application/json or one of CloudEvents',
};
const TOO_LARGE: Failure = { code: 'too_large', message: `an event has at most ${MAX_EVENT_BYTES} bytes` };

const refuse = (failure: Failure): DoorAnswer => ({ status: httpStatusOf(failure.code), body: refusalOf(failure) });
const answer = (ack: EventAck): DoorAnswer => ({ status: statusOf(ack), body: ack });

function statusOf(ack: EventAck): number {
  if (ack.ok) return 202;
  const known = Object.entries(ERROR_CODES).find(([code]) => code === ack.code);
  return known?.[1][0] ?? 400;
}
