/** What new conversations start with. */
import { useState } from 'react';
import { CwdField } from '../conversations/CwdField.tsx';
import { ContextChoices } from '../header/ContextSwitches.tsx';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { EN_SETTINGS } from '../strings/en-settings.ts';
import { Button } from '../ui/Button.tsx';
import styles from './Settings.module.css';

export function Fresh() {
  const preferences = useApp((state) => state.preferences);
  const models = useApp((state) => state.models);
  const { writePreferences } = useCommands();
  if (preferences === null) return null;
  const model = models.find((one) => (preferences.model === null ? one.is_default : one.id === preferences.model));
  const offered = model?.efforts.map((one) => one.effort) ?? [];
  const chosen = preferences.reasoning_effort;
  // A choice from before stays visible, also where the model lacks it.
  const efforts = chosen === null || offered.includes(chosen) ? offered : [chosen, ...offered];
  return (
    <>
      <Choice
        name={en.header.approvals}
        value={preferences.approval}
        options={Object.entries(en.approvalModes).map(([value, mode]) => [value, mode.name])}
        onChange={(value) => {
          if (value === 'untrusted' || value === 'on-request' || value === 'never')
            void writePreferences({ approval: value });
        }}
      />
      <Choice
        name={en.header.sandbox}
        value={preferences.sandbox}
        options={Object.entries(en.sandboxes).map(([value, sandbox]) => [value, sandbox.name])}
        onChange={(value) => {
          if (value === 'read-only' || value === 'workspace-write' || value === 'danger-full-access') {
            void writePreferences({ sandbox: value });
          }
        }}
      />
      <Choice
        name={en.header.model}
        value={preferences.model ?? ''}
        options={[['', en.header.defaultModel], ...models.map((model): [string, string] => [model.id, model.name])]}
        onChange={(value) => void writePreferences({ model: value === '' ? null : value })}
      />
      <Choice
        name={en.header.effort}
        value={preferences.reasoning_effort ?? ''}
        options={[['', en.header.defaultEffort], ...efforts.map((effort): [string, string] => [effort, effort])]}
        onChange={(value) => void writePreferences({ reasoning_effort: value === '' ? null : value })}
      />
      <FreshCwd key={preferences.cwd} cwd={preferences.cwd} />
      <label className={styles.line}>
        <input
          type="number"
          min={1}
          max={10_000}
          defaultValue={preferences.command_output_lines}
          onBlur={(event) => {
            const lines = event.target.valueAsNumber;
            if (Number.isInteger(lines) && lines >= 1 && lines !== preferences.command_output_lines)
              void writePreferences({ command_output_lines: lines });
          }}
        />
        {EN_SETTINGS.general.outputLines}
      </label>
      <ContextChoices
        title={en.context.fresh}
        value={preferences.context}
        onChange={(name, isOn) => void writePreferences({ context: { [name]: isOn } })}
      />
    </>
  );
}

function FreshCwd({ cwd }: { readonly cwd: string | null }) {
  const [value, setValue] = useState(cwd ?? '');
  const { writePreferences } = useCommands();
  return (
    <form
      className={styles.cwd}
      onSubmit={(event) => {
        event.preventDefault();
        void writePreferences({ cwd: value === '' ? null : value });
      }}
    >
      <CwdField label={en.header.cwd} value={value} onChange={setValue} />
      <Button type="submit" disabled={value === (cwd ?? '')}>
        {en.header.changeCwd}
      </Button>
    </form>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ name, value, options, onChange }: ChoiceProps) {
  return (
    <label className={styles.choice}>
      <span>{name}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([id, label]) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
