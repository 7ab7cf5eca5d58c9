/** Forks from a turn into a new work tree: asks for its branch. A press that is repeated makes one work tree and one conversation. */
import { useEffect, useId, useRef, useState } from 'react';
import { nameOf } from '../conversations/group-conversations.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { EN_FORK } from '../strings/en-fork.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { Dialog } from '../ui/Dialog.tsx';
import field from '../ui/Field.module.css';
import styles from './ForkDialog.module.css';
import { branchOf, type Repository } from './start-place.ts';

const UNNAMED = { kind: 'new', branch: null, from: null } as const;

export function ForkDialog() {
  const { show } = useCommands();
  const id = useApp((state) => state.openId);
  const turnId = useApp((state) => state.forkTurn);
  return (
    <Dialog title={EN_FORK.title} onClose={() => show('none')}>
      {id !== null && turnId !== null && <ForkForm id={id} turnId={turnId} />}
    </Dialog>
  );
}

function ForkForm({ id, turnId }: { readonly id: string; readonly turnId: string }) {
  const { show, go, readWorktrees, ask } = useCommands();
  const cwd = useApp((state) => state.meta?.cwd);
  const row = useApp((state) => state.list.get(id));
  const [repository, setRepository] = useState<Repository | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isWorking, setWorking] = useState(false);
  const request = useRef({ branch: '', id: '' });
  const branchId = useId();
  useEffect(() => {
    if (cwd === undefined) return;
    let isCurrent = true;
    void readWorktrees(cwd).then((read) => {
      if (!isCurrent) return;
      if (read.ok) setRepository(read.value);
      if (!read.ok || read.value === null) setProblem(read.ok ? EN_FORK.none : read.error.message);
    });
    return () => {
      isCurrent = false;
    };
  }, [cwd, readWorktrees]);
  const name = (row === undefined ? null : nameOf(row)) ?? '';
  const branch = typed ?? (repository === null ? '' : branchOf(UNNAMED, `${name.slice(0, 30)} fork`, repository));
  const setup = repository?.setup ?? null;

  async function fork(): Promise<void> {
    if (isWorking || branch.trim() === '') return;
    // The same as long as the same is wanted: a repeated press finds what the first one made.
    if (request.current.branch !== branch) request.current = { branch, id: crypto.randomUUID() };
    setTyped(branch);
    setWorking(true);
    setProblem(null);
    const worktree = { request_id: request.current.id, branch: branch.trim(), ...(setup !== null && { setup }) };
    const made = await ask('forkConversation', { id, turn_id: turnId, worktree });
    setWorking(false);
    if (!made.ok) return setProblem(made.error.message);
    show('none');
    go(made.value.id);
  }

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void fork();
      }}
    >
      <p>{EN_FORK.means}</p>
      <label className={styles.part} htmlFor={branchId}>
        <span>{EN_FORK.branch}</span>
        <input
          id={branchId}
          className={classes(field.field, styles.branch)}
          value={branch}
          maxLength={240}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          disabled={isWorking}
          placeholder={repository === null && problem === null ? EN_FORK.loading : undefined}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
      {setup !== null && <p className={styles.runs}>{EN_FORK.runs(showName(setup))}</p>}
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {showName(problem)}
        </p>
      )}
      <div className={styles.acts}>
        <Button type="submit" tone="primary" disabled={isWorking || branch.trim() === ''}>
          {isWorking ? EN_FORK.working : EN_FORK.go}
        </Button>
        <Button onClick={() => show('none')}>{EN_FORK.cancel}</Button>
      </div>
    </form>
  );
}
