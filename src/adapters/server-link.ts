/** The way to the server: batches of events over HTTP with the credential of the adapter, which is read again whenever it does not fit. */
import { z } from 'zod';
import { AdapterCredential, BROKER_HEADER, type BrokerProvenance } from '../contract/adapter.ts';
import { EventAck } from '../contract/external-event.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { isRecord } from '../core/text/is-record.ts';
import { parseJson } from '../core/text/parse-json.ts';
import { errorCode } from '../node/atomic-file.ts';
import { adapterCredentialPath } from '../node/places.ts';
import { readJson } from '../node/read-json.ts';

/** A server on a busy disk may take long for a sync. What is sent twice is a duplicate there. */
const ANSWER_MS = 60_000;

const Answers = z.object({ results: z.array(EventAck) });

export function readCredential(home: string, name: string): Promise<AdapterCredential | null> {
  return readJson(adapterCredentialPath(home, name), AdapterCredential);
}

/** The answers, one for each event in order; a failure if the server took none of them. */
export async function postEvents(
  credential: AdapterCredential,
  events: readonly unknown[],
  provenance: BrokerProvenance,
  stop: AbortSignal,
): Promise<Result<EventAck[]>> {
  let status = 0;
  let body: unknown;
  try {
    const response = await fetch(credential.url, {
      method: 'POST',
      // The server never redirects a call, and the token goes nowhere else.
      redirect: 'error',
      signal: AbortSignal.any([stop, AbortSignal.timeout(ANSWER_MS)]),
      headers: {
        authorization: `Bearer ${credential.token}`,
        'content-type': 'application/json',
        [BROKER_HEADER]: provenance,
      },
      body: JSON.stringify(events),
    });
    status = response.status;
    body = parseJson(await response.text());
  } catch (error) {
    return unreachable(error);
  }
  const answers = Answers.safeParse(body);
  if (answers.success && answers.data.results.length === events.length) return ok(answers.data.results);
  const said = isRecord(body) && typeof body.message === 'string' ? body.message : `it answered ${status}`;
  if (status === 401) return fail('unauthorized', `the server refuses the credential of this adapter: ${said}`);
  return fail('not_running', `the server takes no events: ${said}`);
}

function unreachable(error: unknown): Result<never> {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (error instanceof Error && error.name === 'TimeoutError')
    return fail('no_answer', 'the server did not answer in time: messages stay with the broker');
  const code = errorCode(cause);
  return fail(
    'not_running',
    `the server cannot be reached (${code === '' ? String(cause) : code}): messages stay with the broker until it runs again`,
  );
}
