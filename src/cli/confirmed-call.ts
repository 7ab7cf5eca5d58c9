/** A call that is a person's: where the server asks for one, this process proves over the control socket that a person started it. */
import type { Confirm } from '../contract/access.ts';
import type { Result } from '../contract/result.ts';
import type { RouteCall, RouteId, RouteOutput } from '../contract/routes.ts';
import type { Client } from './client.ts';
import { confirmAtTerminal } from './login-link.ts';

/** Routes whose body takes a confirmation. */
type Confirmed = {
  [Id in RouteId]: RouteCall<Id> extends { readonly confirm?: Confirm | undefined } ? Id : never;
}[RouteId];

export async function confirmedCall<Id extends Confirmed>(
  client: Client,
  home: string,
  route: Id,
  call: RouteCall<Id>,
): Promise<Result<RouteOutput<Id>>> {
  const asked = await client.call(route, call);
  const id = asked.ok ? undefined : asked.error.details?.confirm;
  if (asked.ok || asked.error.code !== 'confirmation_required' || typeof id !== 'string') return asked;
  const proven = await confirmAtTerminal(home, id);
  return proven.ok ? client.call(route, { ...call, confirm: { id } }) : proven;
}
