/** The second confirmation, above everything else. Says what it means; Cancel and Escape are the way out that needs no thought. */
import { ShieldAlert } from 'lucide-react';
import { type FormEvent, useEffect, useId, useRef } from 'react';
import type { ConfirmationDetails } from '../../contract/access.ts';
import type { Said } from '../state/confirm-calls.ts';
import { useApp } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showText } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import styles from './ConfirmStep.module.css';

/** Shows the confirmation that waits, if one does. */
export function Confirmation() {
  const confirmation = useApp((state) => state.confirmation);
  if (confirmation === null) return null;
  const { details, answer } = confirmation;
  return <ConfirmStep key={`${details.confirm} ${details.problem}`} details={details} onAnswer={answer} />;
}

interface ConfirmStepProps {
  readonly details: ConfirmationDetails;
  readonly onAnswer: (said: Said) => void;
}

function ConfirmStep({ details, onAnswer }: ConfirmStepProps) {
  const { title, means, button, needs_password: needsPassword, problem } = details;
  const id = useId();
  const cancel = useRef<HTMLButtonElement>(null);
  // Not in React's state: what is not kept cannot be shown by a tool that looks at it.
  const password = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const first = password.current ?? cancel.current;
    first?.focus();
  }, []);

  function submit(event: FormEvent): void {
    event.preventDefault();
    const text = password.current?.value;
    if (text !== '') onAnswer(text === undefined ? {} : { password: text });
  }

  return (
    <Dialog title={title} onClose={() => onAnswer(null)} describedBy={id} role="alertdialog">
      <form className={styles.body} onSubmit={submit}>
        <div id={id} className={styles.means}>
          <ShieldAlert className={styles.icon} size={20} aria-hidden />
          <div>
            {means.map((sentence) => (
              <p key={sentence}>{showText(sentence)}</p>
            ))}
            <p className={styles.hint}>{en.confirm.hint}</p>
          </div>
        </div>
        {needsPassword && (
          <label className={styles.password}>
            <span>{en.confirm.password}</span>
            <input
              ref={password}
              type="password"
              autoComplete="current-password"
              aria-invalid={problem !== undefined}
              aria-describedby={problem === undefined ? undefined : `${id}-problem`}
            />
          </label>
        )}
        {problem !== undefined && (
          <p id={`${id}-problem`} role="alert" className={styles.problem}>
            {problem}
          </p>
        )}
        <div className={styles.buttons}>
          <Button ref={cancel} onClick={() => onAnswer(null)}>
            {en.cancel}
          </Button>
          <Button type="submit" tone="danger">
            {button}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
