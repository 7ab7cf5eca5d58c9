/** What may go along with messages, each with a switch of its own: of this conversation, and of those to come. */
import type { ContextSettings, FragmentName } from '../../contract/context.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { CONTEXT_NAMES } from '../transcript/describe-given.ts';
import styles from './ContextSwitches.module.css';

export function ContextSwitches() {
  const meta = useApp((state) => state.meta);
  const { patch } = useCommands();
  if (meta === null) return null;
  return (
    <ContextChoices
      title={en.context.title}
      value={meta.context}
      onChange={(name, isOn) => void patch(meta.conversation_id, { context: { [name]: isOn } })}
    />
  );
}

interface ContextChoicesProps {
  readonly title: string;
  readonly value: ContextSettings;
  readonly onChange: (name: FragmentName, isOn: boolean) => void;
}

export function ContextChoices({ title, value, onChange }: ContextChoicesProps) {
  return (
    <fieldset className={styles.group}>
      <legend>{title}</legend>
      <p className={styles.note}>{en.context.hint}</p>
      {CONTEXT_NAMES.map((name) => (
        <label key={name} className={styles.line}>
          <input type="checkbox" checked={value[name]} onChange={(event) => onChange(name, event.target.checked)} />
          {en.context.switches[name]}
        </label>
      ))}
    </fieldset>
  );
}
