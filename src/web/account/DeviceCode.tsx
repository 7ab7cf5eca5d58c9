/** A code to type in on another page; waits until that is done. */
import type { AccountState } from '../../contract/routes-server.ts';
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showExact } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { OutsideLink } from '../ui/OutsideLink.tsx';
import styles from './AccountPanel.module.css';
import { isSafeLink } from './describe-account.ts';

type Login = NonNullable<AccountState['login']>;

export function DeviceCode({ login }: { readonly login: Login }) {
  const { cancelLogin } = useCommands();
  const url = login.verification_url ?? '';
  const code = login.user_code ?? '';
  return (
    <div className={styles.device}>
      <p>{en.account.device}</p>
      <p className={styles.line}>
        {isSafeLink(url) ? <OutsideLink href={url}>{showExact(url)}</OutsideLink> : <code>{showExact(url)}</code>}
        <CopyButton text={url} className={styles.copy} />
      </p>
      <p className={styles.line}>
        <code className={styles.code}>{showExact(code)}</code>
        <CopyButton text={code} className={styles.copy} />
      </p>
      <p className={styles.line} role="status">
        <span className={styles.quiet}>{en.account.waiting}</span>
        {login.login_id !== null && (
          <Button tone="quiet" onClick={() => void cancelLogin(login.login_id ?? '')}>
            {en.account.cancel}
          </Button>
        )}
      </p>
    </div>
  );
}
