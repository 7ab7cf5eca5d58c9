/** Route id → service call, for looking through transcripts. No logic. */
import { fail, ok } from '../../contract/result.ts';
import type { SEARCH_ROUTES } from '../../contract/routes-search.ts';
import type { HandlersFor, Services } from './services.ts';

export function searchHandlers({ registry, search, usage }: Services): HandlersFor<typeof SEARCH_ROUTES> {
  return {
    search: ({ q, conversation_id, before, limit }) =>
      search.find({ q, conversationId: conversation_id, before, limit }),
    async usage({ conversation_id }) {
      if (!registry.isKnown(conversation_id))
        return fail('unknown_conversation', `there is no conversation ${conversation_id}`);
      return ok({ points: [...(await usage.points(conversation_id))] });
    },
  };
}
