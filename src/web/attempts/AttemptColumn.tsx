/** One attempt: how far it is, what it changed and said, and what can be done with it. */
import { lazy, Suspense, useState } from 'react';
import type { AttemptRow } from '../../contract/worktrees.ts';
import { useCommands } from '../state/use-app.ts';
import { EN_ATTEMPTS } from '../strings/en-attempts.ts';
import { showName, showText } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { formatDuration } from '../ui/format.ts';
import { Lamp } from '../ui/Lamp.tsx';
import styles from './AttemptsDialog.module.css';

const CompareView = lazy(async () => ({ default: (await import('../changes/CompareView.tsx')).CompareView }));

const LAMPS = { draft: 'draft', running: 'running', waiting: 'waiting', failed: 'error', done: 'success' } as const;

interface AttemptColumnProps {
  readonly attempt: AttemptRow;
  readonly onKeep: () => void;
}

export function AttemptColumn({ attempt, onKeep }: AttemptColumnProps) {
  const { show, go } = useCommands();
  const [isOpen, setOpen] = useState(false);
  const { id, number, branch, state, answer, files, started_at, ended_at } = attempt;
  const word = EN_ATTEMPTS.states[state];
  const isOver = state === 'done' || state === 'failed';
  return (
    <li className={styles.column} aria-label={EN_ATTEMPTS.name(number)}>
      <h3 className={styles.name}>
        <Lamp state={LAMPS[state]} name={word} />
        {EN_ATTEMPTS.name(number)}
      </h3>
      {branch !== null && <p className={styles.branch}>{showName(branch)}</p>}
      <p className={styles.facts}>
        <span>{word}</span>
        {ended_at !== null && state !== 'draft' && (
          <span>{formatDuration(Math.max(0, Date.parse(ended_at) - Date.parse(started_at)))}</span>
        )}
        {files !== null && (
          <span>
            {EN_ATTEMPTS.files(files.count)} <span className={styles.added}>+{files.added}</span>{' '}
            <span className={styles.removed}>−{files.removed}</span>
          </span>
        )}
      </p>
      {files === null && <p className={styles.dim}>{EN_ATTEMPTS.noFiles}</p>}
      <p className={answer === null ? styles.dim : styles.answer}>
        {answer === null ? EN_ATTEMPTS.noAnswer : showText(answer)}
      </p>
      <div className={styles.acts}>
        <Button
          onClick={() => {
            show('none');
            go(id);
          }}
        >
          {EN_ATTEMPTS.open}
        </Button>
        {isOver && branch !== null && (
          <Button tone="primary" onClick={onKeep}>
            {EN_ATTEMPTS.keep}
          </Button>
        )}
        {files !== null && files.count > 0 && (
          <Button tone="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {EN_ATTEMPTS.difference}
          </Button>
        )}
      </div>
      {isOpen && files !== null && (
        <div className={styles.diff}>
          <Suspense fallback={<p className={styles.dim}>{EN_ATTEMPTS.loading}</p>}>
            <CompareView conversationId={id} compare="base" version={files.added + files.removed} />
          </Suspense>
        </div>
      )}
    </li>
  );
}
