/** `externalEvent/publish|list|ack`: the same as the routes, for clients that speak the app-server's way. */

import type { EventAck } from '../../contract/external-event.ts';
import { ERROR_CODES, type ErrorCode, fail, ok, type Result } from '../../contract/result.ts';
import { EVENT_ROUTES } from '../../contract/routes-events.ts';
import { isRecord } from '../../core/text/is-record.ts';
import type { Events } from './events.ts';
import type { Principal } from './principal.ts';

const { listEvents, ackEvent } = EVENT_ROUTES;
const ListParams = listEvents.params.extend(listEvents.query.shape);
const AckParams = ackEvent.params;

/** Null for a method that is not one of these. */
export function callEventRpc(
  events: Events,
  principal: Principal,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Promise<Result<unknown>> | null {
  switch (method) {
    case 'externalEvent/publish':
      return events.publish(params.event, principal, 'rpc').then(resultOfAck);
    case 'externalEvent/list': {
      const input = ListParams.safeParse(params);
      return input.success ? events.reading.list(input.data) : refuse(input.error);
    }
    case 'externalEvent/ack': {
      const input = AckParams.safeParse(params);
      return input.success ? events.reading.ack(input.data.thread_id, input.data.event_id) : refuse(input.error);
    }
    default:
      return null;
  }
}

/** A refusal keeps its code. */
export function resultOfAck(ack: EventAck): Result<Extract<EventAck, { ok: true }>> {
  if (ack.ok) return ok(ack);
  return fail(isCode(ack.code) ? ack.code : 'internal', ack.message, isRecord(ack.details) ? ack.details : undefined);
}

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}

function refuse(error: {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}): Promise<Result<never>> {
  const [issue] = error.issues;
  const field = (issue?.path ?? []).map(String).join('.');
  return Promise.resolve(fail('invalid_request', `${field}: ${issue?.message ?? 'not as expected'}`, { field }));
}
