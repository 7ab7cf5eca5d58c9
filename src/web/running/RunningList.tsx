/** Everything that runs for the open conversation, with End for each and for all. */
import type { ConversationId } from '../../contract/ids.ts';
import type { RunningCommand } from '../../contract/running.ts';
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showExact } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { formatClock } from '../ui/format.ts';
import { Lamp } from '../ui/Lamp.tsx';
import styles from './RunningList.module.css';
import { useRunning } from './use-running.ts';

export function RunningList({ conversationId }: { readonly conversationId: ConversationId }) {
  const running = useRunning(conversationId);
  const { endRunning } = useCommands();
  if (running === null) return null;
  return (
    <section className={styles.section} aria-label={en.runs.label}>
      <h3 className={styles.head}>
        <span>{en.runs.label}</span>
        {running.length > 1 && (
          <Button tone="danger" onClick={() => void endRunning(conversationId)}>
            {en.runs.endAll}
          </Button>
        )}
      </h3>
      {running.length === 0 && <p className={styles.none}>{en.runs.none}</p>}
      <ul className={styles.rows}>
        {running.map((one) => (
          <Row key={one.item_id} running={one} />
        ))}
      </ul>
    </section>
  );
}

const LAMPS = { running: 'running', ending: 'waiting', killing: 'waiting', not_ended: 'error' } as const;

function Row({ running }: { readonly running: RunningCommand }) {
  const { item_id, conversation_id, kind, state, command, started_at, process_count } = running;
  const { endRunning } = useCommands();
  const isEnding = state === 'ending' || state === 'killing';
  const facts = [
    en.runs.kinds[kind],
    ...(process_count > 0 ? [en.runs.processes(process_count)] : []),
    ...(started_at === null ? [] : [en.runs.since(formatClock(started_at))]),
  ];
  const name = showExact(command.replaceAll('\n', ' '));
  const pids = running.processes.map((one) => `${one.pid}  ${one.command}`).join('\n');
  return (
    <li className={styles.row} data-running={state}>
      <Lamp state={LAMPS[state]} name={en.runs.states[state]} />
      <div className={styles.what}>
        <code className={styles.command} title={showExact(pids)}>
          {name}
        </code>
        <span className={styles.facts}>
          {state !== 'running' && <b>{en.runs.states[state]} · </b>}
          {facts.join(' · ')}
        </span>
      </div>
      {!isEnding && (
        <Button aria-label={en.runs.endCommand(name)} onClick={() => void endRunning(conversation_id, [item_id])}>
          {state === 'not_ended' ? en.runs.endAgain : en.runs.end}
        </Button>
      )}
    </li>
  );
}
