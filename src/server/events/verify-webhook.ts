/** Whether a webhook is from who it says: signatures over the raw body, compared in constant time, with a window against replays. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Webhook } from '../../contract/external-event.ts';
import type { Failure } from '../../contract/result.ts';

type Headers = Readonly<Record<string, string>>;
export type Proof = 'signature' | 'shared_secret';

/** The same for whoever has none, a wrong one, or no secret here to fit: a stranger learns nothing. */
export const NO_SIGNATURE: Failure = {
  code: 'unauthorized',
  message:
    'the signature is missing, wrong or too old, or no such webhook has a secret here: see [[external_events.sources]] of config.toml, and the log of the server',
};

/** Standard Webhooks says five minutes; it bounds signatures only, never the events' own times. */
const WINDOW_S = 300;

export function verifyWebhook(
  provider: Webhook,
  secrets: readonly string[],
  headers: Headers,
  body: string,
  nowMs: number,
): Proof | null {
  const check = { headers, body, nowS: nowMs / 1000 };
  return secrets.map((secret) => CHECKS[provider]({ ...check, secret })).find((one) => one !== null) ?? null;
}

interface Check {
  readonly secret: string;
  readonly headers: Headers;
  readonly body: string;
  readonly nowS: number;
}

const CHECKS: Readonly<Record<Webhook, (check: Check) => Proof | null>> = {
  github({ secret, headers, body }) {
    const wanted = `sha256=${hmac(secret, body).toString('hex')}`;
    return isSame(headers['x-hub-signature-256'], wanted) ? 'signature' : null;
  },
  gitlab(check) {
    if (check.headers['webhook-signature'] !== undefined) return standard(check);
    return isSame(check.headers['x-gitlab-token'], check.secret) ? 'shared_secret' : null;
  },
  buildkite({ secret, headers, body, nowS }) {
    const signed = headers['x-buildkite-signature'];
    if (signed === undefined) return isSame(headers['x-buildkite-token'], secret) ? 'shared_secret' : null;
    const parts = new Map(signed.split(',').map((part) => cutAt(part.trim(), '=')));
    const timestamp = parts.get('timestamp') ?? '';
    if (!isFresh(timestamp, nowS)) return null;
    const wanted = hmac(secret, `${timestamp}.${body}`).toString('hex');
    return isSame(parts.get('signature'), wanted) ? 'signature' : null;
  },
  standard,
};

function standard({ secret, headers, body, nowS }: Check): Proof | null {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp = '', 'webhook-signature': signatures = '' } = headers;
  if (id === undefined || !isFresh(timestamp, nowS)) return null;
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
  const wanted = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  // Several are sent while a secret is being replaced.
  return signatures.split(' ').filter((one) => isSame(one, wanted)).length > 0 ? 'signature' : null;
}

function isFresh(timestamp: string, nowS: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(nowS - Number(timestamp)) <= WINDOW_S;
}

function hmac(secret: string, text: string): Buffer {
  return createHmac('sha256', secret).update(text).digest();
}

function isSame(given: string | undefined, wanted: string): boolean {
  const one = Buffer.from(given ?? '');
  const other = Buffer.from(wanted);
  return one.length === other.length && timingSafeEqual(one, other);
}

function cutAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
