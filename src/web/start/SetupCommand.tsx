/** The command that runs in each new work tree of the repository: shown before it runs, and written by the person alone. */
import { type KeyboardEvent, useId, useState } from 'react';
import { EN_START } from '../strings/en-start.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import field from '../ui/Field.module.css';
import type { Place } from './use-start-place.ts';
import styles from './WorkPlace.module.css';

const { place: words } = EN_START;

export function SetupCommand({ place, setup }: { readonly place: Place; readonly setup: string | null }) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  if (typed === null) {
    const change = (
      <button type="button" className={styles.link} onClick={() => setTyped(setup ?? '')}>
        {setup === null ? words.addSetup : words.changeSetup}
      </button>
    );
    return setup === null ? (
      <p>{change}</p>
    ) : (
      <p>
        {words.runs} <code className={styles.code}>{showName(setup)}</code> {change}
      </p>
    );
  }

  async function save(): Promise<void> {
    const command = typed?.trim() ?? '';
    const failed = await place.writeSetup(command === '' ? null : command);
    setProblem(failed);
    if (failed === null) setTyped(null);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      void save();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      setTyped(null);
    }
  }

  return (
    <div className={styles.setup}>
      <label className={styles.part} htmlFor={`${id}-setup`}>
        <span>{words.setup}</span>
        <input
          id={`${id}-setup`}
          className={classes(field.field, styles.branch)}
          value={typed}
          maxLength={4000}
          placeholder={words.setupHint}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          aria-describedby={`${id}-means`}
          ref={(input) => {
            if (input !== null && input.dataset.seen === undefined) {
              input.dataset.seen = '';
              input.focus({ preventScroll: true });
            }
          }}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={onKeyDown}
        />
      </label>
      <Button tone="primary" onClick={() => void save()}>
        {words.save}
      </Button>
      <Button onClick={() => setTyped(null)}>{words.cancel}</Button>
      <p id={`${id}-means`} className={styles.means}>
        {words.setupMeans}
      </p>
      {problem !== null && (
        <p className={classes(styles.means, styles.warning)} role="alert">
          {showName(problem)}
        </p>
      )}
    </div>
  );
}
