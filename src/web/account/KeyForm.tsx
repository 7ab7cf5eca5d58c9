/** An API key on its way to Codex. The field holds it until it is sent, nothing else does. */
import { type FormEvent, useId, useRef, useState } from 'react';
import { en } from '../strings/en.ts';
import { Button } from '../ui/Button.tsx';
import styles from './AccountPanel.module.css';

interface KeyFormProps {
  readonly isBusy: boolean;
  /** True when it was taken. */
  readonly onKey: (key: string) => Promise<boolean>;
}

/** The server's own rule, said before anything is sent. */
const KEY = /^[\x21-\x7e]{8,512}$/;

export function KeyForm({ isBusy, onKey }: KeyFormProps) {
  const id = useId();
  // Not in React's state: what is not kept cannot be shown by a tool that looks at it.
  const field = useRef<HTMLInputElement>(null);
  const [isOdd, setOdd] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const input = field.current;
    if (input === null || input.value.trim() === '') return;
    const key = input.value.trim();
    setOdd(!KEY.test(key));
    if (KEY.test(key) && (await onKey(key))) input.value = '';
  }

  return (
    <form className={styles.key} onSubmit={(event) => void submit(event)}>
      <label htmlFor={id}>{en.account.keyLabel}</label>
      <div className={styles.line}>
        <input
          ref={field}
          id={id}
          type="password"
          autoComplete="off"
          spellCheck={false}
          placeholder="sk-…"
          aria-describedby={`${id}-hint`}
          // biome-ignore lint/a11y/noAutofocus: it appears because somebody asked to type here
          autoFocus
        />
        <Button type="submit" tone="primary" disabled={isBusy}>
          {en.account.keyStart}
        </Button>
      </div>
      {isOdd && (
        <p role="alert" className={styles.error}>
          {en.account.keyOdd}
        </p>
      )}
      <p id={`${id}-hint`} className={styles.quiet}>
        {en.account.keyHint}
      </p>
    </form>
  );
}
