/** New browsers that want to log in: a place above the page that a screen reader listens to, and a card each. */
import { useApp } from '../state/use-app.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import styles from './NewLogins.module.css';

const LoginCards = lazyPart((later) => later.LoginCards);

export function NewLogins() {
  const logins = useApp((state) => state.logins);
  return (
    <div className={styles.cards} aria-live="assertive">
      {logins.length > 0 && <LoginCards logins={logins} />}
    </div>
  );
}
