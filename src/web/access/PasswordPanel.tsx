/** Sets, changes and removes the password that the second confirmation asks for. */
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useCommands } from '../state/use-app.ts';
import { EN_SETTINGS } from '../strings/en-settings.ts';
import { Button } from '../ui/Button.tsx';
import styles from './TokensPanel.module.css';

export function PasswordPanel() {
  const { hasPassword, writePassword, toast } = useCommands();
  const [isSet, setSet] = useState<boolean | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  // Not in React's state: what is not kept cannot be shown by a tool that looks at it.
  const current = useRef<HTMLInputElement>(null);
  const next = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is shown
  useEffect(() => {
    void hasPassword().then(setSet);
  }, []);

  async function write(password: string | null): Promise<void> {
    const before = current.current?.value;
    const failure = await writePassword({ password, ...(before !== undefined && { current: before }) });
    setProblem(failure?.message ?? null);
    if (failure !== null) return;
    for (const field of [current.current, next.current]) if (field !== null) field.value = '';
    setSet(password !== null);
    toast({ tone: 'plain', text: password === null ? EN_SETTINGS.password.wasRemoved : EN_SETTINGS.password.wasSet });
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    void write(next.current?.value ?? '');
  }

  if (isSet === null) return null;
  return (
    <form className={styles.panel} onSubmit={submit}>
      <p className={styles.quiet}>{EN_SETTINGS.password.text}</p>
      {isSet && (
        <>
          <p>
            {EN_SETTINGS.password.isSet} <span className={styles.quiet}>{EN_SETTINGS.password.lost}</span>
          </p>
          <label className={styles.field}>
            <span>{EN_SETTINGS.password.current}</span>
            <input ref={current} type="password" autoComplete="current-password" />
          </label>
        </>
      )}
      <label className={styles.field}>
        <span>{EN_SETTINGS.password.next}</span>
        <input ref={next} type="password" autoComplete="new-password" minLength={8} />
      </label>
      {problem !== null && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <div className={styles.buttons}>
        {isSet && <Button onClick={() => void write(null)}>{EN_SETTINGS.password.remove}</Button>}
        <Button type="submit">{isSet ? EN_SETTINGS.password.change : EN_SETTINGS.password.set}</Button>
      </div>
    </form>
  );
}
