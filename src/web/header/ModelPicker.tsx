/** Which model answers and how hard it thinks: only what Codex offers. */
import type { Model } from '../../contract/conversation.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Menu } from '../ui/Menu.tsx';

interface Chosen {
  readonly models: readonly Model[];
  readonly current: Model | undefined;
  /** Also of a model that is not in the list. */
  readonly id: string | null;
}

function useModel(): Chosen {
  const models = useApp((state) => state.models);
  const chosen = useApp((state) => state.meta?.model ?? null);
  const applied = useApp((state) => (state.openId === null ? undefined : state.list.get(state.openId)?.applied_model));
  // What was chosen holds from the next message on; without a choice, what Codex says it uses.
  const id = chosen ?? applied ?? models.find((one) => one.is_default)?.id ?? null;
  return { models, current: models.find((one) => one.id === id), id };
}

export function ModelPicker() {
  const { models, current, id } = useModel();
  const meta = useApp((state) => state.meta);
  const { patch } = useCommands();
  if (meta === null) return null;
  const name = current?.name ?? id ?? en.header.defaultModel;
  return (
    <Menu
      name={en.header.model}
      trigger={name}
      hasArrow
      isDisabled={models.length === 0}
      groups={[
        {
          title: en.header.model,
          items: models.map((model) => ({
            key: model.id,
            label: model.name,
            hint: model.description === '' ? undefined : model.description,
            isChecked: model.id === current?.id,
            run: () => void patch(meta.conversation_id, { model: model.id }),
          })),
        },
      ]}
    />
  );
}

export function EffortPicker() {
  const { current } = useModel();
  const meta = useApp((state) => state.meta);
  const { patch } = useCommands();
  if (meta === null || current === undefined || current.efforts.length === 0) return null;
  const effort = meta.reasoning_effort ?? current.default_effort;
  return (
    <Menu
      name={en.header.effort}
      trigger={effort ?? en.header.defaultEffort}
      hasArrow
      groups={[
        {
          title: en.header.effort,
          items: current.efforts.map((one) => ({
            key: one.effort,
            label: one.effort,
            hint: one.description === '' ? undefined : one.description,
            isChecked: one.effort === effort,
            run: () => void patch(meta.conversation_id, { reasoning_effort: one.effort }),
          })),
        },
      ]}
    />
  );
}
