/** Codex's models, asked for at most every five minutes. */
import { ConfigResult, ModelsPage } from '../../contract/codex.ts';
import type { Model } from '../../contract/conversation.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../node/clock.ts';
import type { CodexLink } from './supervisor.ts';

const MAX_AGE_MS = 5 * 60_000;

export interface Models {
  list(): Promise<Result<readonly Model[]>>;
  /** Another Codex may have others. */
  forget(): void;
}

export function createModels(link: Pick<CodexLink, 'request'>, clock: Clock): Models {
  let cached: { readonly models: readonly Model[]; readonly at: number } | null = null;
  let asking: Promise<Result<readonly Model[]>> | null = null;

  const ask = async (): Promise<Result<readonly Model[]>> => {
    const [answer, config] = await Promise.all([link.request('model/list', {}), link.request('config/read', {})]);
    if (!answer.ok) return answer;
    const page = ModelsPage.safeParse(answer.value);
    if (!page.success) return fail('codex_error', 'Codex gave an unreadable list of models');
    const listed = page.data.data
      .filter((model) => model.hidden !== true)
      .map((model) => ({
        id: model.id,
        name: model.displayName ?? model.id,
        description: model.description ?? '',
        efforts: model.supportedReasoningEfforts.map(({ reasoningEffort, description }) => ({
          effort: reasoningEffort,
          description,
        })),
        default_effort: model.defaultReasoningEffort ?? null,
        is_default: model.isDefault,
      }));
    const configured = config.ok ? ConfigResult.safeParse(config.value).data?.config : undefined;
    const models = withEffort(withDefault(listed, configured?.model), configured?.model_reasoning_effort);
    cached = { models, at: clock.monotonicMs() };
    return ok(models);
  };

  return {
    list() {
      if (cached !== null && clock.monotonicMs() - cached.at < MAX_AGE_MS) return Promise.resolve(ok(cached.models));
      asking ??= ask().finally(() => {
        asking = null;
      });
      return asking;
    },
    forget() {
      cached = null;
    },
  };
}

/** What a conversation without a choice of its own gets: the model of Codex's configuration comes before the list's own default. */
function withDefault(listed: readonly Model[], configured: string | null | undefined): readonly Model[] {
  if (configured == null) return listed;
  const models = listed.map((model) => ({ ...model, is_default: model.id === configured }));
  if (models.some((model) => model.is_default)) return models;
  const unlisted = {
    id: configured,
    name: configured,
    description: '',
    efforts: [],
    default_effort: null,
    is_default: true,
  };
  return [unlisted, ...models];
}

/** The effort of Codex's configuration comes before the default of each model that has it. */
function withEffort(models: readonly Model[], configured: string | null | undefined): readonly Model[] {
  if (configured == null) return models;
  return models.map((model) =>
    model.efforts.some(({ effort }) => effort === configured) ? { ...model, default_effort: configured } : model,
  );
}
