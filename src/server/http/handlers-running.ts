/** Route id → service call, for what runs. No logic. */
import { ok } from '../../contract/result.ts';
import type { RUNNING_ROUTES } from '../../contract/routes-running.ts';
import type { HandlersFor, Services } from './services.ts';

export function runningHandlers({ registry, running }: Services): HandlersFor<typeof RUNNING_ROUTES> {
  return {
    async listRunning({ conversation_id }) {
      if (conversation_id === undefined) return ok({ running: [...(await running.list(null))] });
      const opened = await registry.open(conversation_id);
      if (!opened.ok) return opened;
      return ok({ running: [...(await running.list(opened.value.meta().conversation_id))] });
    },
    async endRunning({ conversation_id, item_ids }) {
      const opened = await registry.open(conversation_id);
      if (!opened.ok) return opened;
      const { ended, left } = await running.end(opened.value.meta().conversation_id, item_ids ?? null);
      return ok({ ended, left: [...left] });
    },
  };
}
