/** In place of the page while another browser has to allow this one: the code to compare, and what to do if nobody can answer there. */
import type { WaitingLogin } from '../../contract/routes-session.ts';
import { en } from '../strings/en.ts';
import { FullPage } from '../ui/FullPage.tsx';
import styles from './LoginWaiting.module.css';

export function LoginWaiting({ waiting }: { readonly waiting: WaitingLogin }) {
  const { code, is_answerable: isAnswerable, opens_in_ms: opensInMs } = waiting;
  return (
    <FullPage title={en.newLogin.title} text={isAnswerable ? en.newLogin.text : en.newLogin.closed}>
      {isAnswerable && (
        <output className={styles.code} aria-label={en.newLogin.code}>
          {code}
        </output>
      )}
      {opensInMs === null ? (
        <div className={styles.other}>
          <p>{isAnswerable ? en.newLogin.outOfReach : en.newLogin.again}</p>
          <code>{isAnswerable ? en.newLogin.allow(code) : en.signedOut.command}</code>
        </div>
      ) : (
        <p role="status">{en.newLogin.opensSoon}</p>
      )}
    </FullPage>
  );
}
