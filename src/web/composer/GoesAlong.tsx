/** Before a message is sent: what will go along with it, and what was turned off for this conversation. */
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { CONTEXT_NAMES } from '../transcript/describe-given.ts';
import styles from './GoesAlong.module.css';
import { useWaitingEvents } from './use-waiting-events.ts';

export function GoesAlong() {
  const meta = useApp((state) => state.meta);
  const { show } = useCommands();
  const events = useWaitingEvents();
  if (meta === null) return null;
  const waiting = meta.pending_cmd_buffer;
  // Those that are asked about are shown in the message box, one by one.
  const asked = waiting?.commands.filter((one) => one.asked_about === true).length ?? 0;
  const commands = meta.context.commands ? (waiting?.total_commands_run ?? 0) - asked : 0;
  const off = CONTEXT_NAMES.filter((name) => !meta.context[name]).map((name) => en.context.names[name]);
  if (commands + events === 0 && off.length === 0) return null;
  return (
    <p className={styles.line}>
      {commands + events > 0 && <span>{en.context.pending(commands, events)}</span>}
      {off.length > 0 && <span>{en.context.off(off.join(', '))}</span>}
      <button type="button" className={styles.change} onClick={() => show('details')}>
        {en.context.change}
      </button>
    </p>
  );
}
