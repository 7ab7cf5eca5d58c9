/** Ends the task of a linked work tree: its branch goes into the base, then work tree and branch go. What would be lost is listed first. */
import { useCallback, useEffect, useState } from 'react';
import type { RouteOutput } from '../../contract/routes.ts';
import type { FinishMode } from '../../contract/worktrees.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { EN_FINISH } from '../strings/en-finish.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { Dialog } from '../ui/Dialog.tsx';
import styles from './FinishDialog.module.css';

type Finished = RouteOutput<'finishWorktree'>;

interface Wish {
  readonly mode: FinishMode;
  /** Null: the base branch. */
  readonly into: string | null;
  readonly isKept: boolean;
}

/** Names that are listed; the others are counted. */
const MAX_NAMES = 10;

export function FinishDialog() {
  const { show } = useCommands();
  const path = useApp((state) => state.meta?.cwd);
  return (
    <Dialog title={EN_FINISH.title} onClose={() => show('none')}>
      {path !== undefined && <FinishForm path={path} onDone={() => show('none')} onCancel={() => show('none')} />}
    </Dialog>
  );
}

interface FinishFormProps {
  /** Of the work tree. */
  readonly path: string;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

export function FinishForm({ path, onDone, onCancel }: FinishFormProps) {
  const { ask, toast } = useCommands();
  const [wish, setWish] = useState<Wish>({ mode: 'merge', into: null, isKept: false });
  const [plan, setPlan] = useState<Finished | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  /** What goes was read, and may go. */
  const [isAgreed, setAgreed] = useState(false);
  const [isWorking, setWorking] = useState(false);
  const branches = useBranches(path, plan?.branch);
  const call = useCallback(
    (more: { readonly is_trial?: boolean; readonly lose?: boolean }) => {
      const { mode, into, isKept } = wish;
      return ask('finishWorktree', { path, mode, keep: isKept, ...(into !== null && { into }), ...more });
    },
    [ask, path, wish],
  );
  useEffect(() => {
    let isCurrent = true;
    void call({ is_trial: true }).then((answer) => {
      if (!isCurrent) return;
      setPlan(answer.ok ? answer.value : null);
      setProblem(answer.ok ? null : answer.error.message);
    });
    return () => {
      isCurrent = false;
    };
  }, [call]);

  async function finish(): Promise<void> {
    if (plan === null || isWorking) return;
    setWorking(true);
    const answer = await call({ lose: isAgreed });
    setWorking(false);
    if (!answer.ok) return setProblem(answer.error.message);
    const done = answer.value;
    setProblem(null);
    // Changed since it was shown: shown anew, and asked about anew.
    setAgreed(false);
    setPlan(done);
    if (!done.is_brought || !(done.is_removed || wish.isKept)) return;
    onDone();
    toast({ text: EN_FINISH.done(showName(done.branch), showName(done.into), done.is_removed), tone: 'plain' });
  }

  if (plan === null)
    return (
      <p
        className={classes(styles.form, problem !== null && styles.problem)}
        role={problem === null ? 'status' : 'alert'}
      >
        {problem === null ? EN_FINISH.loading : showName(problem)}
      </p>
    );
  const hasConflicts = plan.conflicts.length > 0;
  const isLosing = !wish.isKept && doesLose(plan);
  const hasChoice = plan.how === 'merge' || plan.how === 'rebase';
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void finish();
      }}
    >
      <p className={styles.plan}>{planOf(plan)}</p>
      <label className={styles.line}>
        <span>{EN_FINISH.into}</span>
        <select
          className={styles.select}
          value={plan.into}
          disabled={isWorking}
          onChange={({ target }) => setWish({ ...wish, into: target.value })}
        >
          {[plan.into, ...branches.filter((name) => name !== plan.into)].map((name) => (
            <option key={name} value={name}>
              {showName(name)}
            </option>
          ))}
        </select>
      </label>
      {hasChoice && (
        <fieldset className={styles.modes}>
          <legend className="visually-hidden">{EN_FINISH.how}</legend>
          {(['merge', 'rebase'] as const).map((mode) => (
            <label key={mode} className={styles.line}>
              <input
                type="radio"
                name="mode"
                checked={wish.mode === mode}
                onChange={() => setWish({ ...wish, mode })}
              />
              <span>{EN_FINISH.modes[mode]}</span>
            </label>
          ))}
        </fieldset>
      )}
      {hasConflicts && <Names title={EN_FINISH.conflicts(plan.conflicts.length)} names={plan.conflicts} />}
      <label className={styles.line}>
        <input
          type="checkbox"
          checked={!wish.isKept}
          onChange={({ target }) => setWish({ ...wish, isKept: !target.checked })}
        />
        <span>{EN_FINISH.remove}</span>
      </label>
      {isLosing && (
        <div className={styles.losses}>
          <Names title={EN_FINISH.files(plan.losses.files.length)} names={plan.losses.files} />
          <Names title={EN_FINISH.ignored(plan.losses.ignored.length)} names={plan.losses.ignored} />
          <label className={styles.line}>
            <input type="checkbox" checked={isAgreed} onChange={({ target }) => setAgreed(target.checked)} />
            <span>{EN_FINISH.agree}</span>
          </label>
        </div>
      )}
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {showName(problem)}
        </p>
      )}
      <div className={styles.acts}>
        <Button type="submit" tone="primary" disabled={isWorking || hasConflicts || (isLosing && !isAgreed)}>
          {isWorking ? EN_FINISH.working : wish.isKept ? EN_FINISH.bring : EN_FINISH.go}
        </Button>
        <Button onClick={onCancel}>{EN_FINISH.cancel}</Button>
      </div>
    </form>
  );
}

/** Other branches that the work can go into. */
function useBranches(path: string, own: string | undefined): readonly string[] {
  const { readWorktrees } = useCommands();
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    let isCurrent = true;
    void readWorktrees(path).then((read) => {
      if (isCurrent && read.ok) setNames(read.value?.branches.map(({ name }) => name) ?? []);
    });
    return () => {
      isCurrent = false;
    };
  }, [path, readWorktrees]);
  return names.filter((name) => name !== own);
}

export function Names({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <div>
      <p className={styles.warning}>{title}</p>
      <ul className={styles.names}>
        {names.slice(0, MAX_NAMES).map((name) => (
          <li key={name}>{showName(name)}</li>
        ))}
        {names.length > MAX_NAMES && <li>{EN_FINISH.more(names.length - MAX_NAMES)}</li>}
      </ul>
    </div>
  );
}

const doesLose = ({ losses: { files, ignored } }: Finished): boolean => files.length > 0 || ignored.length > 0;

function planOf({ how, commits, branch, into }: Finished): string {
  const names = [showName(branch), showName(into)] as const;
  return how === 'nothing' ? EN_FINISH.nothing(...names) : EN_FINISH.plan(commits, ...names);
}
