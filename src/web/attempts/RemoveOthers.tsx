/** Removes the work trees of the attempts that were not kept, once a person has read what goes with them and said yes to it. */
import { useCallback, useEffect, useState } from 'react';
import type { AttemptRow, WorktreeLosses } from '../../contract/worktrees.ts';
import { Names } from '../changes/FinishDialog.tsx';
import { useCommands } from '../state/use-app.ts';
import { EN_ATTEMPTS } from '../strings/en-attempts.ts';
import { EN_FINISH } from '../strings/en-finish.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import styles from './AttemptsDialog.module.css';

interface RemoveOthersProps {
  readonly others: readonly AttemptRow[];
  readonly onDone: () => void;
}

interface Looked {
  readonly attempt: AttemptRow;
  readonly losses: WorktreeLosses | null;
  /** Why it cannot be removed now, such as a turn that runs there. */
  readonly problem: string | null;
}

export function RemoveOthers({ others, onDone }: RemoveOthersProps) {
  const { ask, toast } = useCommands();
  const [looked, setLooked] = useState<readonly Looked[] | null>(null);
  const [isAgreed, setAgreed] = useState(false);
  const [isWorking, setWorking] = useState(false);
  /** Those that were there when this was asked: the list gets shorter while they go. */
  const [wanted] = useState(others);
  const [gone, setGone] = useState<readonly string[]>([]);
  const remove = useCallback(
    async (attempt: AttemptRow, more: { readonly is_trial?: boolean; readonly lose?: boolean }) => {
      const answer = await ask('removeWorktree', { path: attempt.cwd, with_branch: true, ...more });
      return answer.ok
        ? { attempt, losses: answer.value.losses, problem: null, isRemoved: answer.value.is_removed }
        : { attempt, losses: null, problem: answer.error.message, isRemoved: false };
    },
    [ask],
  );
  useEffect(() => {
    let isCurrent = true;
    void Promise.all(wanted.map((one) => remove(one, { is_trial: true }))).then((all) => {
      if (isCurrent) setLooked(all);
    });
    return () => {
      isCurrent = false;
    };
  }, [wanted, remove]);

  async function removeAll(): Promise<void> {
    if (isWorking) return;
    setWorking(true);
    const left: Looked[] = [];
    for (const one of wanted.filter(({ id }) => !gone.includes(id))) {
      const done = await remove(one, { lose: isAgreed });
      if (done.isRemoved) setGone((now) => [...now, one.id]);
      else left.push(done);
    }
    setWorking(false);
    if (left.length > 0) {
      // Changed since it was shown: shown anew, and asked about anew.
      setAgreed(false);
      setLooked(left);
      return;
    }
    onDone();
    toast({ text: EN_ATTEMPTS.removed, tone: 'plain' });
  }

  if (looked === null) return <p className={styles.note}>{EN_FINISH.loading}</p>;
  const doLose = looked.some(
    ({ losses }) => losses !== null && losses.files.length + losses.ignored.length + losses.commits > 0,
  );
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void removeAll();
      }}
    >
      <p>{EN_ATTEMPTS.removeMeans(looked.map(({ attempt }) => showName(attempt.branch ?? '')).join(', '))}</p>
      {looked.map(({ attempt, losses, problem }) => (
        <section key={attempt.id} aria-label={EN_ATTEMPTS.name(attempt.number)}>
          {problem !== null && (
            <p className={styles.problem} role="alert">
              {EN_ATTEMPTS.name(attempt.number)}: {showName(problem)}
            </p>
          )}
          {losses !== null && losses.files.length + losses.ignored.length + losses.commits > 0 && (
            <>
              <h3 className={styles.name}>{EN_ATTEMPTS.name(attempt.number)}</h3>
              {losses.commits > 0 && <p className={styles.caution}>{EN_ATTEMPTS.commits(losses.commits)}</p>}
              <Names title={EN_FINISH.files(losses.files.length)} names={losses.files} />
              <Names title={EN_FINISH.ignored(losses.ignored.length)} names={losses.ignored} />
            </>
          )}
        </section>
      ))}
      {doLose && (
        <label className={styles.line}>
          <input type="checkbox" checked={isAgreed} onChange={({ target }) => setAgreed(target.checked)} />
          <span>{EN_FINISH.agree}</span>
        </label>
      )}
      <div className={styles.acts}>
        <Button type="submit" tone="primary" disabled={isWorking || (doLose && !isAgreed)}>
          {isWorking ? EN_FINISH.working : EN_ATTEMPTS.remove(looked.length)}
        </Button>
        <Button onClick={onDone}>{EN_ATTEMPTS.leave}</Button>
      </div>
    </form>
  );
}
