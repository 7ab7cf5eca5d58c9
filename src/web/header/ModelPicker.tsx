/** Which model answers and how hard it thinks: only what Codex offers. */
import type { Model } from '../../contract/conversation.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Menu } from '../ui/Menu.tsx';

function useModel(): { readonly models: readonly Model[]; readonly current: Model | undefined } {
  const models = useApp((state) => state.models);
  const id = useApp((state) => state.meta?.model ?? null);
  const current = id === null ? models.find((one) => one.is_default) : models.find((one) => one.id === id);
  return { models, current };
}

export function ModelPicker() {
  const { models, current } = useModel();
  const meta = useApp((state) => state.meta);
  const { patch } = useCommands();
  if (meta === null) return null;
  const name = current?.name ?? meta.model ?? en.header.defaultModel;
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
