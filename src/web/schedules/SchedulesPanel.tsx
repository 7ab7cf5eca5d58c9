/** Schedules in the drawer: what is sent next, what became of the last run, and a form for a new one. */
import { Pause, Play, Plus, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import type { ShownSchedule } from '../../contract/schedules.ts';
import { renderPlace } from '../route.ts';
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { EN_SCHEDULES } from '../strings/en-schedules.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { formatExact } from '../ui/format.ts';
import { Lamp, type LampState } from '../ui/Lamp.tsx';
import { ScheduleForm } from './ScheduleForm.tsx';
import styles from './SchedulesPanel.module.css';
import { useSchedules } from './use-schedules.ts';

export function SchedulesPanel({ conversationId }: { readonly conversationId: ConversationId | null }) {
  const { schedules, problem, read } = useSchedules();
  const [isAdding, setAdding] = useState(false);
  if (schedules === null) return <p className={styles.note}>{problem ?? en.loading}</p>;
  return (
    <div className={styles.panel}>
      {problem !== null && (
        <p className={styles.note} role="status">
          {problem}
        </p>
      )}
      {isAdding ? (
        <ScheduleForm
          conversationId={conversationId}
          onClose={() => {
            setAdding(false);
            void read();
          }}
        />
      ) : (
        <p className={styles.head}>
          <Button icon={<Plus size={14} aria-hidden />} onClick={() => setAdding(true)}>
            {EN_SCHEDULES.add}
          </Button>
        </p>
      )}
      {schedules.length === 0 && !isAdding && <p className={styles.note}>{EN_SCHEDULES.empty}</p>}
      <ul className={styles.rows} aria-label={EN_SCHEDULES.list}>
        {schedules.map((one) => (
          <Row key={one.schedule_id} schedule={one} read={read} />
        ))}
      </ul>
    </div>
  );
}

interface RowProps {
  readonly schedule: ShownSchedule;
  readonly read: () => Promise<void>;
}

function Row({ schedule, read }: RowProps) {
  const { schedule: call, toast } = useCommands();
  const { schedule_id, name, state, text, reason, history, target } = schedule;
  const [last] = history;
  const shown = showName(name);
  const act = async (done: Promise<Result<unknown>>): Promise<boolean> => {
    const answer = await done;
    if (!answer.ok) toast({ text: answer.error.message, tone: 'error' });
    await read();
    return answer.ok;
  };
  const remove = async () => {
    if (!(await act(call('removeSchedule', { schedule_id })))) return;
    const { missed, busy, max_runs, stop_on_failure, when } = schedule;
    const again = { name, text, target, when, missed, busy, max_runs, stop_on_failure };
    toast({
      text: EN_SCHEDULES.removed(shown),
      tone: 'plain',
      action: { label: EN_SCHEDULES.undo, run: () => void act(call('addSchedule', again)) },
    });
  };
  const where = target.kind === 'directory' ? (last?.conversation_id ?? null) : target.conversation_id;
  return (
    <li className={styles.row}>
      <span className={styles.title}>
        <Lamp state={lampOf(schedule)} name={standOf(schedule)} />
        <b className={styles.name}>{shown}</b>
        <span className={styles.acts}>
          <Button
            tone="quiet"
            icon={<Send size={14} aria-hidden />}
            name={`${EN_SCHEDULES.run}: ${shown}`}
            onClick={() => void act(call('runSchedule', { schedule_id }))}
          />
          {state !== 'ended' && (
            <Button
              tone="quiet"
              icon={state === 'active' ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
              name={`${state === 'active' ? EN_SCHEDULES.pause : EN_SCHEDULES.resume}: ${shown}`}
              onClick={() => void act(call('changeSchedule', { schedule_id, paused: state === 'active' }))}
            />
          )}
          <Button
            tone="quiet"
            icon={<Trash2 size={14} aria-hidden />}
            name={`${EN_SCHEDULES.remove}: ${shown}`}
            onClick={() => void remove()}
          />
        </span>
      </span>
      {text !== name && <span className={styles.text}>{text}</span>}
      <span className={styles.facts}>
        {standOf(schedule)} · {whenOf(schedule)}
        {target.kind === 'directory' && ` · ${showName(target.cwd)}`}
      </span>
      {reason !== null && <span className={styles.reason}>{reason}</span>}
      {last !== undefined && (
        <span className={styles.facts}>
          {EN_SCHEDULES.last(EN_SCHEDULES.outcomes[last.outcome], formatExact(last.at))}
          {last.note !== null && last.note !== reason && ` (${last.note})`}
          {where !== null && (
            <>
              {' · '}
              <a href={renderPlace({ conversationId: where })}>{EN_SCHEDULES.open}</a>
            </>
          )}
        </span>
      )}
    </li>
  );
}

function lampOf({ state, reason, history }: ShownSchedule): LampState {
  if (history[0]?.outcome === 'failed') return 'error';
  if (state === 'paused') return reason === null ? 'off' : 'warning';
  return state === 'active' ? 'success' : 'off';
}

function standOf({ state, next }: ShownSchedule): string {
  if (state === 'active') return EN_SCHEDULES.next(next[0] === undefined ? '–' : formatExact(next[0]));
  return state === 'paused' ? EN_SCHEDULES.paused : EN_SCHEDULES.ended;
}

const whenOf = ({ when, runs }: ShownSchedule): string =>
  when.kind === 'once' ? EN_SCHEDULES.runs(runs) : `${when.cron} · ${when.time_zone} · ${EN_SCHEDULES.runs(runs)}`;
