/** The agent's plan with how far it is. */
import type { PlanStep } from '../../contract/entry.ts';
import { Markdown } from '../markdown/Markdown.tsx';
import { en } from '../strings/en.ts';
import { classes } from '../ui/classes.ts';
import { showText } from './ansi.ts';
import styles from './PlanCard.module.css';

interface PlanCardProps {
  readonly steps: readonly PlanStep[];
  readonly text: string;
  readonly isLive: boolean;
}

const MARKS = { pending: '☐', in_progress: '◐', completed: '☑' } as const;

export function PlanCard({ steps, text, isLive }: PlanCardProps) {
  const done = steps.filter((step) => step.status === 'completed').length;
  return (
    <div className={styles.plan}>
      <div className={styles.head}>
        <span className={styles.title}>{en.transcript.plan}</span>
        {steps.length > 0 && (
          <>
            <progress className={styles.bar} max={steps.length} value={done} aria-label={en.transcript.plan} />
            <span>{en.transcript.planDone(done, steps.length)}</span>
          </>
        )}
      </div>
      {text !== '' && (
        <div className={styles.text}>
          <Markdown text={text} isLive={isLive} isQuiet={steps.length > 0} />
        </div>
      )}
      <ol className={styles.steps}>
        {steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
          <li key={at} className={classes(styles.step, styles[step.status])}>
            <span role="img" aria-label={en.transcript.step[step.status]} className={styles.mark}>
              {MARKS[step.status]}
            </span>
            <span>{showText(step.step)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
