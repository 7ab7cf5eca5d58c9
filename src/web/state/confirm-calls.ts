/** Calls that the server wants confirmed: the person is asked, and the call is repeated with their answer. */
import type { ConfirmationDetails } from '../../contract/access.ts';
import type { Failure } from '../../contract/result.ts';
import type { Call } from './call.ts';

/** What the person said; null: they do not want it. */
export type Said = { readonly password?: string } | null;

/** Every call goes through here, so that no command has to know which ones are asked about. */
export function withConfirmation(call: Call, ask: (details: ConfirmationDetails) => Promise<Said>): Call {
  return async (id, input) => {
    let answer = await call(id, input);
    for (;;) {
      const details = answer.ok ? null : detailsOf(answer.error);
      if (details === null) return answer;
      const said = await ask(details);
      if (said === null) return answer;
      answer = await call(id, { ...input, confirm: { id: details.confirm, ...said } });
    }
  };
}

/** Read by hand, since the page has no schemas; our own server made it. */
function detailsOf({ code, details = {} }: Failure): ConfirmationDetails | null {
  const { confirm, title, button, means, needs_password, problem } = details;
  if (code !== 'confirmation_required' || typeof confirm !== 'string') return null;
  return {
    confirm,
    acts: [],
    title: String(title),
    button: String(button),
    means: Array.isArray(means) ? means.map(String) : [],
    needs_password: needs_password === true,
    ...(typeof problem === 'string' && { problem }),
  };
}
