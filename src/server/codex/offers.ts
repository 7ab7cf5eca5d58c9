/** What the Codex that runs can do and an older one cannot; asked of it rather than guessed from its version. */
import { isWrongType } from '../../core/codex/refusal.ts';
import type { CodexLink } from './supervisor.ts';

export interface Offers {
  /** Whether `turn/start` takes `additionalContext`. */
  additionalContext(): Promise<boolean>;
}

const PROBE_TIMEOUT_MS = 10_000;
const NO_THREAD = '00000000-0000-0000-0000-000000000000';

export function createOffers(link: Pick<CodexLink, 'request' | 'dialect'>): Offers {
  let known: { readonly epoch: string; readonly answer: Promise<boolean> } | null = null;

  /** A turn in no thread, with a number where the context goes: whoever knows the field complains of that, the others of the thread. */
  const probe = async (): Promise<boolean> => {
    const params = { threadId: NO_THREAD, input: [], additionalContext: 0 };
    const answer = await link.request('turn/start', params, { timeoutMs: PROBE_TIMEOUT_MS });
    if (!answer.ok && answer.error.code !== 'codex_error') known = null;
    return !answer.ok && isWrongType(answer.error);
  };

  return {
    additionalContext() {
      const { epoch } = link.dialect();
      if (known === null || known.epoch !== epoch) known = { epoch, answer: probe() };
      return known.answer;
    },
  };
}
