/** What may go along with the messages of this conversation, each with a switch of its own. */
import type { FragmentName } from '../../contract/context.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import styles from './Details.module.css';

/** What tells most comes first. */
const NAMES: readonly FragmentName[] = ['commands', 'terminal', 'events', 'peers', 'policy'];

export function ContextSwitches() {
  const meta = useApp((state) => state.meta);
  const { patch } = useCommands();
  if (meta === null) return null;
  return (
    <fieldset className={styles.group}>
      <legend>{en.context.title}</legend>
      <p className={styles.note}>{en.context.hint}</p>
      {NAMES.map((name) => (
        <label key={name} className={styles.line}>
          <input
            type="checkbox"
            checked={meta.context[name]}
            onChange={(event) => void patch(meta.conversation_id, { context: { [name]: event.target.checked } })}
          />
          {en.context.switches[name]}
        </label>
      ))}
    </fieldset>
  );
}
