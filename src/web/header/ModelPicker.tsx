/** Which model answers and how hard it thinks: only what Codex offers. */
import type { Model } from '../../contract/conversation.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Menu } from '../ui/Menu.tsx';

interface Chosen {
  readonly models: readonly Model[];
  readonly current: Model | undefined;
  /** Of a model that is not in the list its id. */
  readonly name: string;
}

export function useModel(): Chosen {
  const models = useApp((state) => state.models);
  const chosen = useApp((state) => state.meta?.model ?? null);
  const applied = useApp((state) => (state.openId === null ? undefined : state.list.get(state.openId)?.applied_model));
  // What was chosen holds from the next message on; without a choice, what Codex says it uses.
  const id = chosen ?? applied ?? models.find((one) => one.is_default)?.id ?? null;
  const current = models.find((one) => one.id === id);
  return { models, current, name: current?.name ?? id ?? en.header.defaultModel };
}

export function ModelPicker() {
  const { models, name } = useModel();
  const meta = useApp((state) => state.meta);
  const { patch } = useCommands();
  if (meta === null) return null;
  const choose = (model: string | null) => void patch(meta.conversation_id, { model });
  return <ModelMenu name={name} models={models} chosen={meta.model} onChoose={choose} />;
}

interface ModelMenuProps {
  /** Of the model that will answer. */
  readonly name: string;
  readonly models: readonly Model[];
  /** Null: Codex chooses. */
  readonly chosen: string | null;
  readonly onChoose: (model: string | null) => void;
}

export function ModelMenu({ name, models, chosen, onChoose }: ModelMenuProps) {
  const nameOfDefault = models.find((one) => one.is_default)?.name;
  return (
    <Menu
      name={en.header.model}
      trigger={name}
      hasArrow
      isDisabled={models.length === 0}
      groups={[
        {
          title: en.header.model,
          items: [
            defaultItem(nameOfDefault, chosen === null, () => onChoose(null)),
            ...models.map((model) => ({
              key: model.id,
              label: model.name,
              hint: model.description === '' ? undefined : model.description,
              isChecked: model.id === chosen,
              run: () => onChoose(model.id),
            })),
          ],
        },
      ]}
    />
  );
}

/** What the next message runs with; null where neither the person nor Codex has said. */
export function useEffort(): string | null {
  const { current } = useModel();
  const chosen = useApp((state) => state.meta?.reasoning_effort ?? null);
  const applied = useApp((state) => (state.openId === null ? undefined : state.list.get(state.openId)?.applied_effort));
  return chosen ?? applied ?? current?.default_effort ?? null;
}

export function EffortPicker() {
  const { current } = useModel();
  const meta = useApp((state) => state.meta);
  const effort = useEffort();
  const { patch } = useCommands();
  if (meta === null || current === undefined) return null;
  const choose = (reasoning_effort: string | null) => void patch(meta.conversation_id, { reasoning_effort });
  return <EffortMenu model={current} effort={effort} chosen={meta.reasoning_effort} onChoose={choose} />;
}

interface EffortMenuProps {
  readonly model: Model;
  /** The one that will be used. */
  readonly effort: string | null;
  /** Null: Codex chooses. */
  readonly chosen: string | null;
  readonly onChoose: (effort: string | null) => void;
}

export function EffortMenu({ model, effort, chosen, onChoose }: EffortMenuProps) {
  if (model.efforts.length === 0) return null;
  return (
    <Menu
      name={en.header.effort}
      trigger={effort ?? en.header.defaultEffort}
      hasArrow
      groups={[
        {
          title: en.header.effort,
          items: [
            defaultItem(model.default_effort, chosen === null, () => onChoose(null)),
            ...model.efforts.map((one) => ({
              key: one.effort,
              label: one.effort,
              hint: one.description === '' ? undefined : one.description,
              isChecked: one.effort === chosen,
              run: () => onChoose(one.effort),
            })),
          ],
        },
      ]}
    />
  );
}

/** Gives the choice back to Codex, and says what Codex would choose now. */
function defaultItem(chosen: string | null | undefined, isChecked: boolean, run: () => void) {
  return { key: 'default', label: en.header.byDefault, hint: en.header.defaultNow(chosen ?? null), isChecked, run };
}
