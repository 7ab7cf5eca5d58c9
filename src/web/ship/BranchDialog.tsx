/** Switch to a branch that is found by words, or make a new one. */
import { GitBranch, Plus } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { RepositoryStatus } from '../../contract/changes.ts';
import { isBranchName } from '../../core/changes/parse-refs.ts';
import { useApp } from '../state/use-app.ts';
import { EN_SHIP } from '../strings/en-ship.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { formatAgo } from '../ui/format.ts';
import styles from './BranchDialog.module.css';
import { type BranchRow, listBranches } from './branch-list.ts';
import type { Wanted } from './next-steps.ts';
import type { Ship } from './use-ship.ts';

interface BranchDialogProps {
  readonly status: RepositoryStatus;
  readonly ship: Ship;
  readonly onClose: () => void;
}

const WORDS = EN_SHIP.branch;

export function BranchDialog({ status, ship, onClose }: BranchDialogProps) {
  const [query, setQuery] = useState('');
  const [isNew, setNew] = useState(false);
  const isTurnRunning = useApp((app) => app.view.live.activity.state !== 'idle');
  const isBlocked = isTurnRunning || ship.isBusy;
  const inside = useRef<HTMLDivElement>(null);
  // Here, not in the part that has the field: the dialog takes the focus when it is shown, which is later than that.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of the two parts has a field of its own
  useEffect(() => inside.current?.querySelector('input')?.focus(), [isNew]);
  const go = (wanted: Wanted) => {
    if (isBlocked) return;
    onClose();
    void ship.act(wanted);
  };
  return (
    <Dialog title={WORDS.title} onClose={onClose}>
      <div ref={inside} className={styles.inside}>
        {isTurnRunning && (
          <p className={styles.busy} role="status">
            {WORDS.busy}
          </p>
        )}
        {isNew ? (
          <NewBranch status={status} ship={ship} initial={query.trim()} onBack={() => setNew(false)} onGo={go} />
        ) : (
          <Choose ship={ship} query={query} onQuery={setQuery} onNew={() => setNew(true)} onGo={go} onClose={onClose} />
        )}
      </div>
    </Dialog>
  );
}

interface ChooseProps {
  readonly ship: Ship;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly onNew: () => void;
  readonly onGo: (wanted: Wanted) => void;
  readonly onClose: () => void;
}

/** More is found by typing. */
const MAX_SHOWN = 60;

function Choose({ ship, query, onQuery, onNew, onGo, onClose }: ChooseProps) {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const [now] = useState(Date.now);
  const found = ship.facts === null ? [] : listBranches(ship.facts.branches, query);
  const shown = found.slice(0, MAX_SHOWN);
  const at = Math.min(chosen, shown.length - 1);
  const current = shown[at];

  const pick = (row: BranchRow) => {
    if (row.isCurrent) onClose();
    else onGo({ action: 'switch', branch: row.ref, overwrite: false });
  };
  function onKeyDown(event: KeyboardEvent): void {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      setChosen((at + by + shown.length) % Math.max(1, shown.length));
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      if (current !== undefined) pick(current);
      else if (query.trim() !== '') onNew();
    }
  }
  return (
    <>
      <input
        className={styles.query}
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={current === undefined ? undefined : `${id}-${at}`}
        aria-label={WORDS.find}
        placeholder={WORDS.find}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => {
          onQuery(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} role="listbox" aria-label={WORDS.title} className={styles.list}>
        {shown.map((row, place) => (
          <button
            key={row.ref}
            id={`${id}-${place}`}
            ref={(element) => {
              if (place === at) element?.scrollIntoView({ block: 'nearest' });
            }}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={place === at}
            className={classes(styles.item, place === at && styles.chosen)}
            onClick={() => pick(row)}
          >
            <GitBranch size={14} aria-hidden />
            <span className={styles.name}>{showName(row.name)}</span>
            <span className={styles.fact}>
              {row.isCurrent ? WORDS.current : row.isRemote ? WORDS.ofRemote : formatAgo(row.at, now)}
            </span>
          </button>
        ))}
      </div>
      {ship.facts === null && <p className={styles.note}>{WORDS.loading}</p>}
      {ship.facts !== null && shown.length === 0 && <p className={styles.note}>{WORDS.nothing}</p>}
      {found.length > shown.length && <p className={styles.note}>{WORDS.more(found.length - shown.length)}</p>}
      <div className={styles.foot}>
        <Button onClick={onNew}>
          <Plus size={15} aria-hidden />
          {WORDS.create}
        </Button>
      </div>
    </>
  );
}

interface NewBranchProps {
  readonly status: RepositoryStatus;
  readonly ship: Ship;
  readonly initial: string;
  readonly onBack: () => void;
  readonly onGo: (wanted: Wanted) => void;
}

function NewBranch({ status, ship, initial, onBack, onGo }: NewBranchProps) {
  const id = useId();
  const [name, setName] = useState(initial);
  const isTaken = ship.facts?.branches.some(({ ref }) => ref === `refs/heads/${name}`) ?? false;
  const problem = name === '' ? null : !isBranchName(name) ? WORDS.badName : isTaken ? WORDS.taken : null;
  const where = status.branch ?? status.head?.slice(0, 8);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name !== '' && problem === null) onGo({ action: 'branch', name });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <label className={styles.label} htmlFor={id}>
        {WORDS.name}
      </label>
      <input
        id={id}
        className={styles.field}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={name}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-note`}
        onChange={(event) => setName(event.target.value)}
      />
      <p id={`${id}-note`} role="status" className={classes(styles.hint, problem !== null && styles.problem)}>
        {problem ?? (where === undefined ? null : WORDS.from(showName(where)))}
      </p>
      <div className={styles.acts}>
        <Button type="submit" tone="primary" aria-disabled={name === '' || problem !== null}>
          {WORDS.go}
        </Button>
        <Button onClick={onBack}>{WORDS.back}</Button>
      </div>
    </form>
  );
}
