/** What an undo or a restore asks before it writes: a choice for each file that changed since, or a yes to replacing the files. */
import { useEffect, useId, useRef, useState } from 'react';
import type { UndoChoice, UndoStep } from '../../contract/changes.ts';
import { sortSteps } from '../../core/changes/turn-changes.ts';
import { EN_CHANGES } from '../strings/en-changes.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import styles from './TurnChanges.module.css';
import type { Choices, Question, UndoActs } from './use-undo.ts';

interface UndoQuestionProps {
  readonly undo: UndoActs;
  readonly question: Question;
}

export function UndoQuestion(props: UndoQuestionProps) {
  return props.question.side === null ? <ConflictQuestion {...props} /> : <RestoreQuestion {...props} />;
}

/** The question takes the focus once, so that a keyboard and a screen reader are where it is. */
function useFocus() {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return box;
}

const CHOICES = ['keep', 'older', 'both'] as const satisfies readonly UndoChoice[];

function ConflictQuestion({ undo, question }: UndoQuestionProps) {
  const { conflicts } = sortSteps(question.steps);
  const [choices, setChoices] = useState<Choices>({});
  const box = useFocus();
  const chooseAll = (choice: UndoChoice) =>
    setChoices(Object.fromEntries(conflicts.map(({ path }) => [path, choice] as const)));
  const isComplete = conflicts.every(({ path }) => choices[path] !== undefined);
  const title = EN_CHANGES.conflict.title(conflicts.length);
  return (
    <section ref={box} className={styles.question} aria-label={title} tabIndex={-1}>
      <p className={styles.title}>{title}</p>
      {conflicts.length > 1 && (
        <div className={styles.acts}>
          <span>{EN_CHANGES.conflict.forAll}</span>
          <Button onClick={() => chooseAll('keep')}>{EN_CHANGES.conflict.keepAll}</Button>
          <Button onClick={() => chooseAll('older')}>{EN_CHANGES.conflict.olderAll}</Button>
        </div>
      )}
      <div className={styles.conflicts}>
        {conflicts.map((step) => (
          <Conflict
            key={step.path}
            step={step}
            choice={choices[step.path]}
            onChoose={(choice) => setChoices({ ...choices, [step.path]: choice })}
          />
        ))}
      </div>
      <div className={styles.acts}>
        <Button tone="primary" disabled={!isComplete || undo.isWorking} onClick={() => void undo.go(question, choices)}>
          {EN_CHANGES.conflict.go}
        </Button>
        <Button onClick={undo.cancel}>{EN_CHANGES.conflict.cancel}</Button>
      </div>
    </section>
  );
}

interface ConflictProps {
  readonly step: UndoStep;
  readonly choice: UndoChoice | undefined;
  readonly onChoose: (choice: UndoChoice) => void;
}

function Conflict({ step, choice, onChoose }: ConflictProps) {
  const name = useId();
  return (
    <fieldset className={styles.conflict}>
      <legend>
        <code>{showName(step.path)}</code>
      </legend>
      {CHOICES.map((one) => (
        <label key={one} className={styles.choice}>
          <input type="radio" name={name} checked={choice === one} onChange={() => onChoose(one)} />
          <span>{EN_CHANGES.conflict[one]}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Enough to recognize what is replaced; a restore of thousands of files names the first. */
const MAX_NAMED = 12;

function RestoreQuestion({ undo, question }: UndoQuestionProps) {
  const { written } = sortSteps(question.steps);
  const box = useFocus();
  const title =
    written.length === 0
      ? EN_CHANGES.restore.nothing
      : EN_CHANGES.restore.ask(written.length, question.side ?? 'before');
  return (
    <section ref={box} className={styles.question} aria-label={title} tabIndex={-1}>
      <p className={styles.title}>{title}</p>
      {written.length > 0 && (
        <ul className={styles.names}>
          {written.slice(0, MAX_NAMED).map(({ path }) => (
            <li key={path}>
              <code>{showName(path)}</code>
            </li>
          ))}
          {written.length > MAX_NAMED && <li>{EN_CHANGES.restore.more(written.length - MAX_NAMED)}</li>}
        </ul>
      )}
      <div className={styles.acts}>
        {written.length > 0 && (
          <Button tone="primary" disabled={undo.isWorking} onClick={() => void undo.go(question, {})}>
            {EN_CHANGES.restore.go}
          </Button>
        )}
        <Button onClick={undo.cancel}>
          {written.length > 0 ? EN_CHANGES.restore.cancel : EN_CHANGES.restore.close}
        </Button>
      </div>
    </section>
  );
}
