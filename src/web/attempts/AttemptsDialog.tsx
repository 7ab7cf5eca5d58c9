/** The attempts at one task side by side; one of them is kept, and the others go after it was said what is lost. */
import { useEffect, useState } from 'react';
import type { AttemptRow } from '../../contract/worktrees.ts';
import { FinishForm } from '../changes/FinishDialog.tsx';
import { useApp, useCommands } from '../state/use-app.ts';
import { EN_ATTEMPTS } from '../strings/en-attempts.ts';
import { showName } from '../transcript/ansi.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { AttemptColumn } from './AttemptColumn.tsx';
import styles from './AttemptsDialog.module.css';
import { RemoveOthers } from './RemoveOthers.tsx';

/** What is shown: all of them, the finishing of one, or the removal of the others. */
type Step =
  | { readonly kind: 'compare' }
  | { readonly kind: 'finish'; readonly kept: AttemptRow }
  | { readonly kind: 'remove'; readonly kept: AttemptRow };

export function AttemptsDialog() {
  const { show } = useCommands();
  const { attempts, problem } = useAttempts();
  const [step, setStep] = useState<Step>({ kind: 'compare' });
  const close = () => show('none');
  if (step.kind === 'finish')
    return (
      <Dialog title={EN_ATTEMPTS.keeping(step.kept.number)} onClose={close}>
        <p className={styles.note}>{EN_ATTEMPTS.keepMeans}</p>
        <FinishForm
          path={step.kept.cwd}
          onDone={() => setStep({ kind: 'remove', kept: step.kept })}
          onCancel={() => setStep({ kind: 'compare' })}
        />
      </Dialog>
    );
  if (step.kind === 'remove') {
    // One whose work tree is gone has no branch that can be read.
    const others = (attempts ?? []).filter(({ id, branch }) => id !== step.kept.id && branch !== null);
    return (
      <Dialog title={EN_ATTEMPTS.remove(others.length)} onClose={close}>
        <RemoveOthers others={others} onDone={close} />
      </Dialog>
    );
  }
  return (
    <Dialog title={EN_ATTEMPTS.title} onClose={close} className={styles.wide}>
      {attempts === null || attempts.length === 0 ? (
        <p className={styles.note} role={problem === null ? 'status' : 'alert'}>
          {problem !== null ? showName(problem) : attempts === null ? EN_ATTEMPTS.loading : EN_ATTEMPTS.none}
        </p>
      ) : (
        <ul className={styles.columns}>
          {attempts.map((one) => (
            <AttemptColumn key={one.id} attempt={one} onKeep={() => setStep({ kind: 'finish', kept: one })} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

/** Read again whenever the list says that something happened in one of them. */
function useAttempts() {
  const { ask } = useCommands();
  const id = useApp((state) => state.openId);
  const [read, setRead] = useState<{ attempts: readonly AttemptRow[] | null; problem: string | null }>({
    attempts: null,
    problem: null,
  });
  const ids = read.attempts?.map((one) => one.id) ?? [];
  const news = useApp((state) =>
    ids.map((one) => `${state.list.get(one)?.state} ${state.list.get(one)?.active_at}`).join(),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: news is a reason to read again
  useEffect(() => {
    if (id === null) return;
    let isCurrent = true;
    void ask('listAttempts', { id }).then((answer) => {
      if (!isCurrent) return;
      if (answer.ok) setRead({ attempts: answer.value.attempts, problem: null });
      else setRead((now) => ({ ...now, problem: answer.error.message }));
    });
    return () => {
      isCurrent = false;
    };
  }, [id, news, ask]);
  return read;
}
