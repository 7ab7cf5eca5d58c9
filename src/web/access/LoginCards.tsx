/** A card for each new browser that wants to log in, with the code that the new browser shows too. */
import { useEffect, useState } from 'react';
import type { LoginRequest } from '../../contract/routes-session.ts';
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Button } from '../ui/Button.tsx';
import styles from './NewLogins.module.css';

/** A card can appear under the pointer at the moment of a click that was meant for something else. */
const ARM_MS = 800;

export function LoginCards({ logins }: { readonly logins: readonly LoginRequest[] }) {
  return logins.map((login) => <Card key={login.id} login={login} />);
}

function Card({ login }: { readonly login: LoginRequest }) {
  const { answerLogin } = useCommands();
  const [isArmed, setArmed] = useState(false);
  const [isAnswering, setAnswering] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), ARM_MS);
    return () => clearTimeout(timer);
  }, []);

  async function answer(said: 'allow' | 'refuse'): Promise<void> {
    setAnswering(true);
    await answerLogin(login.id, said);
    setAnswering(false);
  }

  return (
    <section className={styles.card} aria-label={en.newLogin.asks}>
      <h2 className={styles.title}>{en.newLogin.asks}</h2>
      <div className={styles.facts}>
        <span className={styles.code}>{login.code}</span>
        <div>
          <p>{en.newLogin.compare}</p>
          <p className={styles.quiet}>{en.newLogin.from(login.browser, en.newLogin.madeBy[login.made_by])}</p>
          {login.opens_in_ms !== null && <p className={styles.soon}>{en.newLogin.allowedElsewhere}</p>}
        </div>
      </div>
      <div className={styles.buttons}>
        <Button tone="primary" disabled={isAnswering} onClick={() => void answer('refuse')}>
          {en.newLogin.refuse}
        </Button>
        <Button disabled={!isArmed || isAnswering} onClick={() => void answer('allow')}>
          {en.newLogin.letIn}
        </Button>
      </div>
    </section>
  );
}
