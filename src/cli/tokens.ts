/** `tokens create|list|revoke`: thin calls over the client. */
import type { AccessToken, TokenScope } from '../contract/access.ts';
import type { RouteCall } from '../contract/routes.ts';
import { printableLine } from '../core/text/printable.ts';
import type { Client } from './client.ts';
import { confirmedCall } from './confirmed-call.ts';
import { type Output, styled } from './output.ts';
import { pickConversation } from './pick-conversation.ts';

export interface CreateOptions {
  readonly scope: readonly TokenScope[];
  readonly label?: string;
  readonly expires?: number;
  readonly conversation?: string;
}

/** The server asks for a person; this process proves over the control socket that it is started by one. */
export async function createToken(out: Output, client: Client, home: string, options: CreateOptions): Promise<number> {
  const picked = options.conversation === undefined ? null : await pickConversation(client, options.conversation);
  if (picked?.ok === false) return out.fail(picked.error);
  const wanted: RouteCall<'createToken'> = {
    scopes: [...options.scope],
    ...(options.label !== undefined && { label: options.label }),
    ...(options.expires !== undefined && { expires_in_days: options.expires }),
    ...(picked !== null && { conversation_id: picked.value }),
  };
  return tell(out, await confirmedCall(client, home, 'createToken', wanted));
}

async function tell(out: Output, made: Awaited<ReturnType<typeof call>>): Promise<number> {
  if (!made.ok) return out.fail(made.error);
  const { token, secret } = made.value;
  if (out.isJson) await out.json({ ...token, secret });
  else {
    out.say(
      `${token.id}: ${token.scopes.join(', ')}${token.label === '' ? '' : `, ${printableLine(token.label, 80)}`}`,
    );
    out.say('This is the only time it is shown:');
    await out.print(secret);
  }
  return 0;
}

/** For its type. */
const call = (client: Client) => client.call('createToken', { scopes: ['read'] });

export async function listTokens(out: Output, client: Client): Promise<number> {
  const answer = await client.call('listTokens', {});
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) await out.json(answer.value);
  else if (answer.value.tokens.length === 0) out.say('no tokens: see `signalbox tokens create --help`');
  else for (const token of answer.value.tokens) await out.print(...lineOf(token));
  return 0;
}

function lineOf(token: AccessToken) {
  const { id, label, scopes, conversation_id, last_used_at, expires_at } = token;
  const facts = [
    scopes.join(','),
    conversation_id ?? 'all conversations',
    last_used_at === null ? 'never used' : `last used ${last_used_at.slice(0, 13)}h`,
    expires_at === null ? 'no expiry' : `ends ${expires_at.slice(0, 10)}`,
  ];
  return [styled('bold', id), `  ${printableLine(label, 80)}`, styled('dim', `  ${facts.join(' · ')}`)];
}

export async function revokeToken(out: Output, client: Client, id: string): Promise<number> {
  const answer = await client.call('revokeToken', { token_id: id });
  if (!answer.ok) return out.fail(answer.error);
  if (out.isJson) await out.json({ revoked: id });
  else out.say(`revoked ${id}`);
  return 0;
}
