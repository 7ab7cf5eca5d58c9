/** What Codex uses where nobody has chosen a model or an effort: its configuration, else its list of models. */
import { ConfigResult, ModelsPage } from '../../contract/codex.ts';
import { type CodexDefaults, NO_DEFAULTS } from '../../core/codex/params.ts';
import type { Requester } from './ask.ts';

/** A message waits for the answer. Without one the setting stays as it is, and the message goes all the same. */
const TIMEOUT_MS = 5_000;

/** Asked anew for each turn that needs it: the person may have changed the configuration. `chosen`: the model of the conversation, if it has one. */
export function createDefaults(link: Requester): (chosen: string | null) => Promise<CodexDefaults> {
  return async (chosen) => {
    const [read, listed] = await Promise.all([
      link.request('config/read', { includeLayers: false }, { timeoutMs: TIMEOUT_MS }),
      link.request('model/list', {}, { timeoutMs: TIMEOUT_MS }),
    ]);
    const config = read.ok ? ConfigResult.safeParse(read.value).data?.config : undefined;
    const models = listed.ok ? (ModelsPage.safeParse(listed.value).data?.data ?? []) : [];
    if (config === undefined) return NO_DEFAULTS;
    const model = config.model ?? models.find((one) => one.isDefault)?.id ?? null;
    const used = models.find((one) => one.id === (chosen ?? model));
    return { model, effort: config.model_reasoning_effort ?? used?.defaultReasoningEffort ?? null };
  };
}
